import type { Gap, Pairs } from "./pairs.ts";
import { countSharedWords, type Signature, wordSimilarity } from "./similarity.ts";

/** An old and a new paragraph that may be the same. */
export interface LikelyPair {
  oldAt: number;
  newAt: number;
  /** Likeness; 0 for a pair that only shares its form. */
  score: number;
  /** True if both are in one gap. */
  isNear: boolean;
}

/** Average gain in words that crossing pairs of a chain need over pairs in order. */
const LEAST_GAIN = 0.5;

/** Share of words, or of letters where words are not spaced, that paragraphs of one form have in common. */
const HALF = 0.5;
const THIRD = 0.3;

/** Words, and their share of all, by which a twin may keep less of a paragraph than its successor. */
const FEW_WORDS = 3;
const FEW = 0.1;

/** Ratio of lengths: two paragraphs that together are no longer than this are parts of the one. */
const PARTS = 1.5;

/** Distance from a paragraph in which its twins are looked for. */
const REACH = 8;

/** Connected pairs: those that were chosen, and those in order that contest them. */
interface Chain {
  crossing: LikelyPair[];
  inOrder: LikelyPair[];
}

/**
 * Corrects `chosen`, the likeliest of the candidates, where order may decide. Neighbours that differ only in a name
 * or a price are equally alike before and after it is changed, and letters decide by accident. So if equally many
 * paragraphs are left on both sides, in a gap or among similar ones in it, each continues the one in its place,
 * unless the chosen pairs keep more of their words, numbers not counted. Pairs that would cross are judged together:
 * in a true swap both keep more, by accident only one. A text that is unlike the one in its place is left to
 * likeness. If the numbers differ, nothing tells which one came or went: a paragraph with a twin next to it is then
 * new. O(candidates).
 */
export function keepOrder(
  pairs: Pairs,
  gaps: readonly Gap[],
  candidates: readonly LikelyPair[],
  chosen: readonly LikelyPair[],
): LikelyPair[] {
  const likely = candidates.filter(({ isNear }) => isNear);
  const partners = findPartners(gaps, new Groups(likely));
  const inOrder = likely.filter(({ oldAt, newAt }) => partners.get(newAt) === oldAt);
  const decided = findChains(chosen, inOrder).flatMap((chain) =>
    isWorthCrossing(pairs, chain) ? chain.crossing : chain.inOrder,
  );
  return decided.filter((pair) => (pair.isNear && partners.has(pair.newAt)) || !hasTwin(pairs, pair));
}

/** True if a paragraph next to either one of a pair might as well be in its place. */
function hasTwin({ old, next, to, from }: Pairs, { oldAt, newAt }: LikelyPair): boolean {
  const [was, is] = [old.signature(oldAt), next.signature(newAt)];
  const least = countSharedWords(was, is) - Math.max(FEW_WORDS, FEW * was.tellingWords.length);
  const isTwin = (other: Signature, own: Signature, across: Signature) =>
    sharesForm(other, own) &&
    countSharedWords(other, across) > least &&
    own.tellingWords.length + other.tellingWords.length > PARTS * across.tellingWords.length;
  return (
    around(oldAt, to.length).some((at) => isTwin(old.signature(at), was, is)) ||
    around(newAt, from.length).some((at) => isTwin(next.signature(at), is, was))
  );
}

/** True if two paragraphs share so much that perhaps only a name tells them apart. */
export function sharesForm(one: Signature, other: Signature): boolean {
  return wordSimilarity(one, other) >= (one.isSpaced && other.isSpaced ? HALF : THIRD);
}

/** Returns the neighbouring indexes. */
function around(at: number, length: number): number[] {
  const start = Math.max(0, at - REACH);
  const count = Math.min(length, at + REACH + 1) - start;
  return Array.from({ length: count }, (_, step) => start + step).filter((place) => place !== at);
}

/**
 * Returns the old paragraph at the place of each new one, in families that kept their size, and for the rest in gaps
 * that did.
 */
function findPartners(gaps: readonly Gap[], families: Groups): Map<number, number> {
  const partners = new Map<number, number>();
  const pair = ({ olds, news }: Gap): void => {
    for (const [at, newAt] of news.entries()) partners.set(newAt, olds[at]!); // as many
  };
  const isEven = ({ olds, news }: Gap) => olds.length === news.length;
  for (const gap of gaps) if (isEven(gap)) pair(gap);
  const members = new Map<number, Gap>();
  const membersOf = (family: number): Gap => {
    const found = members.get(family) ?? { olds: [], news: [] };
    members.set(family, found);
    return found;
  };
  for (const { olds, news } of gaps) {
    for (const at of olds) membersOf(families.ofOld(at)).olds.push(at);
    for (const at of news) membersOf(families.ofNew(at)).news.push(at);
  }
  for (const family of members.values()) {
    if (isEven(family)) pair(family);
    else for (const at of family.news) partners.delete(at);
  }
  return partners;
}

function findChains(chosen: readonly LikelyPair[], inOrder: readonly LikelyPair[]): Chain[] {
  const groups = new Groups([...chosen, ...inOrder]);
  const chains = new Map<number, Chain>();
  const chainOf = ({ oldAt }: LikelyPair): Chain => {
    const group = groups.ofOld(oldAt);
    const found = chains.get(group) ?? { crossing: [], inOrder: [] };
    chains.set(group, found);
    return found;
  };
  for (const candidate of chosen) chainOf(candidate).crossing.push(candidate);
  for (const candidate of inOrder) chainOf(candidate).inOrder.push(candidate);
  return [...chains.values()].filter(({ crossing }) => crossing.length > 0);
}

/** True if each crossing pair gains enough over the one or two pairs in order that it contests. */
function isWorthCrossing(pairs: Pairs, { crossing, inOrder }: Chain): boolean {
  if (inOrder.length === 0) return true;
  const count = ({ oldAt, newAt }: LikelyPair): number =>
    countSharedWords(pairs.old.signature(oldAt), pairs.next.signature(newAt));
  const byOld = new Map(inOrder.map((pair) => [pair.oldAt, count(pair)]));
  const byNew = new Map(inOrder.map((pair) => [pair.newAt, count(pair)]));
  let gain = 0;
  for (const pair of crossing) {
    const ofOld = byOld.get(pair.oldAt) ?? byNew.get(pair.newAt) ?? 0; // in a chain with pairs in order one is there
    const ofNew = byNew.get(pair.newAt) ?? ofOld;
    gain += count(pair) - (ofOld + ofNew) / 2;
  }
  return gain > LEAST_GAIN * crossing.length;
}

/** Paragraphs linked by pairs, directly or through others. Each group has a number. */
class Groups {
  readonly #parents = new Map<number, number>();

  constructor(pairs: readonly LikelyPair[]) {
    for (const { oldAt, newAt } of pairs) this.#parents.set(this.ofOld(oldAt), this.ofNew(newAt));
  }

  ofOld(at: number): number {
    return this.#find(at);
  }

  ofNew(at: number): number {
    return this.#find(-1 - at); // below 0, where no old one is
  }

  #find(member: number): number {
    let root = member;
    for (let parent = this.#parents.get(root); parent !== undefined && parent !== root; ) {
      root = parent;
      parent = this.#parents.get(root);
    }
    for (let at = member; at !== root; ) {
      const parent = this.#parents.get(at)!; // it led to the root
      this.#parents.set(at, root);
      at = parent;
    }
    return root;
  }
}
