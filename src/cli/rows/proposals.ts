import { DRY_RUN, OF_PROPOSALS } from "./choices.ts";
import { ONLY_BOOK } from "./reading.ts";
import { commandRows, type Families } from "./rows.ts";

/** `proposals`. */
export const FAMILIES: Families = {
  proposals: {
    about: "look at what others would change in the prose, and accept or reject it",
    alone: "proposals list",
    examples: ["proposals", "proposals show prop_…", "proposals accept prop_…"],
  },
};

const A_PROPOSAL = { "<proposal>": "its id, as proposals list shows it" };
const EDITS = { "--edits <numbers>": "only these edits, as proposals show numbers them: 0,2" };

/** The commands of the family. */
export const ROWS = commandRows({
  "proposals list": {
    about: "list the proposals for a book's prose: those to decide, unless a status is named",
    takes: {
      ...ONLY_BOOK,
      "--status <status>": { about: "those of this status", choices: OF_PROPOSALS },
      "--chapter <chapter>": "those for this chapter",
    },
    examples: ["proposals list", "proposals list 1 --chapter 4", "proposals list --status all --json"],
  },
  "proposals show": {
    about: "show a proposal: each edit word by word, and what accepting it would cost",
    takes: { ...A_PROPOSAL },
    examples: ["proposals show prop_…"],
  },
  "proposals accept": {
    about: "write what is proposed into the prose, as one act that undo takes back",
    takes: {
      ...A_PROPOSAL,
      ...EDITS,
      "--text <markdown>": "in your own words: for one edit; - for stdin",
      ...DRY_RUN,
    },
    examples: [
      "proposals accept prop_…",
      "proposals accept prop_… --edits 0,2",
      'proposals accept prop_… --edits 1 --text "Nobody came."',
    ],
  },
  "proposals reject": {
    about: "decline what is proposed; nothing of the prose changes",
    takes: { ...A_PROPOSAL, ...EDITS, ...DRY_RUN },
    examples: ["proposals reject prop_…", "proposals reject prop_… --edits 1"],
  },
});
