import { DRY_RUN, OF_STATUS, SIDES } from "./choices.ts";
import { A_CHAPTER, afterBook, NAMED, ofBook, positive, revisionOrMoment, THIS_BOOK } from "./reading.ts";
import { commandRows } from "./rows.ts";

const SHRINKS = { "--yes": "let the chapter shrink below half" };

/** The option of what can be proposed instead of written. */
export const PROPOSE = {
  "--propose": "write nothing: propose it, a proposal a chapter, to be accepted or rejected",
};

/** `edit`, `write`, `restore`, `replace`, `status`, `synopsis`, `map` and `undo`. */
export const ROWS = commandRows({
  edit: {
    about: "edit a chapter in $VISUAL or $EDITOR, and write what became of it",
    takes: {
      ...A_CHAPTER,
      "--resume": "go on with the text of an edit that was not written",
      "--fresh": "begin anew, and leave such a text where it is",
      "--force <side>": {
        about: "where the chapter was changed meanwhile in the same place, take this side",
        choices: SIDES,
      },
      ...SHRINKS,
      ...DRY_RUN,
    },
    examples: ["edit 4", "edit Loomings --resume"],
  },
  write: {
    about: "replace a chapter's prose by Markdown; mentions stay where the text does",
    takes: {
      ...A_CHAPTER,
      "[file]": { about: "the Markdown; else stdin, and so is -", is: "file" },
      "--base <revision>": {
        about:
          "the revision that the text was made from, if its front matter does not say it: what was written since stays",
        read: positive,
      },
      "--force":
        "where the chapter was changed in the same place, and where the text is older, take the text",
      "--propose": "write nothing: propose it, to be accepted or rejected",
      ...SHRINKS,
      ...DRY_RUN,
    },
    examples: [
      "write 4 < loomings.md",
      "write Loomings loomings.md --dry-run",
      "write 4 loomings.md --base 3",
      "write 4 loomings.md --propose",
    ],
  },
  restore: {
    about:
      "make an older revision of a chapter the newest; or put a copy of the whole manuscript's file in its place, which keeps the file of until now",
    usage: "[options] <chapter> <revision> | [file] | --list",
    takes: {
      "[what]": {
        about:
          "a chapter; or a copy: a file that --list shows, a bundle's .json, any sound copy; else the newest copy, after a question",
        is: "file",
      },
      "[revision]": {
        about: "of a chapter, as history CHAPTER lists it; or a moment as `milestone compare` takes it",
        read: revisionOrMoment,
      },
      ...ofBook("chapter"),
      "--list": "list the copies of the manuscript, newest first",
      "--from <dir>": { about: "where the copies are; else NAME-backups beside the file", is: "folder" },
      "--yes": "do not ask before the newest copy is restored",
      ...DRY_RUN,
    },
    examples: [
      "restore 4 2",
      "restore 4 'Draft 2' --dry-run",
      "restore Loomings 1 --dry-run",
      "restore --list",
      "restore novel-backups/novel-2027-01-31T18-30-05Z.backup",
    ],
  },
  replace: {
    about: "replace words in a book's prose: shows what would change, and writes it with --apply",
    usage: "[options] [book] <find> <with>",
    takes: {
      ...afterBook(
        "<words...>",
        'what to find, whole words in any case, and what to put there, which takes the case of each; "" takes them out',
      ),
      ...THIS_BOOK,
      "--in <chapter>": { about: "only in this chapter", repeats: true },
      "--match-case": "only where the case is as typed, and put in as typed",
      "--regex": "<find> is a regular expression; <with> may hold $1, $<name>, $& and $$",
      "--apply": "write it, as one act that undo takes back",
      ...PROPOSE,
    },
    examples: [
      "replace grey gray",
      "replace 1 Tobit Tobias --apply",
      "replace 1 '(\\w+) o.clock' 'at $1' --regex",
    ],
  },
  status: {
    about: "set the status of a chapter, or of several as one act",
    takes: {
      "<chapter>": `${NAMED}; or numbers such as 3-7 or 1,4-6`,
      ...ofBook("chapter"),
      "<value>": { about: "the new status", choices: OF_STATUS },
      ...DRY_RUN,
    },
    examples: ["status 4 done", "status 3-7 done"],
  },
  synopsis: {
    about: "print or set a chapter's synopsis",
    takes: {
      ...A_CHAPTER,
      "[text]": 'the new synopsis; - for stdin, "" clears it; printed without it',
      "--draft": "print what the engine drafts; spends credits",
      "--save": "with --draft: save it too",
      ...DRY_RUN,
    },
    examples: [
      "synopsis 4",
      "synopsis 4 --draft --save",
      'synopsis 4 "Ishmael goes to sea."',
      "synopsis 4 - < synopsis.txt",
    ],
  },
  map: {
    about: "run a program over each paragraph, and write what it makes of them",
    usage: "[options] [target] -- <command...>",
    takes: {
      "[target]": "a book or a chapter: its id, title or number; else the only book",
      "[command...]": { about: "the program, text on its stdin and stdout", is: "program" },
      "--by <unit>": {
        about: "what it is given at a time",
        choices: { paragraph: "paragraph by paragraph", chapter: "each chapter whole" },
        default: "paragraph",
      },
      ...ofBook("chapter"),
      ...PROPOSE,
      ...DRY_RUN,
    },
    examples: [
      "map --dry-run -- sed 's/grey/gray/g'",
      "map Loomings -- python3 curl-quotes.py",
      "map 3 --book 1 --by chapter -- fmt -w 80",
    ],
  },
  undo: {
    about: "take back a write: the last one, or any that history lists",
    takes: {
      "[act]": "its id; an undo's own id redoes",
      "--since <act-or-time>":
        "this act and all after it, or all from a time on (18:30, 2027-01-31 18:30, 2h): all or none; beside an act, the line of the history that began so and nothing else",
      "--yes": "do not ask before what is larger than one chapter is taken back",
      ...DRY_RUN,
    },
    examples: ["undo", "undo act_… --dry-run", "undo act_… --since act_…", "undo --since 18:30 --dry-run"],
  },
});
