import type { CastWords } from "./cast-words.ts";
import type { ReadingChapter, ReadingMention, Span } from "./reading.ts";
import { AROUND, GOES_ON, type Hint, type PassageAttribute } from "./reports/passages/hints.ts";
import { Recent, Subjects } from "./reports/passages/subjects.ts";
import { sentenceSpans } from "./sentences.ts";
import { isHonorific } from "./word-lists.ts";

/** A sentence that describes somebody; `highlights` are stretches of its text. */
export interface DescribingSentence extends Span {
  attribute: PassageAttribute;
  highlights: [number, number][];
}

/** The describing sentences of a chapter in reading order, by the place of their fact in the cast. */
export type DescribedFacts = ReadonlyMap<number, readonly DescribingSentence[]>;

type Sentence = readonly [from: number, to: number];

interface Stretch {
  from: number;
  to: number;
}

/** The describing sentences of one chapter. */
class Found {
  readonly facts = new Map<number, DescribingSentence[]>();
  /** Titles that were noted: each stands at every second name. */
  readonly #titles = new Set<string>();

  isNewTitle(fact: number, title: string): boolean {
    const { size } = this.#titles;
    return this.#titles.add(`${fact} ${title}`).size > size;
  }

  add(
    facts: readonly number[],
    attribute: PassageAttribute,
    { blockId, text }: { blockId: string; text: string },
    { sentence: [from, to], at }: { sentence: Sentence; at: readonly [number, number] },
  ): void {
    for (const fact of facts) {
      const list = this.facts.get(fact) ?? [];
      this.facts.set(fact, list);
      const same = sameSentence(list, blockId, from).find((one) => one.attribute === attribute);
      const highlight: [number, number] = [at[0] - from, at[1] - from];
      if (same === undefined)
        list.push({ attribute, blockId, from, to, text: text.slice(from, to), highlights: [highlight] });
      else if (same.highlights.every(([start]) => start !== highlight[0])) same.highlights.push(highlight);
    }
  }
}

/** Finds the latest entry of one sentence: the end of a list in reading order. */
function sameSentence(list: readonly DescribingSentence[], blockId: string, from: number) {
  let start = list.length;
  while (list[start - 1]?.blockId === blockId && list[start - 1]?.from === from) start--;
  return list.slice(start);
}

/**
 * Finds the sentences of a chapter that describe somebody or something of the cast: a word that describes, and a name, a
 * pronoun or the sentence before that says of whom it is. It yields after every paragraph.
 */
export function* learnPassages(
  { blocks }: ReadingChapter,
  cast: CastWords,
  mentions: readonly ReadingMention[],
): Generator<void, DescribedFacts> {
  const found = new Found();
  const recent = new Recent();
  const places = new Map(cast.members.map(({ id }, place) => [id, place]));
  const anchored = new Map<string, (ReadingMention & { fact: number })[]>();
  for (const mention of mentions) {
    const fact = places.get(mention.factId);
    if (fact === undefined) continue;
    const there = anchored.get(mention.blockId);
    if (there === undefined) anchored.set(mention.blockId, [{ ...mention, fact }]);
    else there.push({ ...mention, fact });
  }
  for (const block of blocks) {
    if (block.type === "scene_break") recent.clear();
    if (block.type !== undefined) continue;
    const subjects = new Subjects(block.text, cast, {
      mentions: anchored.get(block.blockId) ?? [],
      recent: recent.facts,
    });
    if (subjects.isOfCast) describe(block, subjects, { cast, found });
    recent.pass(subjects.persons);
    yield;
  }
  return found.facts;
}

function describe(
  block: { blockId: string; text: string },
  subjects: Subjects,
  { cast, found }: { cast: CastWords; found: Found },
): void {
  const { text, hits } = subjects;
  const telling = hits.filter(
    ({ from, value }) => value.hints.length > 0 && (value.called !== undefined || !subjects.isInName(from)),
  );
  const passed: Sentence[] = [];
  const carried = carrier(subjects, passed);
  let next = 0;
  let before: { attribute: PassageAttribute; facts: readonly number[] } | undefined;
  for (const sentence of sentenceSpans(text)) {
    const [from, to] = sentence;
    let last: typeof before;
    // Below its length there is one.
    for (; next < telling.length && telling[next]!.from < to; next++) {
      const hit = telling[next]!; // as above
      for (const hint of hit.value.hints) {
        if (!tells(hint, subjects, hit, sentence)) continue;
        const facts = ownersOf(subjects, hint, { at: hit.from, sentence, carried });
        found.add(facts, hint.attribute, block, { sentence, at: [hit.from, hit.to] });
        if (facts.length > 0 && hint.of === "person") last = { attribute: hint.attribute, facts };
      }
    }
    if (last === undefined && before !== undefined && GOES_ON.test(text.slice(from, to)))
      found.add(before.facts, before.attribute, block, { sentence, at: sentence });
    before = last ?? before;
    noteNames(block, subjects, { sentence, cast, found, carried });
    passed.push(sentence);
  }
}

