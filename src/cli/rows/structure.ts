import { OF_STATUS } from "./choices.ts";
import { afterBook, CHAPTER, NAMED, ONLY_BOOK, ofBook, positive, THIS_BOOK } from "./reading.ts";
import type { ArgumentRow, CommandRow, FamilyRow, OptionRow } from "./rows.ts";
import { DRY_RUN } from "./writing.ts";

/** `chapter`, `part` and `book`. */
export const FAMILIES: readonly FamilyRow[] = [
  {
    name: "chapter",
    about: "add, rename, move, split, join and delete chapters",
    examples: ["chapter add Afterword", "chapter move 'The Storm' --after Calm", "chapter delete 4"],
  },
  {
    name: "part",
    about: "add, rename, move and delete parts",
    examples: ["part add 'Part Two'", "part move 'Part Two' --first", "part delete 'Part Two'"],
  },
  {
    name: "book",
    about: "add, rename and delete books",
    examples: ["book add 'A Second Book'", "book rename 'A Better Title'", "book delete 2"],
  },
];

const part: ArgumentRow = { name: "<part>", about: NAMED, is: "part" };
const title: ArgumentRow = { name: "<title>", about: "the new title" };
const YES: OptionRow = { flags: "--yes", about: "do not ask, though it holds words" };

const places = (what: "chapter" | "part", within: string): readonly OptionRow[] => [
  { flags: `--before <${what}>`, about: `just before this ${what}`, is: what },
  { flags: `--after <${what}>`, about: `just after this ${what}`, is: what },
  { flags: "--first", about: `first ${within}` },
  { flags: "--last", about: `last ${within}` },
  { flags: "--position <number>", about: `at this place ${within}`, read: positive },
];
const IN_PART: OptionRow = { flags: "--part <part>", about: "in this part", is: "part" };
const PLACES = [IN_PART, ...places("chapter", "of the part named, else of the book")];

const CHAPTERS: readonly CommandRow[] = [
  {
    name: "chapter add",
    about: "add a chapter: at the end, unless an option says where",
    arguments: [
      { name: "<title>", about: "its title" },
      { name: "[text]", about: "its Markdown; - for stdin" },
    ],
    options: [
      ofBook("chapter"),
      ...PLACES,
      { flags: "--status <status>", about: "how far it is", choices: OF_STATUS },
      DRY_RUN,
    ],
    examples: [
      "chapter add Afterword",
      'chapter add "The Storm" --part "Part Two" --first',
      "chapter add Calm - --after 'The Storm' < calm.md",
    ],
    load: async () => (await import("../commands/structure/chapter.ts")).chapterAdd,
  },
  {
    name: "chapter rename",
    about: "give a chapter another title",
    arguments: [CHAPTER, title],
    options: [ofBook("chapter"), DRY_RUN],
    examples: ["chapter rename 4 'The Late Ferry'"],
    load: async () => (await import("../commands/structure/chapter.ts")).chapterRename,
  },
  {
    name: "chapter move",
    about: "put a chapter elsewhere in its book; it joins the part that it then stands in",
    arguments: [CHAPTER],
    options: [
      ofBook("chapter"),
      ...PLACES,
      { flags: "--out-of-part", about: "in no part; behind the one it was in, unless an option says where" },
      DRY_RUN,
    ],
    examples: [
      'chapter move "The Storm" --after Calm',
      'chapter move 12 --part "Part Two"',
      'chapter move 12 --part "Part Two" --position 3',
      "chapter move Prologue --first --out-of-part",
    ],
    load: async () => (await import("../commands/structure/chapter.ts")).chapterMove,
  },
  {
    name: "chapter move-paragraphs",
    about: "move paragraphs to another chapter, or within theirs; notes and mentions go along",
    arguments: [
      CHAPTER,
      {
        name: "<paragraph...>",
        about: "their blockIds, in the order that they are to have: search, or show --format doc",
      },
    ],
    options: [
      ofBook("chapter"),
      {
        flags: "--to <chapter>",
        about: "the chapter that they go to; else they stay in theirs",
        is: "chapter",
      },
      { flags: "--after <paragraph>", about: "just after the paragraph of this blockId; else last" },
      { flags: "--first", about: "before its first paragraph" },
      DRY_RUN,
    ],
    examples: [
      "chapter move-paragraphs 4 b_… b_… --to 5",
      "chapter move-paragraphs Calm b_… --to 'The Storm' --after b_…",
      "chapter move-paragraphs 4 b_… --first",
    ],
    load: async () => (await import("../commands/structure/chapter.ts")).chapterMoveParagraphs,
  },
  {
    name: "chapter split",
    about: "make two chapters of one; paragraphs, notes and mentions go with their text",
    arguments: [
      CHAPTER,
      {
        name: "<paragraph>",
        about: "the blockId of the second chapter's first: show --format doc, or search",
      },
      { name: "[title]", about: "the second's; else that of its heading, or the chapter's own" },
    ],
    options: [ofBook("chapter"), DRY_RUN],
    examples: ["chapter split 4 b_… 'The Storm'", "chapter split Calm b_… --dry-run"],
    load: async () => (await import("../commands/structure/chapter.ts")).chapterSplit,
  },
  {
    name: "chapter join",
    about: "put the next chapter's prose, notes and mentions behind a chapter's own",
    arguments: [
      CHAPTER,
      { name: "[other]", about: "the chapter that goes behind it; else the next one", is: "chapter" },
    ],
    options: [ofBook("chapter"), DRY_RUN],
    examples: ["chapter join 4", "chapter join 4 'An Old Scene'"],
    load: async () => (await import("../commands/structure/chapter.ts")).chapterJoin,
  },
  {
    name: "chapter delete",
    about: "delete a chapter; its notes stay with the book, and undo brings it back",
    arguments: [CHAPTER],
    options: [ofBook("chapter"), YES, DRY_RUN],
    examples: ["chapter delete 'The Storm'", "chapter delete ch_… --yes"],
    load: async () => (await import("../commands/structure/chapter.ts")).chapterDelete,
  },
];

