import { largest } from "../../text/extremes.ts";
import type { Highlights } from "../excerpt/highlights.ts";
import type { IndexedPassage, Passages } from "../index/passages.ts";
import type { SearchQuestion } from "../query/question.ts";
import { type Gathering, gatherAnswers, type Terms } from "./gathering.ts";
import {
  bestScene,
  closeness,
  heldShare,
  NEAR_RAISE,
  type Nearness,
  nearest,
  raiseEach,
  together,
} from "./nearness.ts";
import type { Hit, Tally } from "./tallies.ts";

/** A chapter or fact with the passages that answer for it, best first. */
export interface Answer {
  owner: string;
  score: number;
  /** Whether every term stands in it somewhere. */
  complete: boolean;
  /** Whether a passage holds the only word of the question that can be found, and not its kin alone. */
  exact: boolean;
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
export interface Manner extends Terms {
  /** How many answers may be asked for. */
  most: number;
  /** Share of the best passage in the score; the rest is the best of each term, wherever it stands. */
  bestShare: number;
  /** Whether what lacks a term may come before what holds them all, far apart. */
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
/** Passages of each answer that are read for how close their words stand. */
const READ_HITS = 3;
/** A passage that cannot come among so many best is not read: on a million words that halves the cost of a sentence. */
const LEADING = 10;

/** Ranks whatever holds a term of the question. */
export function rank(passages: Passages, question: SearchQuestion, manner: Manner): Ranking {
  const gathering = gatherAnswers(passages, question, manner);
  return new Ranker(gathering, question.wanted.length, manner).ranking();
}

/** An answer read for what stands near each other in it; `held` terms do. */
interface LooseAnswer extends Answer {
  held: number;
}

class Ranker {
  readonly #gathering: Gathering;
  readonly #termCount: number;
  readonly #manner: Manner;
  /** The terms that anything at all holds, one bit each. */
  readonly #held: number;
  /** Scores of the best passages read so far, descending. */
  #leading: number[] = [];

  constructor(gathering: Gathering, termCount: number, manner: Manner) {
    this.#gathering = gathering;
    this.#termCount = termCount;
    this.#manner = manner;
    this.#held = gathering.tallies.reduce((bits, { holds }) => bits | holds, 0);
  }

  get #most(): number {
    return Math.max(ANSWERS, this.#manner.most);
  }

