import { largest } from "../../../../text/extremes.ts";
import { groupBy } from "../../../../text/group-by.ts";
import { isSceneBreak } from "../blocks.ts";
import type { ShownParagraph } from "../changes.ts";
import { paragraphText, type WordBookmark } from "../paragraph.ts";
import { keyOfParagraph, type SentLeaf } from "./baseline.ts";

/** A hidden bookmark that names a leaf, with the places of its first and last paragraph in the document. */
export interface Claim {
  id: string;
  from: number;
  to: number;
}

/** Every leaf that the document was given, in all of its chapters. */
export type SentLeaves = ReadonlyMap<string, SentLeaf>;

// A text of up to so many characters could be any paragraph's, and identifies none.
const TELLING = 12;
const LEAST = 0.25;

/** Returns the claims of bookmarks whose paragraphs are left. `idOf` reads a bookmark's name. */
export function claimsOf(
  bookmarks: readonly WordBookmark[],
  paragraphs: readonly ShownParagraph[],
  idOf: (name: string) => string | undefined,
): Claim[] {
  const places = new Map(
    paragraphs.flatMap(({ sources }, at) => sources.map((source) => [source, at] as const)),
  );
  return bookmarks.flatMap(({ name, from, to }) => {
    const id = idOf(name);
    const first = places.get(from);
    if (id === undefined || first === undefined) return [];
    // The mark of a paragraph that was deleted as a whole says nothing of the one that it was joined to.
    if (from === to && paragraphs[first]?.gone.has(from)) return [];
    return [{ id, from: first, to: Math.max(first, places.get(to) ?? first) }];
  });
}

/**
 * Returns the leaf that each paragraph of a document continues. A mark that alone names a paragraph is trusted unless
 * the text is clearly another leaf's: a paste at a mark's edge ends up within it. Of several marks, or of one around
 * several paragraphs, the texts decide.
 */
export function identifyParagraphs(
  paragraphs: readonly ShownParagraph[],
  claims: readonly Claim[],
  sent: SentLeaves,
): (string | undefined)[] {
  const names = new Names(paragraphs.length);
  const likeness = wordLikeness();
  const texts = paragraphs.map(paragraphText);
  const known = claims.filter(({ id }) => sent.has(id));
  const counts = countClaims(known);
  const textOf = (id: string) => sent.get(id)?.text ?? "";
  const isTrusted = ({ id, from, to }: Claim) =>
    from === to &&
    counts.get(from) === 1 &&
    (textOf(id) === "" || !isAnothers(texts[from] ?? "", id, sent, likeness));
  const unsure = known.filter((claim) => !isTrusted(claim) || !names.give(claim.from, claim.id));
  const pairs = unsure.flatMap(({ id, from, to }) =>
    Array.from({ length: to - from + 1 }, (_, step) => {
      const at = from + step;
      return { id, at, likeness: likeness(textOf(id), texts[at] ?? "") + (step === 0 ? 0.05 : 0) };
    }),
  );
  const exact = groupBy(sent.values(), ({ keys }) => keys[0] ?? "");
  for (const pair of pairs.toSorted((one, other) => other.likeness - one.likeness)) {
    if (pair.likeness < LEAST) break;
    const own = exact.get(keyOfParagraph(paragraphs[pair.at]!)); // a claim's place
    if (own === undefined || own.some(({ id }) => id === pair.id)) names.give(pair.at, pair.id);
  }
  return names.ids;
}

/** Names of paragraphs, each leaf's id given at most once. */
class Names {
  readonly ids: (string | undefined)[];
  readonly taken: Set<string>;

  constructor(given: number | readonly (string | undefined)[]) {
    this.ids = typeof given === "number" ? new Array(given).fill(undefined) : [...given];
    this.taken = new Set(this.ids.filter((id) => id !== undefined));
  }

  /** Gives a paragraph an id unless one of them is given already; true if it now has it. */
  give(at: number, id: string | undefined): boolean {
    if (id === undefined || this.ids[at] !== undefined || this.taken.has(id)) return false;
    this.ids[at] = id;
    this.taken.add(id);
    return true;
  }
}

function countClaims(claims: readonly Claim[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { from, to } of claims)
    for (let at = from; at <= to; at++) counts.set(at, (counts.get(at) ?? 0) + 1);
  return counts;
}