const PARTS: readonly CommandRow[] = [
  {
    name: "part add",
    about: "add a part: at the end, unless an option says where",
    arguments: [{ name: "<title>", about: "its title" }],
    options: [ofBook("part"), ...places("part", "of the book"), DRY_RUN],
    examples: ["part add 'Part Three'", "part add 'Part One' --first"],
    load: async () => (await import("../commands/structure/part.ts")).partAdd,
  },
  {
    name: "part rename",
    about: "give a part another title",
    arguments: [part, title],
    options: [ofBook("part"), DRY_RUN],
    examples: ["part rename 2 'The Return'"],
    load: async () => (await import("../commands/structure/part.ts")).partRename,
  },
  {
    name: "part move",
    about: "put a part elsewhere in its book, its chapters with it",
    arguments: [part],
    options: [ofBook("part"), ...places("part", "of the book"), DRY_RUN],
    examples: ["part move 'The Return' --before 'Part One'", "part move 3 --first"],
    load: async () => (await import("../commands/structure/part.ts")).partMove,
  },
  {
    name: "part delete",
    about: "remove a part; its chapters stay where they are, without one",
    arguments: [part],
    options: [ofBook("part"), DRY_RUN],
    examples: ["part delete 'Part Three'"],
    load: async () => (await import("../commands/structure/part.ts")).partDelete,
  },
];

const BOOKS: readonly CommandRow[] = [
  {
    name: "book add",
    about: "make a book, empty",
    arguments: [{ name: "<title>", about: "its title" }],
    options: [DRY_RUN],
    examples: ["book add 'A Second Book'"],
    load: async () => (await import("../commands/structure/book.ts")).bookAdd,
  },
  {
    name: "book rename",
    about: "give a book another title",
    usage: "[options] [book] <title>",
    arguments: [afterBook("<title...>", "the new title")],
    options: [THIS_BOOK, DRY_RUN],
    examples: ["book rename 'A Better Title'", "book rename 2 'A Better Title'"],
    load: async () => (await import("../commands/structure/book.ts")).bookRename,
  },
  {
    name: "book delete",
    about: "delete a book and all that is in it; undo brings it back",
    arguments: [ONLY_BOOK],
    options: [YES, DRY_RUN],
    examples: ["book delete 2", "book delete 'A Second Book' --yes"],
    load: async () => (await import("../commands/structure/book.ts")).bookDelete,
  },
];

const GOAL: CommandRow = {
  name: "goal",
  about: "show a book's goal, set it or take it away",
  arguments: [
    { name: "[action]", about: "shown without one", choices: { set: "set it", clear: "take it away" } },
    { name: "[words]", about: "with set: how many the book is to have, such as 80000 or 80k", read: words },
  ],
  options: [
    ofBook("goal"),
    { flags: "--by <day>", about: "with set: until when, such as 2027-12-31; none for no day" },
    { flags: "--daily <words>", about: "with set: how many a day; none for none", read: wordsOrNone },
    DRY_RUN,
  ],
  examples: ["goal", "goal set 80000 --by 2027-12-31 --daily 500", "goal set --daily none", "goal clear"],
  load: async () => (await import("../commands/structure/goal.ts")).bookGoal,
};

/** The commands of the three families, and `goal`. */
export const ROWS: readonly CommandRow[] = [...CHAPTERS, ...PARTS, ...BOOKS, GOAL];

function words(text: string): number {
  const [, digits = "", thousand] = /^([\d,_.]*\d)(k?)$/i.exec(text) ?? [];
  const count = Number(thousand ? digits : digits.replace(/[,_.](?=\d{3}\b)/g, "")) * (thousand ? 1000 : 1);
  if (digits !== "" && Number.isSafeInteger(count) && count >= 1) return count;
  throw new RangeError("It must be a whole number of words, from 1 on.");
}

function wordsOrNone(text: string): number | "none" {
  return text === "none" ? text : words(text);
}
