import { DRY_RUN, OF_STATUS } from "./choices.ts";
import { A_CHAPTER, afterBook, NAMED, ONLY_BOOK, ofBook, positive, THIS_BOOK } from "./reading.ts";
import { commandRows, type Families } from "./rows.ts";

/** `chapter`, `part` and `book`. */
export const FAMILIES: Families = {
  chapter: {
    about: "add, rename, move, split, join and delete chapters",
    alone: "outline",
    examples: [
      "chapter",
      "chapter add Afterword",
      "chapter move 'The Storm' --after Calm",
      "chapter delete 4",
    ],
  },
  part: {
    about: "add, rename, move and delete parts",
    alone: "outline",
    examples: ["part", "part add 'Part Two'", "part move 'Part Two' --first", "part delete 'Part Two'"],
  },
  book: {
    about: "add, rename, describe and delete books",
    alone: "books",
    examples: [
      "book",
      "book add 'A Second Book'",
      "book edit --author 'Ada North' --language en",
      "book delete 2",
    ],
  },
};

const A_PART = { "<part>": NAMED, ...ofBook("part") } as const;
const TITLE = { "<title>": "the new title" };
const YES = { "--yes": "do not ask, though it holds words" };
const places = (within: string) => ({
  "--first": `first ${within}`,
  "--last": `last ${within}`,
  "--position <number>": { about: `at this place ${within}`, read: positive },
});
const PLACES = {
  "--part <part>": "in this part",
  "--before <chapter>": "just before this chapter",
  "--after <chapter>": "just after this chapter",
  ...places("of the part named, else of the book"),
} as const;
const PLACES_OF_PART = {
  "--before <part>": "just before this part",
  "--after <part>": "just after this part",
  ...places("of the book"),
} as const;

