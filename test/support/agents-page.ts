import { join } from "node:path";
import { toolsFor } from "../../src/mcp/rows/tools.ts";
import { filled } from "./generated.ts";

export const AGENTS = join(import.meta.dirname, "../../docs/agents.md");

/** `docs/agents.md` with the table of tools as it stands. */
export function agentsPage(): string {
  const rows = toolsFor("write").map(({ name, about, effect, needsWrite }) => {
    const needs = needsWrite ? "`--allow-write`" : effect === "reads" ? "" : "not `--read-only`";
    return `| \`${name}\` | ${about.replaceAll("|", "\\|")} | ${needs} |`;
  });
  return filled(AGENTS, { tools: ["| tool | what it does | needs |", "|---|---|---|", ...rows].join("\n") });
}
