import { DRY_RUN } from "./choices.ts";
import { NAMED, ofBook } from "./reading.ts";
import { commandRows } from "./rows.ts";

const ONE_OR_ALL = {
  "[chapter]": `${NAMED}; or give --all`,
  ...ofBook("chapter"),
  "--all": "the whole book; what is paid for is not paid again",
  "--yes": "with --all: do not ask about the bill",
} as const;

/** `detect` and `check`. */
export const ROWS = commandRows({
  detect: {
    about: "propose mentions, facts and aliases for a chapter or all; spends credits",
    takes: {
      ...ONE_OR_ALL,
      "--apply": "write all but the ambiguous, in one act",
      "--apply-above <number>": { about: "write those of this confidence or more", read: share },
      ...DRY_RUN,
    },
    examples: [
      "detect 4",
      "detect 4 --apply-above 0.8",
      "detect 4 --apply --dry-run --json",
      "detect --all --yes",
    ],
  },
  check: {
    about: "find plainly worded slips and drifting names in a chapter or all; spends credits",
    takes: {
      ...ONE_OR_ALL,
      "--dismiss <finding>": { about: "its id: never say it again; may be repeated", repeats: true },
      ...DRY_RUN,
    },
    examples: ["check 4", "check 4 --dismiss fi_…", "check Loomings --json", "check --all"],
  },
});

function share(text: string): number {
  const value = Number(text);
  if (/^[\d.]+$/.test(text) && value >= 0 && value <= 1) return value;
  throw new RangeError("It must be a number from 0 to 1.");
}
