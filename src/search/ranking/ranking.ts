import type { Highlights } from "../excerpt/highlights.ts";
import type { IndexedPassage, Passages } from "../index/passages.ts";
import type { SearchQuestion } from "../query/question.ts";
import { type Gathering, gatherAnswers, type Terms } from "./gathering.ts";
import { bestScene, closeness, heldShare, raiseEach, together } from "./nearness.ts";
import type { Hit, Tally } from "./tallies.ts";

/** A chapter or fact with the passages that answer for it, best first. */
export interface Answer {
  owner: string;
  score: number;
  /** Whether every term stands in it somewhere. */
  complete: boolean;
  hits: Hit[];
}

/** The 50 best answers, the complete ones first, and how many there are. */
export interface Ranking {
  answers: Answer[];
  completeCount: number;
  count: number;
  highlights: Highlights;
}

/** How one kind of owner is ranked. */
export interface Manner extends Terms {
  /** Share of the best passage in the score; the rest is the best of each term, wherever it stands. */
  bestShare: number;
  /** Order of owners with equal scores, ascending. */
  rankOf: (owner: string) => number;
  /** Ordinal of a paragraph in its chapter, if it is known: neighbours are read together. */
  ordinalOf: (passage: IndexedPassage) => number | undefined;
}

/** Raise of a passage that holds all terms side by side. */
const CLOSE_RAISE = 0.7;
/** As many as a limit may allow: more are counted, not ranked. */
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

class Ranker {
  readonly #gathering: Gathering;
  readonly #termCount: number;
  readonly #manner: Manner;
  /** Scores of the best passages read so far, descending. */
  #leading: number[] = [];

  constructor(gathering: Gathering, termCount: number, manner: Manner) {
    this.#gathering = gathering;
    this.#termCount = termCount;
    this.#manner = manner;
  }

  ranking(): Ranking {
    const answers = this.#gathering.tallies.map((tally) => this.#answer(tally));
    this.#sort(answers);
    const best = answers.slice(0, ANSWERS);
    for (const answer of best) this.#readClosely(answer);
    this.#sort(best);
    const completeCount = answers.filter(({ complete }) => complete).length;
    return { answers: best, completeCount, count: answers.length, highlights: this.#gathering.highlights };
  }

  #answer({ owner, hits, holds }: Tally): Answer {
    let best = 0;
    for (const hit of hits) {
      hit.score = together(hit.scores);
      best = Math.max(best, hit.score);
    }
    const complete = holds === (1 << this.#termCount) - 1;
    return { owner, score: this.#scored(hits, best), complete, hits };
  }

  #scored(hits: readonly Hit[], best: number): number {
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
      const reach = hit.score * (1 + CLOSE_RAISE * heldShare(hit.scores));
      if (reach < Math.max(best, this.#leading.at(LEADING - 1) ?? 0)) break;
      hit.highlights = this.#gathering.highlights.find(hit.passage.text);
      hit.score *= 1 + CLOSE_RAISE * closeness(hit.highlights, this.#termCount);
      best = Math.max(best, hit.score);
    }
    this.#leading = [...this.#leading, best].sort((a, b) => b - a).slice(0, LEADING);
    best = Math.max(best, this.#raiseScene(hits, best));
    this.#sortHits(hits);
    answer.score = this.#scored(hits, best);
  }

  /** Score of the best neighbouring paragraphs; if they beat the best alone, each is raised by as much. */
  #raiseScene(hits: readonly Hit[], best: number): number {
    const neighbours = hits.flatMap((hit) => {
      const ordinal = this.#manner.ordinalOf(hit.passage);
      return ordinal === undefined ? [] : [{ ordinal, hit, scores: hit.scores }];
    });
    neighbours.sort((a, b) => a.ordinal - b.ordinal);
    const scene = bestScene(neighbours);
    if (scene === undefined || scene.score <= best) return 0;
    for (const { hit } of neighbours.slice(scene.from, scene.to + 1)) hit.score += scene.score - best;
    return scene.score;
  }

  #sort(answers: Answer[]): void {
    const { rankOf } = this.#manner;
    answers.sort(
      (a, b) =>
        Number(b.complete) - Number(a.complete) ||
        rounded(b.score) - rounded(a.score) ||
        rankOf(a.owner) - rankOf(b.owner) ||
        (a.owner < b.owner ? -1 : 1),
    );
  }

  #sortHits(hits: Hit[]): void {
    const { ordinalOf } = this.#manner;
    hits.sort(
      (a, b) =>
        rounded(b.score) - rounded(a.score) ||
        (ordinalOf(a.passage) ?? -1) - (ordinalOf(b.passage) ?? -1) ||
        (a.passage.key < b.passage.key ? -1 : 1),
    );
  }
}

/** Scores within 1e-9 are equal: sums of the same numbers in another order differ by less. */
function rounded(score: number): number {
  return Math.round(score * 1e9);
}
