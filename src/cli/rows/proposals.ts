import { OF_PROPOSALS } from "./choices.ts";
import { ONLY_BOOK, THIS_BOOK } from "./reading.ts";
import type { CommandRow, FamilyRow, OptionRow } from "./rows.ts";
import { DRY_RUN } from "./writing.ts";

/** `proposals`. */
export const FAMILIES: readonly FamilyRow[] = [
  {
    name: "proposals",
    about: "look at what others would change in the prose, and accept or reject it",
    examples: ["proposals list", "proposals show prop_…", "proposals accept prop_… -i"],
  },
];

const PROPOSAL = { name: "<proposal>", about: "its id, as proposals list shows it" };
const EDITS: OptionRow = {
  flags: "--edits <numbers>",
  about: "only these edits, as proposals show numbers them: 0,2",
};

/** The commands of the family. */
export const ROWS: readonly CommandRow[] = [
  {
    name: "proposals list",
    about: "list the proposals for a book's prose: those to decide, unless a status is named",
    arguments: [ONLY_BOOK],
    options: [
      { flags: "--status <status>", about: "those of this status", choices: OF_PROPOSALS },
      { flags: "--chapter <chapter>", about: "those for this chapter", is: "chapter" },
    ],
    examples: ["proposals list", "proposals list 1 --chapter 4", "proposals list --status all --json"],
    load: async () => (await import("../commands/review/proposals.ts")).proposalsList,
  },
  {
    name: "proposals show",
    about: "show a proposal: each edit word by word, and what accepting it would cost",
    arguments: [PROPOSAL],
    options: [],
    examples: ["proposals show prop_…"],
    load: async () => (await import("../commands/review/proposals.ts")).proposalsShow,
  },
  {
    name: "proposals accept",
    about: "write what is proposed into the prose, as one act that undo takes back",
    arguments: [{ ...PROPOSAL, name: "[proposal]" }],
    options: [
      EDITS,
      { flags: "--text <markdown>", about: "in your own words: for one edit; - for stdin" },
      {
        flags: "-i, --interactive",
        about: "ask for each edit whether to accept or reject it, on a terminal",
      },
      { flags: "--all", about: "with -i: of every open proposal of a book, one after another" },
      { ...THIS_BOOK, about: "with --all: the book" },
      DRY_RUN,
    ],
    examples: [
      "proposals accept prop_…",
      "proposals accept prop_… --edits 0,2",
      "proposals accept prop_… -i",
      "proposals accept --all -i",
      'proposals accept prop_… --edits 1 --text "Nobody came."',
    ],
    load: async () => (await import("../commands/review/proposals.ts")).proposalsAccept,
  },
  {
    name: "proposals reject",
    about: "decline what is proposed; nothing of the prose changes",
    arguments: [PROPOSAL],
    options: [EDITS, DRY_RUN],
    examples: ["proposals reject prop_…", "proposals reject prop_… --edits 1"],
    load: async () => (await import("../commands/review/proposals.ts")).proposalsReject,
  },
];
