import { largest } from "../../text/extremes.ts";
import type { IndexedPassage, Passages } from "../index/passages.ts";
import type { Highlights } from "../reading/highlights.ts";
import type { SearchQuestion } from "../reading/question.ts";
import { findCandidates, type Hit, type SearchCandidate, type Taking } from "./candidates.ts";
import { bestScene, closeness, heldShare, type Nearness, nearest, raiseEach, together } from "./nearness.ts";

/** A chapter or fact with the passages that answer for it, best first. */
export interface Answer {
  owner: string;
  score: number;
  /** True if every term stands in it somewhere. */
  isComplete: boolean;
  /** True if a passage holds the only word of the question that can be found, and not its kin alone. */
  isExact: boolean;
  hits: Hit[];
}

/** The best answers, at least 50 if there are so many, and how many there are. */
export interface Ranking {
  answers: Answer[];
  /** How many hold every term: then all of `answers` do. 0 if what holds some of them answers better. */
  completeCount: number;
  count: number;
  highlights: Highlights;
}

/** How one kind of owner is ranked. */
export interface Manner extends Taking {
  /** How many answers may be asked for. */
  most: number;
  /** Share of the best passage in the score; the rest is the best of each term, wherever it stands. */
  bestShare: number;
  /** True if what lacks a term may come before what holds them all, far apart. */
  mayRelax: boolean;
  /** Order of owners with equal scores, ascending. */
  rankOf: (owner: string) => number;
  /** Ordinal of a paragraph in its chapter, if it is known: neighbours are read together. */
  ordinalOf: (passage: IndexedPassage) => number | undefined;
}

/** Raise of a passage that holds all terms side by side; where none does, of neighbours that hold them all. */
const CLOSE_RAISE = 0.7;
/** A text of so many UTF-16 units is one sight: a hundred words. */
const SHORT = 600;
/** As many as a request may ask for: more are counted, and ranked only for who asks for more. */
const ANSWERS = 50;
/** Answers that are read for how close their words stand; a neighbour may still raise those behind. */
const READ_ANSWERS = 20;
/** Passages of each answer that are read for how close their words stand. */
const READ_HITS = 3;
/** Long passages that are read to see whether one of them holds every term together. */
const READ_LONG = 10;

/** Ranks whatever holds a term of the question. */
export function rank(passages: Passages, question: SearchQuestion, manner: Manner): Ranking {
  const { candidates, highlights } = findCandidates(passages, question, manner);
  return new Ranker(candidates, highlights, question.wanted.length, manner).ranking();
}

/** An answer read for what stands near each other in it; `held` terms do. */
interface LooseAnswer extends Answer {
  held: number;
}

class Ranker {
  readonly #candidates: readonly SearchCandidate[];
  readonly #highlights: Highlights;
  readonly #termCount: number;
  readonly #manner: Manner;
  /** The terms that anything at all holds, one bit each. */
  readonly #held: number;

  constructor(
    candidates: readonly SearchCandidate[],
    highlights: Highlights,
    termCount: number,
    manner: Manner,
  ) {
    this.#candidates = candidates;
    this.#highlights = highlights;
    this.#termCount = termCount;
    this.#manner = manner;
    this.#held = candidates.reduce((bits, { holds }) => bits | holds, 0);
  }

