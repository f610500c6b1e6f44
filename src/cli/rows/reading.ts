import { LIMITS } from "../../contract/limits.ts";
import { OF_FORMAT, OF_MARKS, OF_REPORT } from "./choices.ts";
import { commandRows } from "./rows.ts";

/** How an argument names a book or a chapter. */
export const NAMED = "its id, title or number";

/** The option that says which book a chapter or a fact is of. */
export function ofBook(what: string) {
  return { "--book <book>": `the ${what}'s book` } as const;
}

/** A command works on a chapter. */
export const A_CHAPTER = { "<chapter>": NAMED, ...ofBook("chapter") } as const;
/** A command whose words the book may come before. */
export const THIS_BOOK = { "--book <book>": "the book" } as const;
/** A command works on the only book if none is named. */
export const ONLY_BOOK = {
  "[book]": "which; may be left out where there is one book only",
} as const;

/** The words of a command before which the book may be named. */
export function afterBook<Words extends string>(words: Words, about: string) {
  const slot = `${about}; before, the book, where there are several` as const;
  return { [words]: slot } as Record<Words, typeof slot>;
}

const limit = (about: string) => ({ "--limit <number>": { about, read: positive } });

/** `books`, `outline`, `show`, `search`, `history`, `watch`, `diff`, `stats` and `report`. */
export const ROWS = commandRows({
  books: { about: "list the books", examples: ["books", "books --json"] },
  outline: {
    about: "show a book's parts, chapters and goal",
    takes: { ...ONLY_BOOK },
    examples: ["outline", 'outline "Moby Dick" --json'],
  },
  show: {
    about: "print a chapter",
    takes: {
      ...A_CHAPTER,
      "-f, --format <format>": { about: "how", choices: OF_FORMAT, default: "text" },
      "--revision <number>": { about: "an older revision", read: positive },
      "--header":
        "with --format markdown: first say which revision this is, so that write can merge what you make of it",
    },
    examples: [
      "show 4",
      "show Loomings --format markdown",
      "show 4 --format markdown --header > loomings.md",
      "show ch_… --format doc --json",
    ],
  },
  search: {
    about: "search prose and cast by keywords",
    usage: "[options] [book] <query...>",
    takes: {
      ...afterBook("<query...>", 'words, "phrases", -word, word*'),
      "--book <book>": "the book to search",
      "--all": "every book of the manuscript, one after the other",
      ...limit("hits at most; with --all in each book"),
    },
    examples: ["search white whale", "search 1 '\"old Tobit\"' --limit 5 -lamp", "search --all harbour"],
    dashedWords: true,
  },
  history: {
    about: "list what was written, newest first: in a chapter, or in the whole file",
    takes: {
      "[chapter]": NAMED,
      ...ofBook("chapter"),
      ...limit("entries at most"),
      "--before <act>": "only what is older; of a chapter, a revision too",
      "--after <act>": "only what is newer: the first of it",
      "--each": "each act by itself; else a line is a sitting, or several of one kind",
    },
    examples: ["history", "history 4", "history --limit 5 --json", "history --before act_…"],
  },
  watch: {
    about: "tell each write as it is made, by whatever program, going on where the last run stopped",
    takes: {
      "--exec <command>": {
        about:
          "run this by the shell for each act, one at a time, with its JSON on stdin; else a line of JSON goes to stdout",
        is: "program",
      },
      "--after <act>": "begin after this act; 0: with the first",
      "--from-now": "leave out what was written since the last run",
    },
    examples: [
      "watch",
      "watch --exec 'curl -sSf --json @- https://example.org/acts'",
      "watch --exec 'manuscript export 1 -o out --force' --from-now",
      "watch --after 0 | jq -r .kind",
    ],
  },
  diff: {
    about: "show what changed in a chapter, word by word",
    takes: {
      ...A_CHAPTER,
      "[from]": {
        about: "a revision, or a moment as `milestone compare` takes it; else the revision before the newest",
        read: revisionOrMoment,
      },
      "[to]": { about: "the same; else the newest", read: revisionOrMoment },
    },
    examples: ["diff 4", "diff Loomings 3 7", "diff 4 'Draft 2'", "diff 4 1 --json"],
  },
  stats: {
    about: "show words a day or a week, streak, goal and pace",
    takes: {
      ...ONLY_BOOK,
      "--days <number>": {
        about: `how many, at most ${LIMITS.progressDaysMaximum}; else ${LIMITS.progressDays}, or twelve weeks`,
        read: days,
      },
      "--by <unit>": {
        about: "what a column of the chart is",
        choices: { day: "a day", week: "a week from Monday on" },
        default: "day",
      },
    },
    examples: ["stats", "stats 1 --days 90 --json", "stats --by week"],
  },
  report: {
    about: "show what a report finds in a book",
    takes: {
      "<name>": { about: "which report", choices: OF_REPORT },
      ...ONLY_BOOK,
      "--chapter <chapter>": "of timeline and language: only this one",
      "--kind <kind>": { about: "of language: list the places of this kind", choices: OF_MARKS },
    },
    examples: [
      "report appearances",
      "report timeline 1 --chapter 4",
      "report language --kind filter",
      "report pace --json",
    ],
  },
});

/** Reads a revision's number, or leaves other text as it is: a moment of the book's history. */
export function revisionOrMoment(text: string): string | number {
  return /^\d+$/.test(text) ? positive(text) : text;
}

function days(text: string): number {
  const value = positive(text);
  if (value <= LIMITS.progressDaysMaximum) return value;
  throw new RangeError(`It must be at most ${LIMITS.progressDaysMaximum}.`);
}

/** Reads a whole number from 1 on; throws an error that says so. */
export function positive(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value)) return value;
  throw new RangeError("It must be a whole number from 1 on.");
}
