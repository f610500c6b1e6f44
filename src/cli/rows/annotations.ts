import { DRY_RUN, OF_KIND } from "./choices.ts";
import { afterBook, ONLY_BOOK, ofBook } from "./reading.ts";
import { commandRows, type Families } from "./rows.ts";

/** `facts` and `notes`. */
export const FAMILIES: Families = {
  facts: {
    about: "list and change a book's story map: people, places, things",
    alone: "facts list",
    examples: ["facts", 'facts add "Queequeg" --kind character', "facts merge Ahab 'Captain Ahab'"],
  },
  notes: {
    about: "list and change marginalia: notes, references, to-dos, research",
    alone: "notes list",
    examples: ["notes", 'notes add 1 "Check the tide." --chapter 4', "notes delete sn_…"],
  },
};

const FACT = "its id, name or alias";
const A_FACT = { "<fact>": FACT, ...ofBook("fact") } as const;
const KIND = { "--kind <kind>": "such as character, place, object" };
const VALUES = {
  "--from <chapter>": "from this chapter on: dyed hair",
  "--summary <text>": "who or what it is",
} as const;
const ITEM = 'an entry of a todo, "[x] …" where it is done; may be repeated';
const ANCHORS = {
  "--chapter <chapter>": "beside this chapter",
  "--block <blockId>": "beside this paragraph",
} as const;

/** The commands of both families. */
export const ROWS = commandRows({
  "facts list": {
    about: "list the facts, by name",
    takes: { ...ONLY_BOOK },
    examples: ["facts list", "facts list 2 --json"],
  },
  "facts add": {
    about: "add a fact",
    usage: "[options] [book] <name>",
    takes: {
      ...afterBook("<name...>", "its name"),
      ...ofBook("fact"),
      ...KIND,
      "--alias <name>": { about: "another name; may be repeated", repeats: true },
      "--attribute <key=value>": { about: "such as eyes=grey; may be repeated", repeats: true },
      ...VALUES,
      ...DRY_RUN,
    },
    examples: [
      'facts add "Queequeg" --kind character',
      "facts add Ahab --alias 'Old Thunder' --attribute leg=ivory",
    ],
  },
  "facts show": {
    about: "show a fact: names, attributes, each sentence that describes it, and where it is mentioned",
    takes: { ...A_FACT },
    examples: ["facts show Ahab", "facts show 'Old Thunder' --json"],
  },
  "facts edit": {
    about: "change the fields given, and no other",
    takes: {
      ...A_FACT,
      "--name <name>": "another name",
      ...KIND,
      "--alias <name>": { about: "may be repeated, and replaces all aliases", repeats: true },
      "--no-aliases": "drop all aliases",
      "--attribute <key=value>": { about: "sets this one; may be repeated", repeats: true },
      "--drop-attribute <name>": { about: "takes this one out; may be repeated", repeats: true },
      ...VALUES,
      ...DRY_RUN,
    },
    examples: ['facts edit Ahab --summary "Captain of the Pequod."', "facts edit Ahab --attribute leg=ivory"],
  },
  "facts rename": {
    about: "give a fact another name, and with --prose rewrite the prose wherever the old one stands",
    takes: {
      ...A_FACT,
      "<name>": "the new name",
      "--prose":
        "in the prose, too: its mentions and whole words, possessives with them; mentions stay anchored",
      "--no-alias": "do not keep the old name as an alias",
      ...DRY_RUN,
    },
    examples: ["facts rename Tobit Tobias --prose --dry-run", "facts rename Tobit Tobias --prose"],
  },
  "facts merge": {
    about: "let one fact absorb another: names, values and mentions",
    takes: {
      "<keep>": `the fact that stays: ${FACT}`,
      "<drop>": `the fact that goes: ${FACT}`,
      "--book <book>": "their book",
      ...DRY_RUN,
    },
    examples: ["facts merge Ahab 'Captain Ahab'"],
  },
  "facts delete": {
    about: "delete a fact and its mentions; the prose stays",
    takes: { ...A_FACT, ...DRY_RUN },
    examples: ["facts delete Ahab"],
  },
  "notes list": {
    about: "list the notes, in chapter order",
    takes: {
      ...ONLY_BOOK,
      "--chapter <chapter>": "only those beside this chapter",
      "--kind <kind>": { about: "only those of this kind", choices: OF_KIND },
      "--detached": "only those whose paragraph is no longer there",
    },
    examples: ["notes list", "notes list 1 --chapter 4", "notes list --kind todo --detached"],
  },
  "notes add": {
    about: "add a note beside a book, a chapter or a paragraph",
    usage: "[options] [book] [text...]",
    takes: {
      ...afterBook("[text...]", "the note; - for stdin"),
      "--kind <kind>": { about: "what it is", choices: OF_KIND, default: "note" },
      ...ANCHORS,
      "--url <url>": "a web or mail address",
      "--item <text>": { about: ITEM, repeats: true },
      ...DRY_RUN,
    },
    examples: [
      'notes add "Check the tide." --chapter 4',
      'notes add 1 --kind todo --item "[x] count the oars"',
    ],
  },
  "notes edit": {
    about: "change what is given of a note, and nothing else",
    takes: {
      "<note>": "its id",
      "[text]": 'the new text; - for stdin, "" clears it',
      "--kind <kind>": { about: "what it is", choices: OF_KIND },
      ...ANCHORS,
      "--detach": "beside no paragraph any more",
      "--url <url>": 'a web or mail address; "" clears it',
      "--item <text>": { about: `${ITEM}, and replaces all entries`, repeats: true },
      "--no-items": "drop all entries",
      "--resolve": "mark it as settled",
      "--reopen": "mark it as not settled",
      ...DRY_RUN,
    },
    examples: ['notes edit sn_… "High water was at 6.12."', "notes edit sn_… --detach"],
  },
  "notes delete": {
    about: "delete a note; undo brings it back",
    takes: { "<note>": "its id", ...DRY_RUN },
    examples: ["notes delete sn_…"],
  },
});
