import { groupBy } from "../../text/group-by.ts";
import { findGaps, type Gap, type Pairs, ParagraphList, type ParagraphText } from "./pairs.ts";
import {
  chanceSimilarity,
  containment,
  isAtAnEnd,
  mostSimilarity,
  Signature,
  similarity,
  wordSimilarity,
} from "./similarity.ts";
import { keepOrder, type LikelyPair, sharesForm } from "./twins.ts";

/** Comparisons left to the similarity passes together. Comparing two texts costs one. */
export interface Budget {
  comparisons: number;
}

/** Share of common words that is certain, if nothing in reach comes within `MARGIN` of it. */
const SURE = 0.75;
const MARGIN = 0.2;
const SURE_REACH = 3;

/** Likeness required away from a paragraph's place, and for a line of a few words. */
const FAR = 0.5;
const FAR_BRIEF = 0.6;
const BRIEF_LENGTH = 24;

/** Distance to either side of its place in which a paragraph is looked for. */
const LIKELY_REACH = 8;

/** Bonus for being in place, among rivals. */
const IN_PLACE = 0.05;

/** Score of a text that is part of the other: below every likeness. */
const GROWN = 0.25;

/** Letters from which on a text found whole inside another is no coincidence. */
const TELLING_LENGTH = 12;

/**
 * Longest ratio of two texts in which one is looked for in the other. In a longer text any few letters are found
 * somewhere.
 */
const MOST_GROWTH = 16;

/**
 * Links free paragraphs of one gap that share three words in four and have no rival. These light edits narrow the
 * gaps before doubtful ones are compared. Costs a third of the budget at most.
 */
export function pairSure(pairs: Pairs, budget: Budget): void {
  const gaps = findGaps(pairs);
  const reach = reachOf(gaps, budget.comparisons / 3, SURE_REACH);
  if (reach < 1) return; // no rival would be seen
  const candidates: LikelyPair[] = [];
  for (const { newAt, olds } of gaps.flatMap((gap) => inReach(gap, reach))) {
    for (const oldAt of olds) {
      budget.comparisons--;
      const old = pairs.old.signature(oldAt);
      const next = pairs.next.signature(newAt);
      const score = mostSimilarity(old, next) > SURE - MARGIN ? wordSimilarity(old, next) : 0;
      if (score > SURE - MARGIN) candidates.push({ oldAt, newAt, score, isNear: true });
    }
  }
  for (const { oldAt, newAt, score } of withoutRivals(candidates))
    if (score >= SURE) pairs.link(oldAt, newAt);
}

/**
 * Links free paragraphs by likeness, the most alike first: within a gap from `chanceSimilarity` on or if one text
 * holds the other, elsewhere from 0.5. Of twins the one in its place is linked, see `keepOrder`. Rivals are the
 * paragraphs near its place and those that share its rare words.
 */
export function pairLikely(pairs: Pairs, budget: Budget): void {
  const gaps = findGaps(pairs);
  const newCount = gaps.reduce((sum, gap) => sum + gap.news.length, 0);
  const reach = reachOf(gaps, budget.comparisons - MOST_FOUND * newCount, LIKELY_REACH);
  const rareWords = indexRareWords(
    pairs.old,
    gaps.flatMap((gap) => gap.olds),
  );
  const candidates: LikelyPair[] = [];
  for (const gap of gaps) {
    const inGap = new Set(gap.olds);
    const isOnly = gap.olds.length === 1 && gap.news.length === 1;
    for (const { newAt, olds } of inReach(gap, reach)) {
      const next = pairs.next.signature(newAt);
      for (const oldAt of new Set([...olds, ...findByRareWords(rareWords, next).map(([at]) => at)])) {
        if (budget.comparisons-- <= 0) break;
        const old = pairs.old.signature(oldAt);
        const isNear = inGap.has(oldAt);
        const score = isNear ? scoreNear(old, next, isOnly) : scoreFar(old, next);
        if (score > 0 || (isNear && sharesForm(old, next))) candidates.push({ oldAt, newAt, score, isNear });
      }
    }
  }
  const chosen = chooseLikeliest(
    rank(
      pairs,
      candidates.filter(({ score }) => score > 0),
    ),
  );
  for (const { oldAt, newAt } of keepOrder(pairs, gaps, candidates, chosen)) pairs.link(oldAt, newAt);
}

/** Returns the first pair of each old and each new paragraph. */
function chooseLikeliest(ranked: readonly LikelyPair[]): LikelyPair[] {
  const olds = new Set<number>();
  const news = new Set<number>();
  return ranked.filter(({ oldAt, newAt }) => {
    if (olds.has(oldAt) || news.has(newAt)) return false;
    olds.add(oldAt);
    news.add(newAt);
    return true;
  });
}

/** Returns the distance in which a paragraph is looked for, so that all get an equal share of the comparisons. */
function reachOf(gaps: readonly Gap[], comparisons: number, most: number): number {
  const newCount = gaps.reduce((sum, gap) => sum + (gap.olds.length > 0 ? gap.news.length : 0), 0);
  return Math.max(0, Math.min(most, Math.floor((comparisons / Math.max(1, newCount) - 1) / 2)));
}

/**
 * Returns, for each new paragraph of the gap, the old ones near its place if one side is stretched to fit the other.
 */
function inReach(gap: Gap, reach: number): { newAt: number; olds: readonly number[] }[] {
  return gap.news.map((newAt, order) => {
    const centre = Math.round((order * gap.olds.length) / gap.news.length);
    return { newAt, olds: gap.olds.slice(Math.max(0, centre - reach), centre + reach + 1) };
  });
}

