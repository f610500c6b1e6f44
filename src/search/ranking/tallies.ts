import type { IndexedPassage, Passages, Visited } from "../index/passages.ts";

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
  readonly #passages: Passages;
  readonly #hits: Hit[] = [];
  /** By a passage's slot the place of its hit, from 1 on. */
  readonly #hitAt: Int32Array;
  readonly #tallies: Tally[] = [];
  /** By an owner's number the place of its tally, from 1 on. */
  readonly #tallyAt: Int32Array;
  /** Marks of owners that lack the term that is looked for, by their numbers. */
  readonly #open: Uint8Array;

  /** Passages that are dropped, or whose owner is, are never entered. */
  constructor(passages: Passages, termCount: number, dropped: ReadonlySet<IndexedPassage | string>) {
    this.#passages = passages;
    this.#termCount = termCount;
    this.#dropped = dropped;
    this.#hitAt = new Int32Array(passages.slotCount);
    this.#tallyAt = new Int32Array(passages.ownerCount);
    this.#open = new Uint8Array(passages.ownerCount);
  }

  /** Whether no passage was entered yet. */
  get isEmpty(): boolean {
    return this.#hits.length === 0;
  }

  /** Every owner of a passage that was entered. */
  all(): Tally[] {
    return this.#tallies;
  }

  /** What `add` would take of a term: passages that were entered, and owners of such that do not hold it yet. */
  wantedFor(part: number): Required<Visited> {
    for (const [number, at] of this.#tallyAt.entries())
      this.#open[number] = at > 0 && (this.#tallies[at - 1]!.holds & (1 << part)) === 0 ? 1 : 0; // one for each place
    return { slots: this.#hitAt, owners: this.#open };
  }

  /** Enters the passage, or raises its score for the term; a lower score changes nothing. */
  raise(passage: IndexedPassage, part: number, found: TermScore): void {
    const hit = this.#hitOf(passage) ?? this.#enter(passage);
    if (hit !== undefined) this.#raise(hit, part, found);
  }

  /** Raises the passage only if another term entered it, and notes that its owner holds the term. */
  add(passage: IndexedPassage, part: number, found: TermScore): void {
    const hit = this.#hitOf(passage);
    if (hit !== undefined) {
      this.#raise(hit, part, found);
      return;
    }
    const number = this.#passages.ownerOf(passage);
    const tally = this.#tallies[this.#tallyAt[number]! - 1]; // 0 for none
    if (tally === undefined || (tally.holds & (1 << part)) !== 0 || this.#isDropped(passage)) return;
    tally.holds |= 1 << part;
    this.#open[number] = 0;
  }

  #hitOf({ slot }: IndexedPassage): Hit | undefined {
    return this.#hits[this.#hitAt[slot]! - 1]; // 0 for none
  }

  #raise(hit: Hit, part: number, { score, exact }: TermScore): void {
    const { passage, scores } = hit;
    const known = scores[part]!; // one score a term
    if (known === 0) this.#tally(passage).holds |= 1 << part;
    if (exact) hit.exact |= 1 << part;
    if (score > known) scores[part] = score;
  }

  #enter(passage: IndexedPassage): Hit | undefined {
    if (this.#isDropped(passage)) return undefined;
    const hit = { passage, scores: new Array<number>(this.#termCount).fill(0), exact: 0, score: 0 };
    this.#hitAt[passage.slot] = this.#hits.push(hit);
    this.#tally(passage).hits.push(hit);
    return hit;
  }

  #isDropped(passage: IndexedPassage): boolean {
    return this.#dropped.size > 0 && (this.#dropped.has(passage) || this.#dropped.has(passage.owner));
  }

  #tally(passage: IndexedPassage): Tally {
    const number = this.#passages.ownerOf(passage);
    const known = this.#tallies[this.#tallyAt[number]! - 1]; // 0 for none
    if (known !== undefined) return known;
    const tally = { owner: passage.owner, hits: [], holds: 0 };
    this.#tallyAt[number] = this.#tallies.push(tally);
    return tally;
  }
}
