import { identify, pairAlike } from "../../../../prose/assign-ids.ts";
import { groupBy } from "../../../../text/group-by.ts";
import { CODE, isSceneBreak } from "../blocks.ts";
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
  const ids = new Array<string | undefined>(paragraphs.length).fill(undefined);
  const taken = new Set<string>();
  const give = (at: number, id: string): boolean => {
    if (ids[at] !== undefined || taken.has(id)) return false;
    ids[at] = id;
    taken.add(id);
    return true;
  };
  const likeness = wordLikeness();
  const texts = paragraphs.map(paragraphText);
  const known = claims.filter(({ id }) => sent.has(id));
  const counts = countClaims(known);
  const textOf = (id: string) => sent.get(id)?.text ?? "";
  const isAnothers = rivals(texts, [...sent.values()]);
  const isTrusted = ({ id, from, to }: Claim) =>
    from === to && counts.get(from) === 1 && (textOf(id) === "" || !isAnothers(from, id));
  const unsure = known.filter((claim) => !isTrusted(claim) || !give(claim.from, claim.id));
  const pairs = unsure.flatMap(({ id, from, to }) =>
    Array.from({ length: to - from + 1 }, (_, step) => {
      const at = from + step;
      return { id, at, likeness: likeness(textOf(id), texts[at] ?? "") + (step === 0 ? 0.05 : 0) };
    }),
  );
  const exact = groupBy(sent.values(), ({ keys }) => keys[0] ?? "");
  for (const pair of pairs.toSorted((one, other) => other.likeness - one.likeness)) {
    if (pair.likeness < LEAST) break;
    if (isAnothers(pair.at, pair.id)) continue;
    const own = exact.get(keyOfParagraph(paragraphs[pair.at]!)); // a claim's place
    if (own === undefined || own.some(({ id }) => id === pair.id)) give(pair.at, pair.id);
  }
  return ids;
}

/** Returns a function that says whether the text at a place is clearly that of another leaf than the given one. */
function rivals(texts: readonly string[], leaves: readonly SentLeaf[]): (at: number, id: string) => boolean {
  const shown = texts.map((text) => ({ type: "", text }));
  const all = { olds: new Set(leaves.keys()), news: new Set(texts.keys()) };
  const alike = new Map(pairAlike(leaves, shown, all).map(([leaf, at]) => [at, leaves[leaf]?.id]));
  return (at, id) => (alike.get(at) ?? id) !== id;
}

function countClaims(claims: readonly Claim[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { from, to } of claims)
    for (let at = from; at <= to; at++) counts.set(at, (counts.get(at) ?? 0) + 1);
  return counts;
}

/**
 * Gives unnamed paragraphs of a chapter the leaves that they continue by their texts, as in every other write: Google
 * Docs renames all bookmarks.
 */
export function matchTexts(
  paragraphs: readonly ShownParagraph[],
  given: readonly (string | undefined)[],
  leaves: readonly SentLeaf[],
): (string | undefined)[] {
  const keys = paragraphs.map(keyOfParagraph);
  const present = new Set(keys);
  const textOf = (own: readonly string[]) => own.find((key) => present.has(key)) ?? own[0] ?? "";
  const old = leaves.map((leaf) => ({ node: leaf, text: textOf(leaf.keys), breaks: [], blockId: leaf.id }));
  const next = paragraphs.map((paragraph, at) => ({
    node: { type: typeOf(paragraph) },
    text: keys[at]!, // one a paragraph
    breaks: [],
    blockId: given[at] ?? null,
  }));
  const former = new Set(given.filter((id) => id !== undefined));
  const known = { foreign: new Set<string>(), former, anchored: new Set<string>(), mint: () => "" };
  return identify(old, next, known).ids.map((id) => (id === "" ? undefined : id));
}

function typeOf(paragraph: ShownParagraph): SentLeaf["type"] {
  if (isSceneBreak(paragraph)) return "scene_break";
  if (CODE.test(paragraph.style)) return "code";
  return paragraph.level === undefined ? "paragraph" : "heading";
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