  ranking(): Ranking {
    const { highlights, tallies } = this.#gathering;
    const answers = tallies.map((tally) => this.#answer(tally));
    const complete = answers.filter((answer) => answer.complete);
    const count = answers.length;
    const mustHoldAll = complete.length > 0 && (!this.#manner.mayRelax || this.#isHeldTogether(complete));
    const loose = mustHoldAll ? [] : this.#loosely(answers);
    if (mustHoldAll || (complete.length > 0 && !isOutdone(loose)))
      return { answers: this.#strictly(complete), completeCount: complete.length, count, highlights };
    return { answers: loose, completeCount: 0, count, highlights };
  }

  #answer({ owner, hits, holds }: Tally): Answer {
    for (const hit of hits) hit.score = together(hit.scores);
    const complete = holds === (1 << this.#termCount) - 1;
    const exact = hits.some((hit) => this.#isExact(hit));
    return { owner, score: this.#scored(hits), complete, exact, hits };
  }

  /** Whether it holds the one word that can be found as it was asked for. Of several, how near they stand weighs more. */
  #isExact({ exact }: Hit): boolean {
    return exact === this.#held && (exact & (exact - 1)) === 0;
  }

  /** Whether one passage holds every term, near each other. Of the long ones the best are read. */
  #isHeldTogether(complete: readonly Answer[]): boolean {
    const whole = complete.flatMap(({ hits }) => hits.filter(({ scores }) => heldShare(scores) === 1));
    if (whole.some(({ passage }) => passage.text.length <= SHORT)) return true;
    whole.sort((a, b) => rounded(b.score) - rounded(a.score) || (a.passage.key < b.passage.key ? -1 : 1));
    return whole.slice(0, LEADING).some((hit) => this.#nearest(hit).held === this.#termCount);
  }

  #nearest({ passage, scores }: Hit): Nearness {
    return nearest(this.#gathering.highlights.find(passage.text, { guesses: true }), scores);
  }

  #strictly(complete: Answer[]): Answer[] {
    this.#leading = [];
    const best = this.#sorted(complete).slice(0, this.#most);
    for (const answer of best) this.#readClosely(answer);
    return this.#sorted(best);
  }

  /** The best of all, whether they hold every term or not: the most terms near each other count. */
  #loosely(answers: readonly Answer[]): LooseAnswer[] {
    this.#leading = [];
    const best = this.#sorted(answers).slice(0, this.#most);
    return this.#sorted(best.map((answer) => this.#readLoosely(answer)));
  }

  /** Score of what holds these passages: that of the best, and the best of each term wherever it stands. */
  #scored(hits: readonly Hit[], best = largest([0, ...hits.map(({ score }) => score)])): number {
    const everywhere = new Array<number>(this.#termCount).fill(0);
    for (const { scores } of hits) raiseEach(everywhere, scores);
    const { bestShare } = this.#manner;
    return bestShare * best + (1 - bestShare) * everywhere.reduce((sum, score) => sum + score, 0);
  }

  /** Sorts the passages; raises the best by how close they hold the terms, then neighbours that hold them together. */
  #readClosely(answer: Answer): void {
    const { hits } = answer;
    this.#sortHits(hits);
    if (this.#termCount < 2) return;
    let best = hits[0]?.score ?? 0;
    for (const hit of hits.slice(0, READ_HITS)) {
      if (this.#isBehind(hit, best, CLOSE_RAISE)) break;
      const found = this.#gathering.highlights.find(hit.passage.text);
      hit.score *= 1 + CLOSE_RAISE * closeness(found, this.#termCount);
      best = Math.max(best, hit.score);
    }
    this.#lead(best);
    best = Math.max(best, this.#raiseScene(hits, best));
    this.#sortHits(hits);
    answer.score = this.#scored(hits, best);
  }

  /** A copy, its passages sorted by what stands near each other in them. */
  #readLoosely({ hits: read, ...answer }: Answer): LooseAnswer {
    const hits = read.map((hit) => ({ ...hit }));
    this.#sortHits(hits);
    let best = 0;
    let held = 1;
    for (const hit of hits.slice(0, READ_HITS)) {
      if (this.#isBehind(hit, best, NEAR_RAISE)) break;
      const near = this.#nearest(hit);
      hit.score = near.score;
      best = Math.max(best, near.score);
      held = Math.max(held, near.held);
    }
    this.#lead(best);
    best = Math.max(best, this.#raiseScene(hits, best, CLOSE_RAISE));
    this.#sortHits(hits);
    return { ...answer, hits, held, score: this.#scored(hits, best) };
  }

  /** Whether no raise can bring the passage before those that were read. */
  #isBehind({ score, scores }: Hit, best: number, raise: number): boolean {
    return score * (1 + raise * heldShare(scores)) < Math.max(best, this.#leading.at(LEADING - 1) ?? 0);
  }

  #lead(score: number): void {
    this.#leading = [...this.#leading, score].sort((a, b) => b - a).slice(0, LEADING);
  }

  /** Score of the best neighbouring paragraphs; if they beat the best alone, each is raised by as much. */
  #raiseScene(hits: readonly Hit[], best: number, raise = 0): number {
    const neighbours = hits.flatMap((hit) => {
      const ordinal = this.#manner.ordinalOf(hit.passage);
      return ordinal === undefined ? [] : [{ ordinal, hit, scores: hit.scores }];
    });
    neighbours.sort((a, b) => a.ordinal - b.ordinal);
    const scene = bestScene(neighbours, raise);
    if (scene === undefined || scene.score <= best) return 0;
    for (const { hit } of neighbours.slice(scene.from, scene.to + 1)) hit.score += scene.score - best;
    return scene.score;
  }

  #sorted<One extends Answer>(answers: readonly One[]): One[] {
    const { rankOf } = this.#manner;
    return [...answers].sort(
      (a, b) =>
        Number(b.exact) - Number(a.exact) ||
        rounded(b.score) - rounded(a.score) ||
        rankOf(a.owner) - rankOf(b.owner) ||
        (a.owner < b.owner ? -1 : 1),
    );
  }

  #sortHits(hits: Hit[]): void {
    const { ordinalOf } = this.#manner;
    hits.sort(
      (a, b) =>
        Number(this.#isExact(b)) - Number(this.#isExact(a)) ||
        rounded(b.score) - rounded(a.score) ||
        (ordinalOf(a.passage) ?? -1) - (ordinalOf(b.passage) ?? -1) ||
        (a.passage.key < b.passage.key ? -1 : 1),
    );
  }
}

/**
 * Whether one that lacks a term comes before all that hold every term, though none of those holds as many near each
 * other: then the writer remembered a word wrong, and what holds it somewhere else is not what is meant.
 */
function isOutdone(loose: readonly LooseAnswer[]): boolean {
  const most = largest([0, ...loose.filter(({ complete }) => complete).map(({ held }) => held)]);
  return loose.some(({ complete, held }) => !complete && held >= 2 && held >= most);
}

/** Scores within 1e-9 are equal: sums of the same numbers in another order differ by less. */
function rounded(score: number): number {
  return Math.round(score * 1e9);
}
