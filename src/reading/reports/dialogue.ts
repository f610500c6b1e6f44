import { quotedFlags } from "../sentences.ts";
import { SPEECH_VERBS } from "../word-lists.ts";

/** The speech in a paragraph. */
export interface Spoken {
  /** Words in quotation marks. */
  words: number;
  /** The place in the cast of who says it; undefined if no speech verb stands beside one name. */
  speaker: number | undefined;
  /** The paragraph's place in its chapter. */
  block: number;
}

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*/gu;

/** Finds the speech in a paragraph; undefined if nothing stands in quotation marks. */
export function spokenIn(
  text: string,
  block: number,
  named: readonly { from: number; to: number; fact: number }[],
): Spoken | undefined {
  if (!/[“"‘„«「]/.test(text)) return undefined;
  const quoted = quotedFlags(text);
  let words = 0;
  for (const { index } of text.matchAll(WORD)) words += quoted[index] ?? 0;
  if (words === 0) return undefined;
  const speakers = new Set<number>();
  for (const { from, to, fact } of named) {
    if (quoted[from] !== 1 && isBesideVerb(text, from, to)) speakers.add(fact);
  }
  const [speaker] = speakers;
  return { words, speaker: speakers.size === 1 ? speaker : undefined, block };
}

function isBesideVerb(text: string, from: number, to: number): boolean {
  const before = /(\p{L}+) $/u.exec(text.slice(Math.max(0, from - 20), from))?.[1] ?? "";
  const behind = /^ (\p{L}+)\b/u.exec(text.slice(to, to + 20))?.[1] ?? "";
  return SPEECH_VERBS.has(before) || SPEECH_VERBS.has(behind);
}

/**
 * Who says what, where turns may be told by turn: in a row of paragraphs that all hold speech, where two are named as
 * speakers and no third, the other one answers.
 */
export function takeTurns(spoken: readonly Spoken[]): Spoken[] {
  const turns = spoken.map((one) => ({ ...one }));
  for (let start = 0; start < turns.length; ) {
    let end = start + 1;
    while (end < turns.length && turns[end]?.block === (turns[end - 1]?.block ?? 0) + 1) end++;
    alternate(turns.slice(start, end));
    start = end;
  }
  return turns;
}

/** Fills in the speakers of a row, forth and then back; the row's own objects are changed. */
function alternate(row: Spoken[]): void {
  const [one, two, ...more] = new Set(row.flatMap(({ speaker }) => speaker ?? []));
  if (one === undefined || two === undefined || more.length > 0) return;
  for (const turns of [row, [...row].reverse()]) {
    for (const [index, turn] of turns.entries()) {
      const before = turns[index - 1]?.speaker;
      if (before !== undefined) turn.speaker ??= before === one ? two : one;
    }
  }
}