/** Returns the candidates that beat all others of their old and of their new paragraph by `MARGIN`. */
function withoutRivals(candidates: readonly LikelyPair[]): LikelyPair[] {
  const byOld = groupBy(candidates, (candidate) => candidate.oldAt);
  const byNew = groupBy(candidates, (candidate) => candidate.newAt);
  return candidates.filter((candidate) => {
    const rivals = [...byOld.get(candidate.oldAt)!, ...byNew.get(candidate.newAt)!]; // each is in its own groups
    return rivals.every((rival) => rival === candidate || rival.score <= candidate.score - MARGIN);
  });
}

function scoreNear(old: Signature, next: Signature, isOnly: boolean): number {
  const atLeast = chanceSimilarity(old, next);
  const most = mostSimilarity(old, next);
  const alike = most < atLeast ? most : similarity(old, next);
  if (alike >= atLeast) return alike + IN_PLACE;
  return alike >= 0.8 * most && hasGrown(old, next, isOnly) ? GROWN : 0; // alike / most is what the longer one holds
}

function scoreFar(old: Signature, next: Signature): number {
  const isBrief = Math.min(old.folded.length, next.folded.length) < BRIEF_LENGTH;
  const atLeast = isBrief ? FAR_BRIEF : FAR;
  const alike = mostSimilarity(old, next) < atLeast ? 0 : similarity(old, next);
  return alike >= atLeast ? alike : 0;
}

/** True if one is the other with something added; "Yes." only if nothing else stands in the gap. */
function hasGrown(old: Signature, next: Signature, isOnly: boolean): boolean {
  const [shorter, longer] = old.folded.length < next.folded.length ? [old, next] : [next, old];
  const isTelling = shorter.folded.length >= TELLING_LENGTH;
  if (!isTelling && !isOnly) return false;
  if (isAtAnEnd(shorter, longer)) return true;
  return (
    isTelling &&
    longer.folded.length < MOST_GROWTH * shorter.folded.length &&
    containment(shorter, longer) >= 0.9
  );
}

function rank(pairs: Pairs, candidates: LikelyPair[]): LikelyPair[] {
  const anchors = ({ oldAt }: LikelyPair): number => Number(pairs.old.isAnchored(oldAt));
  return candidates.sort(
    (a, b) => b.score - a.score || anchors(b) - anchors(a) || a.oldAt - b.oldAt || a.newAt - b.newAt,
  );
}

/** Old paragraphs by their rare words; the key is the word's number in `Signature.words`. */
type RareWords = ReadonlyMap<number, readonly number[]>;

/** Limit of paragraphs that `findByRareWords` returns. */
const MOST_FOUND = 3;

/** A word that more paragraphs have than this tells nothing about where one of them went. */
const RARE = 16;

/** A line of fewer words is not looked for far away. */
const FEWEST_WORDS = 4;

/** Indexes paragraphs by each of their words. O(words). */
function indexRareWords(list: ParagraphList, places: readonly number[]): RareWords {
  const index = new Map<number, number[]>();
  for (const at of places) {
    for (const word of distinct(list.signature(at).words)) {
      const having = index.get(word);
      if (having === undefined) index.set(word, [at]);
      else if (having.length <= RARE) having.push(at); // one more than is rare, and no longer
    }
  }
  return index;
}

/**
 * Finds the paragraphs that share most with the text, with weights: a word in two of them counts a half for each.
 * Best first.
 */
function findByRareWords(index: RareWords, { words }: Signature): [at: number, weight: number][] {
  const weights = new Map<number, number>();
  for (const word of distinct(words)) {
    const having = index.get(word) ?? [];
    if (having.length > RARE) continue;
    for (const at of having) weights.set(at, (weights.get(at) ?? 0) + 1 / having.length);
  }
  const ranked = [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return ranked.slice(0, MOST_FOUND);
}

/** Returns how alike two texts are; 0 if they are too different for one to be the other, wherever it stands. */
export function likenessOf(one: string, other: string): number {
  return scoreFar(new Signature(one), new Signature(other));
}

/** Lead over a similar paragraph that decides: one word of its own. */
const LEAST_LEAD = 0.5;

/**
 * Pairs paragraphs by likeness alone, at any distance. Each must share most with the other among all, and by a word
 * that no rival has. O(words).
 */
export function pairAlike(
  old: readonly ParagraphText[],
  next: readonly ParagraphText[],
  free: { olds: ReadonlySet<number>; news: ReadonlySet<number> },
): [oldAt: number, newAt: number][] {
  const [olds, news] = [new ParagraphList(old), new ParagraphList(next)];
  const [oldWords, newWords] = [olds, news].map((list) => indexRareWords(list, [...list.paragraphs.keys()]));
  const leading = (index: RareWords | undefined, text: Signature) => {
    const [best, second] = index === undefined ? [] : findByRareWords(index, text);
    return best !== undefined && best[1] - (second?.[1] ?? 0) >= LEAST_LEAD ? best[0] : undefined;
  };
  return [...free.news].flatMap((newAt): [number, number][] => {
    const is = news.signature(newAt);
    const oldAt = leading(oldWords, is);
    if (oldAt === undefined || !free.olds.has(oldAt)) return [];
    const was = olds.signature(oldAt);
    return leading(newWords, was) === newAt && scoreFar(was, is) > 0 ? [[oldAt, newAt]] : [];
  });
}

function distinct(ascending: Uint32Array): Uint32Array {
  const words = ascending.filter((word, at) => word !== ascending[at - 1]);
  return words.length < FEWEST_WORDS ? words.subarray(0, 0) : words;
}
