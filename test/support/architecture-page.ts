import { join } from "node:path";
import { filled } from "./generated.ts";
import { ROOMS } from "./rooms.ts";
import { WALKS } from "./walks.ts";

export const ARCHITECTURE = join(import.meta.dirname, "../../docs/architecture.md");

/** `docs/architecture.md` with its tables of rooms and of walks as they stand. */
export function architecturePage(): string {
  const rows = Object.entries(ROOMS).map(
    ([name, { holds, imports }]) => `| \`${name}\` | ${holds} | ${imports.map(entry).join(", ")} |`,
  );
  const walks = Object.entries(WALKS).map(
    ([journey, { budget, bar }]) => `| ${journey} | ${budget} | ${bar} |`,
  );
  return filled(ARCHITECTURE, {
    rooms: ["| room | what it holds | what it may import |", "|---|---|---|", ...rows].join("\n"),
    walks: ["| journey | files it enters, at most | enough |", "|---|---|---|", ...walks].join("\n"),
  });
}

/** An entry of the table: a kind of import behind the name, packages in italics. */
function entry(allowed: string): string {
  const [, kind, path = ""] = /^(?:(types|lazy):)?(.*)$/.exec(allowed) ?? [];
  const name = path.startsWith("npm:") ? `_${path.slice("npm:".length)}_` : `\`${path}\``;
  return kind === undefined ? name : `${name} (${kind})`;
}
