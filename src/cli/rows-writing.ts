import { STATUSES } from "../contract/enums.ts";
import type { CommandRow, OptionRow } from "./rows.ts";
import { NAMED, ofBook } from "./rows-reading.ts";

/** The option that every write takes. */
export const DRY_RUN: OptionRow = { flags: "--dry-run", about: "say what would be done, and write nothing" };

const chapter = { name: "<chapter>", about: NAMED };

/** `status`, `synopsis` and `undo`. */
export const ROWS: readonly CommandRow[] = [
  {
    name: "status",
    about: "set a chapter's status",
    arguments: [chapter, { name: "<value>", about: "the new status", choices: STATUSES }],
    options: [ofBook("chapter"), DRY_RUN],
    examples: ["status 4 done"],
    load: async () => (await import("./commands/status.ts")).status,
  },
  {
    name: "synopsis",
    about: "print or set a chapter's synopsis",
    arguments: [
      chapter,
      { name: "[text]", about: 'the new synopsis; - for stdin, "" clears it; printed without it' },
    ],
    options: [
      ofBook("chapter"),
      { flags: "--draft", about: "print what the engine drafts; spends credits" },
      { flags: "--save", about: "with --draft: save it too" },
      DRY_RUN,
    ],
    examples: [
      "synopsis 4",
      "synopsis 4 --draft --save",
      'synopsis 4 "Ishmael goes to sea."',
      "synopsis 4 - < synopsis.txt",
    ],
    load: async () => (await import("./commands/synopsis.ts")).synopsis,
  },
  {
    name: "undo",
    about: "take back a write: the last one, or any that history lists",
    arguments: [{ name: "[act]", about: "its id" }],
    options: [DRY_RUN],
    examples: ["undo", "undo act_… --dry-run"],
    load: async () => (await import("./commands/undo.ts")).undo,
  },
];
