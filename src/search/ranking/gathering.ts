import { smallest } from "../../text/extremes.ts";
import { Highlights } from "../excerpt/highlights.ts";
import type { IndexedPassage, Passages } from "../index/passages.ts";
import type { QueryTerm, SearchQuestion } from "../query/question.ts";
import { Phrases } from "./phrases.ts";
import { type Search, seek } from "./seek.ts";
import { Tallies, type Tally } from "./tallies.ts";

/** Everything that answers a question, before it is ranked. */
export interface Gathering {
  tallies: Tally[];
  highlights: Highlights;
}

/** What an unwanted word drops, and which words are never corrected. */
export interface Terms {
  /** An unwanted word drops the whole owner; else its passage alone. */
  dropsOwner: boolean;
  known: (word: string) => boolean;
}

/** A word in more than this share of the passages, and in more than the floor, only adds to what rarer terms found. */
const COMMON_SHARE = 0.1;
const COMMON_FLOOR = 200;

/** Looks for every term of the question, the rarest first. */
export function gatherAnswers(
  passages: Passages,
  { wanted, unwanted }: SearchQuestion,
  terms: Terms,
): Gathering {
  const phrases = new Phrases();
  for (const term of [...wanted, ...unwanted]) phrases.add(term.kind === "phrase" ? term.terms : term.parts);
  const dropped = new Set<IndexedPassage | string>();
  if (wanted.length > 0) {
    for (const term of unwanted)
      drop(term, { passages, phrases }, (passage) => dropped.add(terms.dropsOwner ? passage.owner : passage));
  }
  const tallies = new Tallies(passages, wanted.length, dropped);
  const highlights = new Highlights();
  const commonFrom = Math.max(COMMON_FLOOR, passages.count * COMMON_SHARE);
  const ordered = wanted.map((term, part) => ({ term, part, frequency: frequencyOf(term, passages) }));
  ordered.sort((a, b) => a.frequency - b.frequency || a.part - b.part);
  for (const { term, part, frequency } of ordered) {
    const common = term.kind === "word" && frequency > commonFrom && !tallies.isEmpty;
    const take: Search["take"] = (passage, found) => tallies.raise(passage, part, found);
    const takeAlso: Search["take"] = (passage, found) => tallies.add(passage, part, found);
    const { known } = terms;
    const alsoWanted = () => tallies.wantedFor(part);
    seek(term, {
      ...{ passages, phrases, take, takeAlso, alsoWanted },
      ...{ common, commonFrom, highlights, part, known },
    });
  }
  return { tallies: tallies.all(), highlights };
}

/** Unwanted words are taken as written: no kin, no corrections. */
function drop(
  term: QueryTerm,
  where: Pick<Search, "passages" | "phrases">,
  take: (passage: IndexedPassage) => void,
): void {
  const written: QueryTerm =
    term.kind === "word" && !term.prefix ? { kind: "phrase", terms: [term.term] } : term;
  seek(written, {
    ...where,
    take,
    takeAlso: take,
    // Unwanted words are no guesses, and never common.
    alsoWanted: () => ({ slots: new Int32Array(0) }),
    common: false,
    commonFrom: Number.POSITIVE_INFINITY,
    highlights: new Highlights(),
    part: 0,
    known: () => true,
  });
}

function frequencyOf(term: QueryTerm, { vocabulary }: Passages): number {
  if (term.kind === "phrase") return smallest(term.terms.map((word) => vocabulary.frequency(word)));
  if (!term.prefix) return vocabulary.familyFrequency(term.term);
  return vocabulary.begunBy(term.term).reduce((sum, word) => sum + vocabulary.frequency(word), 0);
}
