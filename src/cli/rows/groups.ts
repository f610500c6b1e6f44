import * as access from "./access.ts";
import * as ai from "./ai.ts";
import * as annotations from "./annotations.ts";
import * as files from "./files.ts";
import * as help from "./help.ts";
import * as milestones from "./milestones.ts";
import * as proposals from "./proposals.ts";
import * as reading from "./reading.ts";
import type { CommandRow, FamilyRow } from "./rows.ts";
import * as structure from "./structure.ts";
import * as writing from "./writing.ts";

/** Commands under one heading of the help. */
interface CommandGroup {
  heading: string;
  ROWS: readonly CommandRow[];
  FAMILIES?: readonly FamilyRow[];
}

/** Every command, in the help's order. */
export const GROUPS: readonly CommandGroup[] = [
  { heading: "The manuscript:", ROWS: files.ROWS },
  { heading: "Reading:", ROWS: reading.ROWS },
  { heading: "Writing:", ROWS: writing.ROWS },
  { heading: "Structure:", ROWS: structure.ROWS, FAMILIES: structure.FAMILIES },
  { heading: "Drafts:", ROWS: milestones.ROWS, FAMILIES: milestones.FAMILIES },
  { heading: "Beside the prose:", ROWS: annotations.ROWS, FAMILIES: annotations.FAMILIES },
  { heading: "Review:", ROWS: proposals.ROWS, FAMILIES: proposals.FAMILIES },
  { heading: "Asking the engine:", ROWS: ai.ROWS },
  { heading: "Keys, account, API:", ROWS: access.ROWS, FAMILIES: access.FAMILIES },
  { heading: "Help:", ROWS: help.ROWS },
];
