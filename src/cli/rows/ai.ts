import { NAMED, ofBook } from "./reading.ts";
import type { ArgumentRow, CommandRow, OptionRow } from "./rows.ts";
import { DRY_RUN } from "./writing.ts";

const CHAPTER: ArgumentRow = { name: "[chapter]", about: `${NAMED}; or give --all`, is: "chapter" };
const ALL: OptionRow = { flags: "--all", about: "the whole book; what is paid for is not paid again" };
const YES: OptionRow = { flags: "--yes", about: "with --all: do not ask about the bill" };

/** `detect` and `check`. */
export const ROWS: readonly CommandRow[] = [
  {
    name: "detect",
    about: "propose mentions, facts and aliases for a chapter or all; spends credits",
    arguments: [CHAPTER],
    options: [
      ofBook("chapter"),
      ALL,
      YES,
      { flags: "--apply", about: "write all but the ambiguous, in one act" },
      { flags: "--apply-above <number>", about: "write those of this confidence or more", read: share },
      DRY_RUN,
    ],
    examples: [
      "detect 4",
      "detect 4 --apply-above 0.8",
      "detect 4 --apply --dry-run --json",
      "detect --all --yes",
    ],
    load: async () => (await import("../commands/ai/detect.ts")).detect,
  },
  {
    name: "check",
    about: "find plainly worded slips and drifting names in a chapter or all; spends credits",
    arguments: [CHAPTER],
    options: [
      ofBook("chapter"),
      ALL,
      YES,
      { flags: "--dismiss <finding>", about: "its id: never say it again; may be repeated", repeats: true },
      DRY_RUN,
    ],
    examples: ["check 4", "check 4 --dismiss fi_…", "check Loomings --json", "check --all"],
    load: async () => (await import("../commands/ai/check.ts")).check,
  },
];

function share(text: string): number {
  const value = Number(text);
  if (/^[\d.]+$/.test(text) && value >= 0 && value <= 1) return value;
  throw new RangeError("It must be a number from 0 to 1.");
}
