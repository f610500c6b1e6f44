import type { IndexedPassage } from "../index/passages.ts";

/** A passage that answers, with its score for each term of the question (0: it does not hold the term). */
export interface Hit {
  passage: IndexedPassage;
  scores: number[];
  /** One bit for each term that stands in it as it was asked for, not as its kin or a guess. */
  exact: number;
  /** Score of the whole passage; set by the ranking. */
  score: number;
}

/** What a passage holds of one term: how good it is, and whether it is the very word that was asked for. */
export interface TermScore {
  score: number;
  exact: boolean;
}

/** What one chapter or fact holds of a question. */
export interface Tally {
  owner: string;
  hits: Hit[];
  /** One bit for each term that stands anywhere in it; a question has at most 16 terms. */
  holds: number;
}

/** Passages and their owners, as the terms of one question find them. */
export class Tallies {
  readonly #termCount: number;
  readonly #dropped: ReadonlySet<IndexedPassage | string>;
  readonly #hits = new Map<IndexedPassage, Hit>();
  readonly #byOwner = new Map<string, Tally>();

  /** Passages that are dropped, or whose owner is, are never entered. */
  constructor(termCount: number, dropped: ReadonlySet<IndexedPassage | string>) {
    this.#termCount = termCount;
    this.#dropped = dropped;
  }

  /** Whether no passage was entered yet. */
  get isEmpty(): boolean {
    return this.#hits.size === 0;
  }

  /** Every owner of a passage that was entered. */
  all(): Tally[] {
    return [...this.#byOwner.values()];
  }

  /** Enters the passage, or raises its score for the term; a lower score changes nothing. */
  raise(passage: IndexedPassage, part: number, found: TermScore): void {
    const hit = this.#hits.get(passage) ?? this.#enter(passage);
    if (hit !== undefined) this.#raise(hit, part, found);
  }

  /** Raises the passage only if another term entered it, and notes that its owner holds the term. */
  add(passage: IndexedPassage, part: number, found: TermScore): void {
    const hit = this.#hits.get(passage);
    if (hit !== undefined) {
      this.#raise(hit, part, found);
      return;
    }
    const tally = this.#byOwner.get(passage.owner);
    if (tally === undefined || (tally.holds & (1 << part)) !== 0) return;
    if (!this.#isDropped(passage)) tally.holds |= 1 << part;
  }

  #raise(hit: Hit, part: number, { score, exact }: TermScore): void {
    const { passage, scores } = hit;
    const known = scores[part]!; // one score a term
    if (known === 0) this.#tally(passage.owner).holds |= 1 << part;
    if (exact) hit.exact |= 1 << part;
    if (score > known) scores[part] = score;
  }

  #enter(passage: IndexedPassage): Hit | undefined {
    if (this.#isDropped(passage)) return undefined;
    const hit = { passage, scores: new Array<number>(this.#termCount).fill(0), exact: 0, score: 0 };
    this.#hits.set(passage, hit);
    this.#tally(passage.owner).hits.push(hit);
    return hit;
  }

  #isDropped(passage: IndexedPassage): boolean {
    return this.#dropped.size > 0 && (this.#dropped.has(passage) || this.#dropped.has(passage.owner));
  }

  #tally(owner: string): Tally {
    const known = this.#byOwner.get(owner);
    if (known !== undefined) return known;
    const tally = { owner, hits: [], holds: 0 };
    this.#byOwner.set(owner, tally);
    return tally;
  }
}
