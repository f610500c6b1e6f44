import { OF_KIND } from "./choices.ts";
import { afterBook, ONLY_BOOK, ofBook } from "./reading.ts";
import type { CommandRow, FamilyRow, OptionRow } from "./rows.ts";
import { DRY_RUN } from "./writing.ts";

/** `facts` and `notes`. */
export const FAMILIES: readonly FamilyRow[] = [
  {
    name: "facts",
    about: "list and change a book's story map: people, places, things",
    examples: ["facts list", 'facts add "Queequeg" --kind character', "facts merge Ahab 'Captain Ahab'"],
  },
  {
    name: "notes",
    about: "list and change marginalia: notes, references, to-dos, research",
    examples: ["notes list", 'notes add 1 "Check the tide." --chapter 4', "notes delete sn_…"],
  },
];

const FACT = "its id, name or alias";
const kind = { flags: "--kind <kind>", about: "such as character, place, object" };
const from: OptionRow = {
  flags: "--from <chapter>",
  about: "from this chapter on: dyed hair",
  is: "chapter",
};
const summary = { flags: "--summary <text>", about: "who or what it is" };

const FACTS: readonly CommandRow[] = [
  {
    name: "facts list",
    about: "list the facts, by name",
    arguments: [ONLY_BOOK],
    options: [],
    examples: ["facts list", "facts list 2 --json"],
    load: async () => (await import("../commands/annotations/facts.ts")).factsList,
  },
  {
    name: "facts add",
    about: "add a fact",
    usage: "[options] [book] <name>",
    arguments: [afterBook("<name...>", "its name")],
    options: [
      ofBook("fact"),
      kind,
      { flags: "--alias <name>", about: "another name; may be repeated", repeats: true },
      { flags: "--attribute <key=value>", about: "such as eyes=grey; may be repeated", repeats: true },
      from,
      summary,
      DRY_RUN,
    ],
    examples: [
      'facts add "Queequeg" --kind character',
      "facts add Ahab --alias 'Old Thunder' --attribute leg=ivory",
    ],
    load: async () => (await import("../commands/annotations/facts.ts")).factsAdd,
  },
  {
    name: "facts show",
    about: "show a fact: names, attributes, each sentence that describes it, and where it is mentioned",
    arguments: [{ name: "<fact>", about: FACT, is: "fact" }],
    options: [ofBook("fact")],
    examples: ["facts show Ahab", "facts show 'Old Thunder' --json"],
    load: async () => (await import("../commands/annotations/facts.ts")).factsShow,
  },
  {
    name: "facts edit",
    about: "change the fields given, and no other",
    arguments: [{ name: "<fact>", about: FACT, is: "fact" }],
    options: [
      ofBook("fact"),
      { flags: "--name <name>", about: "another name" },
      kind,
      { flags: "--alias <name>", about: "may be repeated, and replaces all aliases", repeats: true },
      { flags: "--no-aliases", about: "drop all aliases" },
      { flags: "--attribute <key=value>", about: "sets this one; may be repeated", repeats: true },
      { flags: "--drop-attribute <name>", about: "takes this one out; may be repeated", repeats: true },
      from,
      summary,
      DRY_RUN,
    ],
    examples: ['facts edit Ahab --summary "Captain of the Pequod."', "facts edit Ahab --attribute leg=ivory"],
    load: async () => (await import("../commands/annotations/facts.ts")).factsEdit,
  },
  {
    name: "facts rename",
    about: "give a fact another name, and with --prose rewrite the prose wherever the old one stands",
    arguments: [
      { name: "<fact>", about: FACT, is: "fact" },
      { name: "<name>", about: "the new name" },
    ],
    options: [
      ofBook("fact"),
      {
        flags: "--prose",
        about:
          "in the prose, too: its mentions and whole words, possessives with them; mentions stay anchored",
      },
      { flags: "--no-alias", about: "do not keep the old name as an alias" },
      DRY_RUN,
    ],
    examples: ["facts rename Tobit Tobias --prose --dry-run", "facts rename Tobit Tobias --prose"],
    load: async () => (await import("../commands/annotations/rename-fact.ts")).factsRename,
  },
  {
    name: "facts merge",
    about: "let one fact absorb another: names, values and mentions",
    arguments: [
      { name: "<keep>", about: `the fact that stays: ${FACT}`, is: "fact" },
      { name: "<drop>", about: `the fact that goes: ${FACT}`, is: "fact" },
    ],
    options: [{ flags: "--book <book>", about: "their book", is: "book" }, DRY_RUN],
    examples: ["facts merge Ahab 'Captain Ahab'"],
    load: async () => (await import("../commands/annotations/facts.ts")).factsMerge,
  },
  {
    name: "facts delete",
    about: "delete a fact and its mentions; the prose stays",
    arguments: [{ name: "<fact>", about: FACT, is: "fact" }],
    options: [ofBook("fact"), DRY_RUN],
    examples: ["facts delete Ahab"],
    load: async () => (await import("../commands/annotations/facts.ts")).factsRemove,
  },
];