/** Returns who is carried on from the sentences passed: of whom the last of them was that names or means anybody. */
function carrier(subjects: Subjects, passed: readonly Sentence[]): () => readonly number[] {
  let known = 0;
  let carried: readonly number[] = [];
  return () => {
    for (let at = passed.length - 1; at >= known; at--) {
      const sentence = passed[at];
      const topic = sentence === undefined ? [] : subjects.topicOf(sentence);
      if (topic.length === 0) continue;
      carried = topic;
      break;
    }
    known = passed.length;
    return carried;
  };
}

const MAY_BE_NAMES: ReadonlySet<PassageAttribute> = new Set([
  "eyes",
  "hair",
  "looks",
  "body",
  "age",
  "death",
]);

/** True for a capital within a sentence: "Mrs. Long", "the White Company" tell nothing of anybody's looks. */
function isPartOfName(text: string, { from, to }: Stretch, { attribute }: Hint, start: number): boolean {
  if (!MAY_BE_NAMES.has(attribute) || !/^\p{Lu}\p{Ll}/u.test(text.slice(from, to))) return false;
  return /[\p{L}.,] $/u.test(text.slice(Math.max(start, from - 2), from));
}

/** True if a word that may describe does so where it stands. */
function tells(hint: Hint, { text, hasThings }: Subjects, hit: Stretch, sentence: Sentence): boolean {
  if (hint.of === "thing" && !hasThings) return false;
  const { before, after, unless } = hint;
  const [start, end] = sentence;
  const right = text.slice(hit.to, Math.min(end, hit.to + AROUND));
  if (isPartOfName(text, hit, hint, start) || unless?.test(right) === true) return false;
  if (before === undefined && after === undefined) return true;
  return (
    before?.test(text.slice(Math.max(start, hit.from - AROUND), hit.from)) === true ||
    after?.test(right) === true
  );
}

function ownersOf(
  subjects: Subjects,
  { of }: { of: "person" | "thing" },
  { at, sentence, carried }: { at: number; sentence: Sentence; carried: () => readonly number[] },
): readonly number[] {
  return of === "thing" ? subjects.thingsAt(at, sentence) : subjects.personsAt(at, sentence, carried);
}

/** Titles before names, once a chapter each, and persons who are at a place of the cast. */
function noteNames(
  block: { blockId: string; text: string },
  subjects: Subjects,
  {
    sentence,
    cast: { members },
    found,
    carried,
  }: { sentence: Sentence; cast: CastWords; found: Found; carried: () => readonly number[] },
): void {
  const { text, named } = subjects;
  for (const { from, to, facts } of named) {
    if (from >= sentence[1]) break;
    if (from < sentence[0] || to > sentence[1]) continue;
    const left = text.slice(Math.max(sentence[0], from - 16), from);
    const persons = facts.filter((fact) => members[fact]?.isPerson);
    const title = titleOf(left, text.slice(from, to));
    const titled = title === undefined ? [] : persons.filter((fact) => found.isNewTitle(fact, title.word));
    if (title !== undefined)
      found.add(titled, "title", block, {
        sentence,
        at: [from - title.before, from - title.before + title.word.length],
      });
    if (
      persons.length === 0 &&
      /\b(?:in|at|to|from|into|near|through|for|left|reached)(?: the)? $/i.test(left)
    )
      found.add(subjects.personsAt(from, sentence, carried), "place", block, { sentence, at: [from, to] });
  }
}

/** The title before a name or in it, and how far before the name it begins. */
function titleOf(left: string, name: string): { word: string; before: number } | undefined {
  const before = left.endsWith(" ")
    ? /(\p{Lu}\p{L}+)\.? $/u.exec(left.slice(left.lastIndexOf(" ", left.length - 2) + 1))
    : null;
  if (before?.[1] !== undefined && isHonorific(before[1].toLowerCase()))
    return { word: before[1], before: before[0].length };
  const within = /^(\p{Lu}\p{L}+)\.? /u.exec(name)?.[1];
  return within !== undefined && isHonorific(within.toLowerCase()) ? { word: within, before: 0 } : undefined;
}
