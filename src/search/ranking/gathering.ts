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
    for (const asked of unwanted)
      drop(asked, { passages, phrases }, (passage) =>
        dropped.add(terms.dropsOwner ? passage.owner : passage),
      );
  }
  const tallies = new Tallies(wanted.length, dropped);
  const highlights = new Highlights();
  const commonFrom = Math.max(COMMON_FLOOR, passages.count * COMMON_SHARE);
  const ordered = wanted.map((asked, part) => ({ asked, part, frequency: frequencyOf(asked, passages) }));
  ordered.sort((a, b) => a.frequency - b.frequency || a.part - b.part);
  for (const { asked, part, frequency } of ordered) {
    const common = asked.kind === "word" && frequency > commonFrom && !tallies.isEmpty;
    const take: Search["take"] = (passage, score) => tallies.raise(passage, part, score);
    const takeAlso: Search["take"] = (passage, score) => tallies.add(passage, part, score);
    seek(asked, { passages, phrases, take, takeAlso, common, highlights, part, known: terms.known });
  }
  return { tallies: tallies.all(), highlights };
}

/** Unwanted words are taken as written: no kin, no corrections. */
function drop(
  asked: QueryTerm,
  where: Pick<Search, "passages" | "phrases">,
  take: (passage: IndexedPassage) => void,
): void {
  const written: QueryTerm =
    asked.kind === "word" && !asked.prefix ? { kind: "phrase", terms: [asked.term] } : asked;
  seek(written, {
    ...where,
    take,
    takeAlso: take,
    common: false,
    highlights: new Highlights(),
    part: 0,
    known: () => true,
  });
}

function frequencyOf(asked: QueryTerm, { vocabulary }: Passages): number {
  if (asked.kind === "phrase") return Math.min(...asked.terms.map((term) => vocabulary.frequency(term)));
  if (!asked.prefix) return vocabulary.familyFrequency(asked.term);
  return vocabulary.begunBy(asked.term).reduce((sum, term) => sum + vocabulary.frequency(term), 0);
}
