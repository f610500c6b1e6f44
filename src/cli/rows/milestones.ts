import { DRY_RUN } from "./choices.ts";
import { ONLY_BOOK, ofBook } from "./reading.ts";
import { commandRows, type Families } from "./rows.ts";

/** `milestone`. */
export const FAMILIES: Families = {
  milestone: {
    about: "name states of a book, compare it with them, and go back to one",
    alone: "milestone list",
    examples: [
      "milestone",
      "milestone add 'Draft 2'",
      "milestone compare 'Draft 2'",
      "milestone restore 'Draft 2' --dry-run",
    ],
  },
};

const MOMENT = "a milestone, an act, a day (2027-01-31, its end), a time, or so long ago (2d)";
const BOOK = ofBook("milestone");
const A_MILESTONE = { "<milestone>": "its id, name or number", ...BOOK } as const;

/** The commands on milestones. */
export const ROWS = commandRows({
  "milestone add": {
    about: "name the book as it is, or as it was after an act",
    takes: {
      "<name>": "such as 'Draft 2'",
      ...BOOK,
      "--act <act>": "as it was after this act",
      ...DRY_RUN,
    },
    examples: ["milestone add 'Draft 2'", "milestone add 'Sent to Ada' --act act_…"],
  },
  "milestone list": {
    about: "list a book's milestones, oldest first, with its length then",
    takes: { ...ONLY_BOOK },
    examples: ["milestone list", "milestone list --json"],
  },
  "milestone compare": {
    about: "show what changed in a book between two moments, chapter by chapter",
    takes: {
      "[from]": `${MOMENT}; else the newest milestone`,
      "[to]": "the same; else now",
      ...BOOK,
    },
    examples: ["milestone compare", "milestone compare 'Draft 1' 'Draft 2'", "milestone compare 2027-01-31"],
  },
  "milestone restore": {
    about: "put a whole book back as it was, as one act: chapters, titles, order, parts",
    takes: {
      "<moment>": MOMENT,
      ...BOOK,
      "--yes": "do not ask first",
      ...DRY_RUN,
    },
    examples: ["milestone restore 'Draft 2' --dry-run", "milestone restore 'Draft 2'"],
  },
  "milestone rename": {
    about: "give a milestone another name",
    takes: { ...A_MILESTONE, "<name>": "the new name", ...DRY_RUN },
    examples: ["milestone rename 'Draft 2' 'Sent to Ada'"],
  },
  "milestone delete": {
    about: "delete a milestone: its name alone, the history keeps the state",
    takes: { ...A_MILESTONE, ...DRY_RUN },
    examples: ["milestone delete 'Draft 2'"],
  },
});
