import { ONLY_BOOK, ofBook } from "./reading.ts";
import type { ArgumentRow, CommandRow, FamilyRow } from "./rows.ts";
import { DRY_RUN } from "./writing.ts";

/** `milestone`. */
export const FAMILIES: readonly FamilyRow[] = [
  {
    name: "milestone",
    about: "name states of a book, compare it with them, and go back to one",
    examples: [
      "milestone add 'Draft 2'",
      "milestone compare 'Draft 2'",
      "milestone restore 'Draft 2' --dry-run",
    ],
  },
];

const milestone: ArgumentRow = { name: "<milestone>", about: "its id, name or number", is: "milestone" };
const MOMENT = "a milestone, an act, a day (2027-01-31, its end), a time, or so long ago (2d)";
const BOOK = ofBook("milestone");

/** The commands on milestones. */
export const ROWS: readonly CommandRow[] = [
  {
    name: "milestone add",
    about: "name the book as it is, or as it was after an act",
    arguments: [{ name: "<name>", about: "such as 'Draft 2'" }],
    options: [BOOK, { flags: "--act <act>", about: "as it was after this act", is: "act" }, DRY_RUN],
    examples: ["milestone add 'Draft 2'", "milestone add 'Sent to Ada' --act act_…"],
    load: async () => (await import("../commands/structure/milestone.ts")).milestoneAdd,
  },
  {
    name: "milestone list",
    about: "list a book's milestones, oldest first, with its length then",
    arguments: [ONLY_BOOK],
    options: [],
    examples: ["milestone list", "milestone list --json"],
    load: async () => (await import("../commands/structure/milestone.ts")).milestoneList,
  },
  {
    name: "milestone compare",
    about: "show what changed in a book between two moments, chapter by chapter",
    arguments: [
      { name: "[from]", about: `${MOMENT}; else the newest milestone`, is: "milestone" },
      { name: "[to]", about: "the same; else now", is: "milestone" },
    ],
    options: [BOOK],
    examples: ["milestone compare", "milestone compare 'Draft 1' 'Draft 2'", "milestone compare 2027-01-31"],
    load: async () => (await import("../commands/structure/milestone.ts")).milestoneCompare,
  },
  {
    name: "milestone restore",
    about: "put a whole book back as it was, as one act: chapters, titles, order, parts",
    arguments: [{ name: "<moment>", about: MOMENT, is: "milestone" }],
    options: [BOOK, { flags: "--yes", about: "do not ask first" }, DRY_RUN],
    examples: ["milestone restore 'Draft 2' --dry-run", "milestone restore 'Draft 2'"],
    load: async () => (await import("../commands/structure/milestone.ts")).milestoneRestore,
  },
  {
    name: "milestone rename",
    about: "give a milestone another name",
    arguments: [milestone, { name: "<name>", about: "the new name" }],
    options: [BOOK, DRY_RUN],
    examples: ["milestone rename 'Draft 2' 'Sent to Ada'"],
    load: async () => (await import("../commands/structure/milestone.ts")).milestoneRename,
  },
  {
    name: "milestone delete",
    about: "delete a milestone: its name alone, the history keeps the state",
    arguments: [milestone],
    options: [BOOK, DRY_RUN],
    examples: ["milestone delete 'Draft 2'"],
    load: async () => (await import("../commands/structure/milestone.ts")).milestoneDelete,
  },
];
