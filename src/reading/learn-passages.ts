import { groupBy } from "../text/group-by.ts";
import type { NamedSpan } from "./cast-names.ts";
import { type CastScan, castNamesIn } from "./cast-scan.ts";
import { ABOVE, type Paragraph, type ReadProse } from "./owners.ts";
import type { ReadingChapter, ReadingMention, Span } from "./reading.ts";
import { quotedFlags, sentenceSpans } from "./sentences.ts";
import { statementsIn, type TraitStatement } from "./statements.ts";

type Sentence = readonly [from: number, to: number];

/** A sentence that states a trait of somebody; `highlights` are stretches of its text. */
export interface DescribingSentence extends Span, Pick<TraitStatement, "attribute" | "values"> {
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
  const seen = new WeakMap<Paragraph, { named: NamedSpan[]; isQuoted: Uint8Array }>();
  const prose: ReadProse = {
    named: (paragraph) => seen.get(paragraph)?.named ?? [],
    quoted: (paragraph) => seen.get(paragraph)?.isQuoted ?? new Uint8Array(),
  };
  let above: Paragraph | undefined;
  for (const { blockId, text: shown, type } of chapter.blocks) {
    if (type === "scene_break") above = undefined;
    if (type !== undefined) continue;
    const text = shown.replaceAll("\n", " ");
    const paragraph: Paragraph = { text, above };
    seen.set(paragraph, {
      named: castNamesIn(text, cast, anchored.get(blockId) ?? []),
      isQuoted: quotedFlags(text),
    });
    if (mayMean(prose, paragraph)) {
      const sentences = sentenceSpans(shown);
      for (const statement of statementsIn(prose, paragraph, sentences))
        add(found, cast, { blockId, text: shown, sentences }, statement);
    }
    above = paragraph;
    yield;
  }
  for (const list of found.values())
    list.sort((one, other) => (one.blockId === other.blockId ? one.from - other.from : 0));
  return found;
}

/** False where nobody is named, here or in the paragraphs above that a pronoun looks back to. */
function mayMean(prose: ReadProse, paragraph: Paragraph): boolean {
  let one: Paragraph | undefined = paragraph;
  for (let back = 0; one !== undefined && back <= ABOVE; back++, one = one.above)
    if (prose.named(one).length > 0) return true;
  return false;
}

/** Notes the sentence of a statement, once for each trait and value. */
function add(
  found: Map<number, DescribingSentence[]>,
  { places }: CastScan,
  { blockId, text, sentences }: { blockId: string; text: string; sentences: readonly Sentence[] },
  { fact, attribute, values, from, to }: TraitStatement,
): void {
  const [start, end] = sentences.find(([, until]) => from < until) ?? [0, text.length];
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
      values,
      blockId,
      from: start,
      to: end,
      text: text.slice(start, end),
      highlights: [highlight],
    });
  else if (same.highlights.every(([at]) => at !== highlight[0])) {
    same.highlights.push(highlight);
    same.values = [...new Set([...same.values, ...values])];
  }
}