/** The commands of the three families, and `goal`. */
export const ROWS = commandRows({
  "chapter add": {
    about: "add a chapter: at the end, unless an option says where",
    takes: {
      "<title>": "its title",
      "[text]": "its Markdown; - for stdin",
      ...ofBook("chapter"),
      ...PLACES,
      "--status <status>": { about: "how far it is", choices: OF_STATUS },
      ...DRY_RUN,
    },
    examples: [
      "chapter add Afterword",
      'chapter add "The Storm" --part "Part Two" --first',
      "chapter add Calm - --after 'The Storm' < calm.md",
    ],
  },
  "chapter rename": {
    about: "give a chapter another title",
    takes: { ...A_CHAPTER, ...TITLE, ...DRY_RUN },
    examples: ["chapter rename 4 'The Late Ferry'"],
  },
  "chapter move": {
    about: "put a chapter elsewhere in its book; it joins the part that it then stands in",
    takes: {
      ...A_CHAPTER,
      ...PLACES,
      "--out-of-part": "in no part; behind the one it was in, unless an option says where",
      ...DRY_RUN,
    },
    examples: [
      'chapter move "The Storm" --after Calm',
      'chapter move 12 --part "Part Two"',
      'chapter move 12 --part "Part Two" --position 3',
      "chapter move Prologue --first --out-of-part",
    ],
  },
  "chapter move-paragraphs": {
    about: "move paragraphs to another chapter, or within theirs; notes and mentions go along",
    takes: {
      ...A_CHAPTER,
      "<paragraph...>": "their blockIds, in the order that they are to have: search, or show --format doc",
      "--to <chapter>": "the chapter that they go to; else they stay in theirs",
      "--after <paragraph>": "just after the paragraph of this blockId; else last",
      "--first": "before its first paragraph",
      ...DRY_RUN,
    },
    examples: [
      "chapter move-paragraphs 4 b_… b_… --to 5",
      "chapter move-paragraphs Calm b_… --to 'The Storm' --after b_…",
      "chapter move-paragraphs 4 b_… --first",
    ],
  },
  "chapter split": {
    about:
      "make two chapters of one, or one of each scene; paragraphs, notes and mentions go with their text",
    takes: {
      ...A_CHAPTER,
      "[paragraph]": "the blockId of the second chapter's first: show --format doc, or search",
      "[title]": "the second's; else that of its heading, or the chapter's own",
      "--at <where>": {
        about: "instead of a paragraph",
        choices: { scenes: "a chapter for each scene; the breaks between them go" },
      },
      ...DRY_RUN,
    },
    examples: [
      "chapter split 4 b_… 'The Storm'",
      "chapter split Calm b_… --dry-run",
      "chapter split 4 --at scenes --dry-run",
    ],
  },
  "chapter join": {
    about: "put the next chapter's prose, notes and mentions behind a chapter's own",
    takes: {
      ...A_CHAPTER,
      "[other]": "the chapter that goes behind it; else the next one",
      ...DRY_RUN,
    },
    examples: ["chapter join 4", "chapter join 4 'An Old Scene'"],
  },
  "chapter delete": {
    about: "delete a chapter; its notes stay with the book, and undo brings it back",
    takes: { ...A_CHAPTER, ...YES, ...DRY_RUN },
    examples: ["chapter delete 'The Storm'", "chapter delete ch_… --yes"],
  },
  "part add": {
    about: "add a part: at the end, unless an option says where",
    takes: { "<title>": "its title", ...ofBook("part"), ...PLACES_OF_PART, ...DRY_RUN },
    examples: ["part add 'Part Three'", "part add 'Part One' --first"],
  },
  "part rename": {
    about: "give a part another title",
    takes: { ...A_PART, ...TITLE, ...DRY_RUN },
    examples: ["part rename 2 'The Return'"],
  },
  "part move": {
    about: "put a part elsewhere in its book, its chapters with it",
    takes: { ...A_PART, ...PLACES_OF_PART, ...DRY_RUN },
    examples: ["part move 'The Return' --before 'Part One'", "part move 3 --first"],
  },
  "part delete": {
    about: "remove a part; its chapters stay where they are, without one",
    takes: { ...A_PART, ...DRY_RUN },
    examples: ["part delete 'Part Three'"],
  },
  "book add": {
    about: "make a book, empty",
    takes: { "<title>": "its title", ...DRY_RUN },
    examples: ["book add 'A Second Book'"],
  },
  "book rename": {
    about: "give a book another title",
    usage: "[options] [book] <title>",
    takes: { ...afterBook("<title...>", "the new title"), ...THIS_BOOK, ...DRY_RUN },
    examples: ["book rename 'A Better Title'", "book rename 2 'A Better Title'"],
  },
  "book edit": {
    about: "say who wrote a book, in which language and so on; without options show it",
    takes: {
      ...ONLY_BOOK,
      "--author <name>": "who wrote it; '' for nobody, and so with the others",
      "--language <language>": "as BCP 47 names it, such as en or pt-BR",
      "--rights <text>": "who may do what with it",
      "--identifier <text>": "an ISBN, or another name of this edition",
      "--description <text>": "what readers are told of it",
      "--cover <picture>": "a picture's path in the book's folder",
      ...DRY_RUN,
    },
    examples: [
      "book edit",
      "book edit --author 'Ada North' --language en",
      "book edit 2 --cover images/cover.jpg",
    ],
  },
  "book delete": {
    about: "delete a book and all that is in it; undo brings it back",
    takes: { ...ONLY_BOOK, ...YES, ...DRY_RUN },
    examples: ["book delete 2", "book delete 'A Second Book' --yes"],
  },
  goal: {
    about: "show a book's goal, set it or take it away",
    takes: {
      "[action]": { about: "shown without one", choices: { set: "set it", clear: "take it away" } },
      "[words]": { about: "with set: how many the book is to have, such as 80000 or 80k", read: words },
      ...ofBook("goal"),
      "--by <day>": "with set: until when, such as 2027-12-31; none for no day",
      "--daily <words>": { about: "with set: how many a day; none for none", read: wordsOrNone },
      ...DRY_RUN,
    },
    examples: ["goal", "goal set 80000 --by 2027-12-31 --daily 500", "goal set --daily none", "goal clear"],
  },
});

function words(text: string): number {
  const [, digits = "", thousand] = /^([\d,_.]*\d)(k?)$/i.exec(text) ?? [];
  const count = Number(thousand ? digits : digits.replace(/[,_.](?=\d{3}\b)/g, "")) * (thousand ? 1000 : 1);
  if (digits !== "" && Number.isSafeInteger(count) && count >= 1) return count;
  throw new RangeError("It must be a whole number of words, from 1 on.");
}

function wordsOrNone(text: string): number | "none" {
  return text === "none" ? text : words(text);
}
