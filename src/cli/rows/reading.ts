import { LIMITS } from "../../contract/limits.ts";
import { OF_FORMAT } from "./choices.ts";
import type { ArgumentRow, CommandRow, OptionRow } from "./rows.ts";

/** How an argument names a book or a chapter. */
export const NAMED = "its id, title or number";

/** The option that says which book a chapter or a fact is of. */
export function ofBook(what: string): OptionRow {
  return { flags: "--book <book>", about: `the ${what}'s book`, is: "book" };
}

/** The argument of a command that works on a chapter. */
export const CHAPTER: ArgumentRow = { name: "<chapter>", about: NAMED, is: "chapter" };
/** The option of a command whose words the book may come before. */
export const THIS_BOOK: OptionRow = { flags: "--book <book>", about: "the book", is: "book" };
/** The argument of a command that works on the only book if none is named. */
export const ONLY_BOOK: ArgumentRow = {
  name: "[book]",
  about: "which; may be left out where there is one book only",
  is: "book",
};
/** The words of a command before which the book may be named. */
export function afterBook(name: string, about: string): ArgumentRow {
  return { name, about: `${about}; before, the book, where there are several`, is: "book" };
}
const IN_CHAPTER: OptionRow = { flags: "--chapter <chapter>", about: "only this one", is: "chapter" };
const limit = (about: string): OptionRow => ({ flags: "--limit <number>", about, read: positive });

/** `books`, `outline`, `show`, `search`, `history`, `watch`, `diff`, `stats`, `timeline`, `appearances` and `echoes`. */
export const ROWS: readonly CommandRow[] = [
  {
    name: "books",
    about: "list the books",
    arguments: [],
    options: [],
    examples: ["books", "books --json"],
    load: async () => (await import("../commands/reading/outline.ts")).books,
  },
  {
    name: "outline",
    about: "show a book's parts, chapters and goal",
    arguments: [ONLY_BOOK],
    options: [],
    examples: ["outline", 'outline "Moby Dick" --json'],
    load: async () => (await import("../commands/reading/outline.ts")).outline,
  },
  {
    name: "show",
    about: "print a chapter",
    arguments: [CHAPTER],
    options: [
      ofBook("chapter"),
      { flags: "-f, --format <format>", about: "how", choices: OF_FORMAT, default: "text" },
      { flags: "--revision <number>", about: "an older revision", read: positive },
      {
        flags: "--header",
        about:
          "with --format markdown: first say which revision this is, so that write can merge what you make of it",
      },
    ],
    examples: [
      "show 4",
      "show Loomings --format markdown",
      "show 4 --format markdown --header > loomings.md",
      "show ch_… --format doc --json",
    ],
    load: async () => (await import("../commands/reading/show.ts")).show,
  },
  {
    name: "search",
    about: "search prose and cast by keywords",
    usage: "[options] [book] <query...>",
    arguments: [afterBook("<query...>", 'words, "phrases", -word, word*')],
    options: [
      { flags: "--book <book>", about: "the book to search", is: "book" },
      { flags: "--all", about: "every book of the manuscript, one after the other" },
      limit("hits at most; with --all in each book"),
    ],
    examples: ["search white whale", "search 1 '\"old Tobit\"' --limit 5 -lamp", "search --all harbour"],
    dashedWords: true,
    load: async () => (await import("../commands/reading/search.ts")).search,
  },
  {
    name: "history",
    about: "list what was written, newest first: in a chapter, or in the whole file",
    arguments: [{ name: "[chapter]", about: NAMED, is: "chapter" }],
    options: [
      ofBook("chapter"),
      limit("entries at most"),
      { flags: "--before <act>", about: "only what is older; of a chapter, a revision too", is: "act" },
      { flags: "--after <act>", about: "only what is newer: the first of it", is: "act" },
      { flags: "--each", about: "each act by itself, and not runs of like ones" },
    ],
    examples: ["history", "history 4", "history --limit 5 --json", "history --before act_…"],
    load: async () => (await import("../commands/reading/history.ts")).history,
  },
  {
    name: "watch",
    about: "tell each write as it is made, by whatever program, going on where the last run stopped",
    arguments: [],
    options: [
      {
        flags: "--exec <command>",
        about:
          "run this by the shell for each act, one at a time, with its JSON on stdin; else a line of JSON goes to stdout",
        is: "program",
      },
      { flags: "--after <act>", about: "begin after this act; 0: with the first", is: "act" },
      { flags: "--from-now", about: "leave out what was written since the last run" },
    ],
    examples: [
      "watch",
      "watch --exec 'curl -sSf --json @- https://example.org/acts'",
      "watch --exec 'manuscript export 1 -o out --force' --from-now",
      "watch --after 0 | jq -r .kind",
    ],
    load: async () => (await import("../commands/reading/watch.ts")).watch,
  },
  {
    name: "diff",
    about: "show what changed in a chapter, word by word",
    arguments: [
      CHAPTER,
      {
        name: "[from]",
        about: "a revision, or a moment as `milestone compare` takes it; else the revision before the newest",
        is: "milestone",
        read: revisionOrMoment,
      },
      { name: "[to]", about: "the same; else the newest", is: "milestone", read: revisionOrMoment },
    ],
    options: [ofBook("chapter")],
    examples: ["diff 4", "diff Loomings 3 7", "diff 4 'Draft 2'", "diff 4 1 --json"],
    load: async () => (await import("../commands/reading/diff.ts")).diff,
  },
  {
    name: "stats",
    about: "show words a day, streak, goal and pace",
    arguments: [ONLY_BOOK],
    options: [
      {
        flags: "--days <number>",
        about: `how many, at most ${LIMITS.progressDaysMaximum}`,
        read: days,
        default: LIMITS.progressDays,
      },
    ],
    examples: ["stats", "stats 1 --days 90 --json"],
    load: async () => (await import("../commands/reading/stats.ts")).stats,
  },
  {
    name: "timeline",
    about: "list the times that a book tells, each counted from those before it",
    arguments: [ONLY_BOOK],
    options: [IN_CHAPTER],
    examples: ["timeline", "timeline 1 --chapter 4", "timeline --json"],
    load: async () => (await import("../commands/reading/timeline.ts")).timeline,
  },
  {
    name: "appearances",
    about: "show who appears in which chapters, who shares scenes, and who says how much",
    arguments: [ONLY_BOOK],
    options: [],
    examples: ["appearances", "appearances 1 --json"],
    load: async () => (await import("../commands/reading/appearances.ts")).appearances,
  },
  {
    name: "echoes",
    about: "show what the prose repeats, overuses and writes in several ways",
    arguments: [ONLY_BOOK],
    options: [IN_CHAPTER],
    examples: ["echoes", "echoes 1 --chapter 4", "echoes --json"],
    load: async () => (await import("../commands/reading/echoes.ts")).echoes,
  },
];

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
