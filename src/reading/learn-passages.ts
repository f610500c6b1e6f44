import { groupBy } from "../text/group-by.ts";
import type { NamedSpan } from "./cast-names.ts";
import { type CastScan, castNamesIn } from "./cast-scan.ts";
import { type ChapterAppearances, learnAppearances } from "./learn-appearances.ts";
import { ABOVE, type ReadProse } from "./owners.ts";
import { finish, type ReadingChapter, type ReadingFact, type ReadingMention, type Span } from "./reading.ts";
import type { PassageAttribute } from "./reports/statements/rules.ts";
import { statementsIn, type TraitStatement } from "./reports/statements/statements.ts";
import { quotedFlags, sentenceSpans } from "./sentences.ts";

type Sentence = readonly [from: number, to: number];
type Speaker = ChapterAppearances["turns"][number]["speaker"];

/** A sentence that states a trait of somebody; `highlights` are stretches of its text. */
export interface DescribingSentence extends Span {
  attribute: PassageAttribute;
  /** Key of the statement: two that say the same have one. */
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
  let above: Told | undefined;
  for (const [index, { blockId, text: shown, type }] of chapter.blocks.entries()) {
    if (type === "scene_break") above = undefined;
    if (type !== undefined) continue;
    const text = shown.replaceAll("\n", " ");
    const named = castNamesIn(text, cast, anchored.get(blockId) ?? []);
    const passage: Told = {
      text,
      named,
      isQuoted: quotedFlags(text),
      above,
      speaker: () => speakerIn(index),
    };
    if (mayMean(passage)) {
      const sentences = sentenceSpans(shown);
      for (const statement of statementsIn(PROSE, passage, sentences))
        add(found, cast, { blockId, text: shown, sentences }, statement);
    }
    above = passage;
    yield;
  }
  for (const list of found.values())
    list.sort((one, other) => (one.blockId === other.blockId ? one.from - other.from : 0));
  return found;
}

const PROSE: ReadProse<Told> = { named: ({ named }) => named, quoted: ({ isQuoted }) => isQuoted };

/** False where nobody is named, here or in the paragraphs above that a pronoun looks back to. */
function mayMean(passage: Told): boolean {
  let one: Told | undefined = passage;
  for (let back = 0; one !== undefined && back <= ABOVE; back++, one = one.above)
    if (one.named.length > 0) return true;
  return false;
}

/** Who speaks in each paragraph; few are ever asked for. */
function speakersOf(
  chapter: ReadingChapter,
  cast: CastScan,
  mentions: readonly ReadingMention[],
): Map<number, Speaker> {
  const { turns } = finish(learnAppearances(chapter, cast, mentions));
  return new Map(turns.map(({ block, speaker }) => [block, speaker]));
}

/** A paragraph as statements are read in it, the one above it, and who speaks in it. */
interface Told {
  text: string;
  named: readonly NamedSpan[];
  isQuoted: Uint8Array;
  above: Told | undefined;
  speaker(): ReadingFact | undefined;
}

/** Notes the sentence of a statement, once for each trait and value. */
function add(
  found: Map<number, DescribingSentence[]>,
  { places }: CastScan,
  { blockId, text, sentences }: { blockId: string; text: string; sentences: readonly Sentence[] },
  { fact, attribute, value, from, to }: TraitStatement,
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