  ranking(): Ranking {
    const answers = this.#candidates.map((candidate) => this.#answer(candidate));
    const complete = answers.filter((answer) => answer.isComplete);
    const found = { count: answers.length, highlights: this.#highlights };
    const mustHoldAll = complete.length > 0 && (!this.#manner.mayRelax || this.#isHeldTogether(complete));
    const loose = mustHoldAll ? [] : this.#best(answers).map((answer, at) => this.#readLoosely(answer, at));
    if (mustHoldAll || (complete.length > 0 && !isOutdone(loose))) {
      const strict = this.#best(complete).map((answer, at) => this.#readClosely(answer, at));
      return { ...found, answers: this.#sorted(strict), completeCount: complete.length };
    }
    return { ...found, answers: this.#sorted(loose), completeCount: 0 };
  }

  #answer({ owner, hits, holds }: SearchCandidate): Answer {
    for (const hit of hits) hit.score = together(hit.scores);
    const isComplete = holds === (1 << this.#termCount) - 1;
    const isExact = hits.some((hit) => this.#isExact(hit));
    return { owner, score: this.#scored(hits), isComplete, isExact, hits };
  }

  /** True if it holds the one word that can be found as it was asked for. Of several, how near they stand weighs more. */
  #isExact({ exact }: Hit): boolean {
    return exact === this.#held && (exact & (exact - 1)) === 0;
  }

  /** True if one passage holds every term, near each other. Of the long ones the best are read. */
  #isHeldTogether(complete: readonly Answer[]): boolean {
    const whole = complete.flatMap(({ hits }) => hits.filter(({ scores }) => heldShare(scores) === 1));
    if (whole.some(({ passage }) => passage.text.length <= SHORT)) return true;
    whole.sort((a, b) => rounded(b.score) - rounded(a.score) || (a.passage.key < b.passage.key ? -1 : 1));
    return whole.slice(0, READ_LONG).some((hit) => this.#nearest(hit).held === this.#termCount);
  }

  #nearest({ passage, scores }: Hit): Nearness {
    return nearest(this.#highlights.find(passage.text, { guesses: true }), scores);
  }

  /** The best answers, before they are read. */
  #best(answers: readonly Answer[]): Answer[] {
    return this.#sorted(answers).slice(0, Math.max(ANSWERS, this.#manner.most));
  }

  /** Score of what holds these passages: that of the best, and the best of each term wherever it stands. */
  #scored(hits: readonly Hit[], best = hits.reduce((most, { score }) => Math.max(most, score), 0)): number {
    const everywhere = new Array<number>(this.#termCount).fill(0);
    for (const { scores } of hits) raiseEach(everywhere, scores);
    const { bestShare } = this.#manner;
    return bestShare * best + (1 - bestShare) * everywhere.reduce((sum, score) => sum + score, 0);
  }

  /** Raises the best passages by how close they hold the terms, then neighbours that hold them together. */
  #readClosely(answer: Answer, at: number): Answer {
    const hits = this.#sortHits(answer.hits.map((hit) => ({ ...hit })));
    if (this.#termCount < 2) return { ...answer, hits };
    for (const hit of hits.slice(0, at < READ_ANSWERS ? READ_HITS : 0))
      hit.score *= 1 + CLOSE_RAISE * closeness(this.#highlights.find(hit.passage.text), this.#termCount);
    return { ...answer, ...this.#readTogether(hits, 0) };
  }

  /** Scores the best passages by what stands near each other in them, whether that is every term or not. */
  #readLoosely(answer: Answer, at: number): LooseAnswer {
    const hits = this.#sortHits(answer.hits.map((hit) => ({ ...hit })));
    let held = 1;
    for (const hit of hits.slice(0, at < READ_ANSWERS ? READ_HITS : 0)) {
      const near = this.#nearest(hit);
      hit.score = near.score;
      held = Math.max(held, near.held);
    }
    return { ...answer, ...this.#readTogether(hits, CLOSE_RAISE), held };
  }

  /** Scores an answer by its best passages; neighbours that are better together are raised by as much. */
  #readTogether(hits: Hit[], raise: number): Pick<Answer, "hits" | "score"> {
    const best = hits.slice(0, READ_HITS).reduce((most, { score }) => Math.max(most, score), 0);
    const neighbours = hits.flatMap((hit) => {
      const ordinal = this.#manner.ordinalOf(hit.passage);
      return ordinal === undefined ? [] : [{ ordinal, hit, scores: hit.scores }];
    });
    neighbours.sort((a, b) => a.ordinal - b.ordinal);
    const scene = bestScene(neighbours, raise);
    if (scene === undefined || scene.score <= best)
      return { hits: this.#sortHits(hits), score: this.#scored(hits, best) };
    for (const { hit } of neighbours.slice(scene.from, scene.to + 1)) hit.score += scene.score - best;
    return { hits: this.#sortHits(hits), score: this.#scored(hits, scene.score) };
  }

  #sorted(answers: readonly Answer[]): Answer[] {
    const { rankOf } = this.#manner;
    return [...answers].sort(
      (a, b) =>
        Number(b.isExact) - Number(a.isExact) ||
        rounded(b.score) - rounded(a.score) ||
        rankOf(a.owner) - rankOf(b.owner) ||
        (a.owner < b.owner ? -1 : 1),
    );
  }

  /** Sorts the hits in place, the best first. */
  #sortHits(hits: Hit[]): Hit[] {
    const { ordinalOf } = this.#manner;
    return hits.sort(
      (a, b) =>
        Number(this.#isExact(b)) - Number(this.#isExact(a)) ||
        rounded(b.score) - rounded(a.score) ||
        (ordinalOf(a.passage) ?? -1) - (ordinalOf(b.passage) ?? -1) ||
        (a.passage.key < b.passage.key ? -1 : 1),
    );
  }
}

/**
 * True if one that lacks a term comes before all that hold every term, though none of those holds as many near each
 * other: then the writer remembered a word wrong, and what holds it somewhere else is not what is meant.
 */
function isOutdone(loose: readonly LooseAnswer[]): boolean {
  const most = largest([0, ...loose.filter(({ isComplete }) => isComplete).map(({ held }) => held)]);
  return loose.some(({ isComplete, held }) => !isComplete && held >= 2 && held >= most);
}

/** Scores within 1e-9 are equal: sums of the same numbers in another order differ by less. */
function rounded(score: number): number {
  return Math.round(score * 1e9);
}
