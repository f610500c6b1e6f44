import { type Gathering, gather, type Tally, type Terms } from "./gathering.ts";
import type { Mark, Marks } from "./marks.ts";
import { bestScene, closeness } from "./nearness.ts";
import type { Passage, Passages } from "./passages.ts";
import type { Question } from "./question.ts";

/** A passage with its score for one question; `held` counts the terms it holds. */
export interface Hit {
  passage: Passage;
  score: number;
  held: number;
  /** The words that answer in its text, once they have been looked for. */
  marks?: Mark[];
}

/** A chapter or fact with the passages that answer for it, best first. */
export interface Answer {
  owner: string;
  score: number;
  /** Whether every term stands in it somewhere. */
  complete: boolean;
  hits: Hit[];
}

/** Every answer to a question, the complete ones first, each kind best first. */
export interface Ranking {
  answers: Answer[];
  marks: Marks;
}

/** How one kind of owner is ranked. */
export interface Manner extends Terms {
  /** Share of the best passage in the score; the rest is the best of each term, wherever it stands. */
  bestShare: number;
  /** Order of owners with equal scores, ascending. */
  rankOf: (owner: string) => number;
  /** Ordinal of a paragraph in its chapter, where it is known: neighbours are read together. */
  ordinalOf: (passage: Passage) => number | undefined;
}

/** Raise of a passage that holds all terms side by side. */
const CLOSE_RAISE = 0.7;
/** Answers and passages that are read for how close their words stand. */
const READ_ANSWERS = 50;
const READ_HITS = 3;

/** Ranks whatever holds a term of the question. */
export function rank(passages: Passages, question: Question, manner: Manner): Ranking {
  const gathering = gather(passages, question, manner);
  const ranker = new Ranker(gathering, question.wanted.length, manner);
  return { answers: ranker.answers(), marks: gathering.marks };
}

class Ranker {
  readonly #gathering: Gathering;
  readonly #termCount: number;
  readonly #manner: Manner;

  constructor(gathering: Gathering, termCount: number, manner: Manner) {
    this.#gathering = gathering;
    this.#termCount = termCount;
    this.#manner = manner;
  }

  answers(): Answer[] {
    const answers = [...this.#gathering.tallies.values()].map((tally) => this.#answer(tally));
    this.#sort(answers);
    const read = answers.slice(0, READ_ANSWERS);
    if (this.#termCount > 1) for (const answer of read) this.#readClosely(answer);
    this.#sort(read);
    return [...read, ...answers.slice(READ_ANSWERS)];
  }

  #answer(tally: Tally): Answer {
    const hits = [...tally.hits].map(([passage, { score, held }]) => {
      return { passage, score: score * (held / this.#termCount), held };
    });
    this.#sortHits(hits);
    const complete = tally.holds === (1 << this.#termCount) - 1;
    return { owner: tally.owner, score: this.#scored(tally, hits[0]?.score ?? 0), complete, hits };
  }

  #scored(tally: Tally, best: number): number {
    const { bestShare } = this.#manner;
    return bestShare * best + (1 - bestShare) * tally.best.reduce((sum, score) => sum + score, 0);
  }

  /** Raises the best passages by how close they hold the terms, then those that hold them together. */
  #readClosely(answer: Answer): void {
    let best = 0;
    for (const hit of answer.hits.slice(0, READ_HITS)) {
      if (hit.score * (1 + CLOSE_RAISE) < best) break;
      if (hit.held > 1) {
        hit.marks = this.#gathering.marks.find(hit.passage.text);
        hit.score *= 1 + CLOSE_RAISE * closeness(hit.marks, this.#termCount);
      }
      best = Math.max(best, hit.score);
    }
    best = Math.max(best, this.#raiseScene(answer, best));
    this.#sortHits(answer.hits);
    const tally = this.#gathering.tallies.get(answer.owner);
    if (tally !== undefined) answer.score = this.#scored(tally, best);
  }

  /** Score of the best neighbouring paragraphs; where they beat the best alone, each is raised by as much. */
  #raiseScene(answer: Answer, best: number): number {
    const rows = answer.hits.flatMap((hit) => {
      const ordinal = this.#manner.ordinalOf(hit.passage);
      return ordinal === undefined ? [] : [{ hit, ordinal, scores: this.#scoresOf(hit.passage) }];
    });
    rows.sort((a, b) => a.ordinal - b.ordinal);
    const scene = bestScene(rows);
    if (scene === undefined || scene.score <= best) return 0;
    for (const { hit } of rows.slice(scene.from, scene.to + 1)) hit.score += scene.score - best;
    return scene.score;
  }

  #scoresOf(passage: Passage): number[] {
    return this.#gathering.scores.map((scores) => scores.get(passage) ?? 0);
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
