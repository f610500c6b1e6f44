import { Marks } from "./marks.ts";
import type { Passage, Passages } from "./passages.ts";
import type { Asked, Question } from "./question.ts";
import { type Scores, seek } from "./seek.ts";

/** What one chapter or fact holds of a question. */
export interface Tally {
  owner: string;
  /** Score of each passage that answers: the sum of its terms, and how many terms those are. */
  hits: Map<Passage, { score: number; held: number }>;
  /** The best score of each term, in any passage. */
  best: number[];
  /** One bit for each term that stands anywhere in it; a question has at most 16 terms. */
  holds: number;
}

/** Everything that answers a question, before it is ranked. */
export interface Gathering {
  tallies: Map<string, Tally>;
  /** For each term, the passages that answer it. */
  scores: Scores[];
  marks: Marks;
}

/** Whose unwanted words drop what, and which words are never corrected. */
export interface Terms {
  /** An unwanted word drops the whole owner; else its passage alone. */
  dropsOwner: boolean;
  known: (word: string) => boolean;
}

/** A word in more than this share of the passages, and in more than the floor, only adds to what rarer terms found. */
const COMMON_SHARE = 0.1;
const COMMON_FLOOR = 200;

/** Looks for every term of the question, the rarest first. */
export function gather(passages: Passages, question: Question, terms: Terms): Gathering {
  return new Gatherer(passages, question, terms).gathered();
}

class Gatherer {
  readonly #passages: Passages;
  readonly #question: Question;
  readonly #terms: Terms;
  readonly #tallies = new Map<string, Tally>();
  readonly #marks = new Marks();
  readonly #scores: Scores[] = [];
  readonly #dropped = new Set<Passage | string>();

  constructor(passages: Passages, question: Question, terms: Terms) {
    this.#passages = passages;
    this.#question = question;
    this.#terms = terms;
  }

  gathered(): Gathering {
    if (this.#question.wanted.length > 0) for (const asked of this.#question.unwanted) this.#drop(asked);
    const commonFrom = Math.max(COMMON_FLOOR, this.#passages.count * COMMON_SHARE);
    const wanted = this.#question.wanted.map((asked, part) => ({
      asked,
      part,
      frequency: this.#frequency(asked),
    }));
    wanted.sort((a, b) => a.frequency - b.frequency || a.part - b.part);
    for (const { asked, part, frequency } of wanted) {
      const single = asked.kind === "word" && asked.parts.length === 0;
      const common = single && frequency > commonFrom && this.#tallies.size > 0;
      this.#scores[part] = common ? this.#addCommon(asked, part) : this.#add(asked, part);
    }
    return { tallies: this.#tallies, scores: this.#scores, marks: this.#marks };
  }

  #frequency(asked: Asked): number {
    const { vocabulary } = this.#passages;
    if (asked.kind === "phrase") return Math.min(...asked.terms.map((term) => vocabulary.frequency(term)));
    if (!asked.prefix) return vocabulary.familyFrequency(asked.term);
    return vocabulary.begunBy(asked.term).reduce((sum, term) => sum + vocabulary.frequency(term), 0);
  }

  /** Unwanted words are taken as written: no kin, no corrections. */
  #drop(asked: Asked): void {
    const written: Asked =
      asked.kind === "word" && !asked.prefix ? { kind: "phrase", terms: [asked.term] } : asked;
    const search = {
      passages: this.#passages,
      marks: new Marks(),
      part: 0,
      known: () => true,
      found: () => true,
    };
    for (const passage of seek(written, search).keys()) {
      this.#dropped.add(this.#terms.dropsOwner ? passage.owner : passage);
    }
  }

  #isDropped(passage: Passage): boolean {
    return this.#dropped.size > 0 && (this.#dropped.has(passage) || this.#dropped.has(passage.owner));
  }

  #add(asked: Asked, part: number): Scores {
    const scores = this.#seek(asked, part);
    for (const [passage, score] of scores) {
      if (!this.#isDropped(passage)) this.#count(passage, score, part);
    }
    return scores;
  }

  /** Adds a common word to the passages found already, and notes which of their owners hold it elsewhere. */
  #addCommon(asked: Asked, part: number): Scores {
    const admit = (passage: Passage): boolean => {
      const tally = this.#tallies.get(passage.owner);
      if (tally === undefined || this.#isDropped(passage)) return false;
      tally.holds |= 1 << part;
      return tally.hits.has(passage);
    };
    const scores = this.#seek(asked, part, admit);
    for (const [passage, score] of scores) this.#count(passage, score, part);
    return scores;
  }

  #seek(asked: Asked, part: number, admit?: (passage: Passage) => boolean): Scores {
    const search = {
      passages: this.#passages,
      marks: this.#marks,
      part,
      known: this.#terms.known,
      found: (passage: Passage) => this.#tallies.get(passage.owner)?.hits.has(passage) ?? false,
    };
    return seek(asked, admit === undefined ? search : { ...search, admit });
  }

  #count(passage: Passage, score: number, part: number): void {
    const { owner } = passage;
    let tally = this.#tallies.get(owner);
    if (tally === undefined) {
      const best = new Array<number>(this.#question.wanted.length).fill(0);
      tally = { owner, hits: new Map(), best, holds: 0 };
      this.#tallies.set(owner, tally);
    }
    const hit = tally.hits.get(passage);
    if (hit === undefined) tally.hits.set(passage, { score, held: 1 });
    else {
      hit.score += score;
      hit.held += 1;
    }
    tally.holds |= 1 << part;
    tally.best[part] = Math.max(tally.best[part] ?? 0, score);
  }
}