const ITEM = 'an entry of a todo, "[x] …" where it is done; may be repeated';
const anchors: readonly OptionRow[] = [
  { flags: "--chapter <chapter>", about: "beside this chapter", is: "chapter" },
  { flags: "--block <blockId>", about: "beside this paragraph" },
];

const NOTES: readonly CommandRow[] = [
  {
    name: "notes list",
    about: "list the notes, in chapter order",
    arguments: [ONLY_BOOK],
    options: [{ flags: "--chapter <chapter>", about: "only those beside this chapter", is: "chapter" }],
    examples: ["notes list", "notes list 1 --chapter 4"],
    load: async () => (await import("../commands/annotations/notes.ts")).notesList,
  },
  {
    name: "notes add",
    about: "add a note beside a book, a chapter or a paragraph",
    usage: "[options] [book] [text...]",
    arguments: [afterBook("[text...]", "the note; - for stdin")],
    options: [
      { flags: "--kind <kind>", about: "what it is", choices: OF_KIND, default: "note" },
      ...anchors,
      { flags: "--url <url>", about: "a web or mail address" },
      { flags: "--item <text>", about: ITEM, repeats: true },
      DRY_RUN,
    ],
    examples: [
      'notes add "Check the tide." --chapter 4',
      'notes add 1 --kind todo --item "[x] count the oars"',
    ],
    load: async () => (await import("../commands/annotations/notes.ts")).notesAdd,
  },
  {
    name: "notes edit",
    about: "change what is given of a note, and nothing else",
    arguments: [
      { name: "<note>", about: "its id", is: "note" },
      { name: "[text]", about: 'the new text; - for stdin, "" clears it' },
    ],
    options: [
      { flags: "--kind <kind>", about: "what it is", choices: OF_KIND },
      ...anchors,
      { flags: "--detach", about: "beside no paragraph any more" },
      { flags: "--url <url>", about: 'a web or mail address; "" clears it' },
      { flags: "--item <text>", about: `${ITEM}, and replaces all entries`, repeats: true },
      { flags: "--no-items", about: "drop all entries" },
      DRY_RUN,
    ],
    examples: ['notes edit sn_… "High water was at 6.12."', "notes edit sn_… --detach"],
    load: async () => (await import("../commands/annotations/notes.ts")).notesEdit,
  },
  {
    name: "notes delete",
    about: "delete a note; undo brings it back",
    arguments: [{ name: "<note>", about: "its id", is: "note" }],
    options: [DRY_RUN],
    examples: ["notes delete sn_…"],
    load: async () => (await import("../commands/annotations/notes.ts")).notesRemove,
  },
];

/** The commands of both families. */
export const ROWS: readonly CommandRow[] = [...FACTS, ...NOTES];
