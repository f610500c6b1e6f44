import { once } from "../../text/once.ts";
import type { CommandRow, FamilyRow } from "./rows.ts";

/** Commands under one heading of the help. */
export interface CommandGroup {
  heading: string;
  /** The first word of each of its commands: repeated here, so that one command loads one group alone. A test compares. */
  names: readonly string[];
  load: () => Promise<{ ROWS: readonly CommandRow[]; FAMILIES?: readonly FamilyRow[] }>;
}

/** Every command, in the help's order. */
export const GROUPS: readonly CommandGroup[] = [
  {
    heading: "The manuscript:",
    names: ["init", "use", "serve", "open", "import", "sync", "export", "backup", "doctor"],
    load: once(() => import("./files.ts")),
  },
  {
    heading: "Reading:",
    names: [
      "books",
      "outline",
      "show",
      "search",
      "history",
      "watch",
      "diff",
      "stats",
      "timeline",
      "appearances",
      "echoes",
    ],
    load: once(() => import("./reading.ts")),
  },
  {
    heading: "Writing:",
    names: ["edit", "write", "restore", "replace", "status", "synopsis", "map", "undo"],
    load: once(() => import("./writing.ts")),
  },
  {
    heading: "Structure:",
    names: ["chapter", "part", "book", "goal"],
    load: once(() => import("./structure.ts")),
  },
  { heading: "Drafts:", names: ["milestone"], load: once(() => import("./milestones.ts")) },
  { heading: "Beside the prose:", names: ["facts", "notes"], load: once(() => import("./annotations.ts")) },
  { heading: "Review:", names: ["proposals"], load: once(() => import("./proposals.ts")) },
  { heading: "Asking the engine:", names: ["detect", "check"], load: once(() => import("./ai.ts")) },
  {
    heading: "Keys, account, API:",
    names: ["key", "account", "api", "mcp"],
    load: once(() => import("./access.ts")),
  },
  { heading: "Help:", names: ["completion"], load: once(() => import("./help.ts")) },
];

/** The command of these words, `facts add`; undefined if they name none. Loads its group alone. */
export async function findRow(words: readonly string[]): Promise<CommandRow | undefined> {
  const group = GROUPS.find(({ names }) => names.includes(words[0] ?? ""));
  return (await group?.load())?.ROWS.find(({ name }) => name === words.join(" "));
}

/** True if the last argument is all words that are left. */
export function takesRest({ arguments: declared }: CommandRow): boolean {
  return declared.at(-1)?.name.includes("...") ?? false;
}
