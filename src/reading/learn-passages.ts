import { groupBy } from "../text/group-by.ts";
import type { NamedSpan } from "./cast-names.ts";
import { type CastScan, castNamesIn } from "./cast-scan.ts";
import { type ChapterAppearances, learnAppearances } from "./learn-appearances.ts";
import { ABOVE } from "./owners.ts";
import type { ReadingChapter, ReadingFact, ReadingMention, Span } from "./reading.ts";
import type { PassageAttribute } from "./reports/statements/rules.ts";
import { statementsIn, type TraitStatement } from "./reports/statements/statements.ts";
import { quotedFlags, sentenceSpans } from "./sentences.ts";

type Speaker = ChapterAppearances["turns"][number]["speaker"];

/** A sentence that states a trait of somebody; `highlights` are stretches of its text. */
export interface DescribingSentence extends Span {
  attribute: PassageAttribute;
  /** The same for statements that say the same. */
  value: string;
  highlights: [number, number][];
}

/** The describing sentences of a chapter in reading order, by the place of their fact in the cast. */
export type DescribedFacts = ReadonlyMap<number, readonly DescribingSentence[]>;

/**
 * Finds the sentences of a chapter that state a trait of somebody of the cast, or what a place or thing of it is like. It
 * yields after every paragraph.
 */
export function* learnPassages(
  chapter: ReadingChapter,
  cast: CastScan,
  mentions: readonly ReadingMention[],
): Generator<void, DescribedFacts> {
  const found = new Map<number, DescribingSentence[]>();
  const anchored = groupBy(mentions, ({ blockId }) => blockId);
  let speakers: ReadonlyMap<number, Speaker> | undefined;
  const speakerIn = (block: number) => {
    speakers ??= speakersOf(chapter, cast, mentions);
    const speaker = speakers.get(block);
    return typeof speaker === "number" ? cast.cast[speaker] : undefined;
  };
  const named = new Map<string, readonly NamedSpan[]>();
  const prose = {
    named: ({ text }: Told) => named.get(text) ?? [],
    quoted: remembered(({ text }: Told) => quotedFlags(text)),
  };
  let above: Told | undefined;
  for (const [index, { blockId, text: shown, type }] of chapter.blocks.entries()) {
    if (type === "scene_break") above = undefined;
    if (type !== undefined) continue;
    const text = shown.replaceAll("\n", " ");
    named.set(text, castNamesIn(text, cast, anchored.get(blockId) ?? []));
    const passage: Told = { text, above, speaker: () => speakerIn(index) };
    if (mayMean(prose, passage))
      for (const statement of statementsIn(prose, passage))
        add(found, cast, { blockId, text: shown }, statement);
    above = passage;
    yield;
  }
  for (const list of found.values())
    list.sort((one, other) => (one.blockId === other.blockId ? one.from - other.from : 0));
  return found;
}

/** False where nobody is named, here or in the paragraphs above that a pronoun looks back to. */
function mayMean({ named }: { named(passage: Told): readonly NamedSpan[] }, passage: Told): boolean {
  let one: Told | undefined = passage;
  for (let back = 0; one !== undefined && back <= ABOVE; back++, one = one.above)
    if (named(one).length > 0) return true;
  return false;
}

/** Who speaks in each paragraph; few are ever asked for. */
function speakersOf(
  chapter: ReadingChapter,
  cast: CastScan,
  mentions: readonly ReadingMention[],
): Map<number, Speaker> {
  const steps = learnAppearances(chapter, cast, mentions);
  for (let step = steps.next(); ; step = steps.next())
    if (step.done) return new Map(step.value.turns.map(({ block, speaker }) => [block, speaker]));
}

/** A paragraph, the one above it, and who speaks in it. */
interface Told {
  text: string;
  above: Told | undefined;
  speaker(): ReadingFact | undefined;
}

/** Notes the sentence of a statement, once for each trait and value. */
function add(
  found: Map<number, DescribingSentence[]>,
  { places }: CastScan,
  { blockId, text }: { blockId: string; text: string },
  { fact, attribute, value, from, to }: TraitStatement,
): void {
  const [start, end] = sentenceSpans(text).find(([, until]) => from < until) ?? [0, text.length];
  const place = places.get(fact.id);
  if (place === undefined) return;
  const list = found.get(place) ?? [];
  found.set(place, list);
  const highlight: [number, number] = [Math.max(0, from - start), Math.min(end, to) - start];
  const same = list.find(
    (one) => one.blockId === blockId && one.from === start && one.attribute === attribute,
  );
  if (same === undefined)
    list.push({
      attribute,
      value,
      blockId,
      from: start,
      to: end,
      text: text.slice(start, end),
      highlights: [highlight],
    });
  else if (same.highlights.every(([at]) => at !== highlight[0])) {
    same.highlights.push(highlight);
    same.value += `, ${value}`;
  }
}

function remembered<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const found = known.get(key) ?? { value: compute(key) };
    known.set(key, found);
    return found.value;
  };
}