function isAnothers(text: string, own: string, sent: SentLeaves, likeness: Likeness): boolean {
  const ownLikeness = likeness(sent.get(own)?.text ?? "", text);
  if (ownLikeness >= 0.5 || text.length <= TELLING) return false;
  const others = [...sent.values()].filter((leaf) => leaf.id !== own && leaf.text.length > TELLING);
  return largest(others.map((leaf) => likeness(leaf.text, text))) >= ownLikeness + LEAST;
}

/**
 * Gives unnamed paragraphs of a chapter the leaves that read exactly so and have none: those of unique texts, then
 * neighbours, then the rest in order. Google Docs renames all bookmarks.
 */
export function matchTexts(
  paragraphs: readonly ShownParagraph[],
  given: readonly (string | undefined)[],
  leaves: readonly SentLeaf[],
): (string | undefined)[] {
  const names = new Names(given);
  const keys = paragraphs.map(keyOfParagraph);
  const byKey = groupBy(
    leaves.flatMap(({ id, keys: own }) => own.map((key) => ({ key, id }))),
    ({ key }) => key,
  );
  const free = (key: string) => (byKey.get(key) ?? []).filter(({ id }) => !names.taken.has(id));
  const unnamed = groupBy(
    [...keys.keys()].filter((at) => names.ids[at] === undefined),
    (at) => keys[at] ?? "",
  );
  for (const [key, places] of unnamed) {
    const found = free(key);
    if (places.length === 1 && found.length === 1) names.give(places[0], found[0]?.id);
  }
  matchNeighbours(names, keys, leaves);
  for (const [at, key] of keys.entries()) names.give(at, free(key)[0]?.id);
  matchRewritten(names, paragraphs, leaves);
  return names.ids;
}

/** Gives a paragraph between two neighbours the one leaf that stood between these: it was written anew. */
function matchRewritten(
  names: Names,
  paragraphs: readonly ShownParagraph[],
  leaves: readonly SentLeaf[],
): void {
  const placeOf = new Map(leaves.map(({ id }, place) => [id, place]));
  const places = names.ids.map((id) => placeOf.get(id ?? ""));
  for (const [at, paragraph] of paragraphs.entries()) {
    if (names.ids[at] !== undefined || paragraph.level !== undefined || isSceneBreak(paragraph)) continue;
    const before = at === 0 ? -1 : places[at - 1];
    const behind = at === places.length - 1 ? leaves.length : places[at + 1];
    const leaf = before === undefined ? undefined : leaves[before + 1];
    if (leaf?.type === "paragraph" && behind === (before ?? 0) + 2) names.give(at, leaf.id);
  }
}

/** Gives paragraphs the leaf behind that of the paragraph before them, then the one before that of the one behind. */
function matchNeighbours(names: Names, keys: readonly string[], leaves: readonly SentLeaf[]): void {
  const placeOf = new Map(leaves.map(({ id }, place) => [id, place]));
  for (const step of [1, -1]) {
    const order = step > 0 ? [...keys.keys()] : [...keys.keys()].reverse();
    let before: number | undefined = step > 0 ? -1 : leaves.length;
    for (const at of order) {
      const leaf: SentLeaf | undefined = before === undefined ? undefined : leaves[before + step];
      if (leaf?.keys.includes(keys[at] ?? "")) names.give(at, leaf.id);
      before = placeOf.get(names.ids[at] ?? "");
    }
  }
}

/** Share of the words that two texts have in common, 0 to 1. */
export type Likeness = (one: string, other: string) => number;

/** Returns a measure of likeness that reads each text once. */
export function wordLikeness(): Likeness {
  const known = new Map<string, { words: Map<string, number>; count: number }>();
  const read = (text: string) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const words = new Map<string, number>();
    const all = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    for (const word of all) words.set(word, (words.get(word) ?? 0) + 1);
    const made = { words, count: all.length };
    known.set(text, made);
    return made;
  };
  return (one, other) => {
    const [first, second] = [read(one), read(other)];
    const total = first.count + second.count;
    if (total === 0) return one.trim() === other.trim() ? 1 : 0;
    let common = 0;
    for (const [word, count] of first.words) common += Math.min(count, second.words.get(word) ?? 0);
    return (2 * common) / total;
  };
}
