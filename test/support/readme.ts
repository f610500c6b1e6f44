import { join } from "node:path";
import type { Command } from "commander";
import { buildProgram } from "../../src/cli/program.ts";
import { TIERS } from "../../src/contract/enums.ts";
import { endpoints } from "../../src/contract/index.ts";
import { EXIT, EXIT_MEANING } from "../../src/contract/problems.ts";
import { filled } from "./generated.ts";

export const README = join(import.meta.dirname, "../../README.md");

/** The README with its generated parts as they are to be. */
export async function renewed(): Promise<string> {
  return filled(README, { endpoints: endpointTable(), commands: await commandTable(), exits: exitLine() });
}

function endpointTable(): string {
  const rows = TIERS.flatMap((tier) =>
    [false, true].map((beyond) => {
      const own = endpoints.filter((row) => row.tier === tier && (row.beyond ?? false) === beyond);
      const cells = [...group(own)].map(([path, methods]) => `\`${methods.join("·")} ${path}\``);
      return cells.length === 0 ? "" : `| ${tier}${beyond ? " +" : ""} | ${cells.join("<br>")} |`;
    }),
  );
  return ["| tier | routes (+ beyond the specification) |", "|---|---|", ...rows.filter(Boolean)].join("\n");
}

function group(rows: typeof endpoints): Map<string, string[]> {
  const byPath = new Map<string, string[]>();
  for (const { path, method } of rows) byPath.set(path, [...(byPath.get(path) ?? []), method]);
  return byPath;
}

/** Every command line there is, by the groups of the help. */
async function commandLines(): Promise<{ group: string; lines: string[] }[]> {
  const sink = { write: () => true };
  const program = await buildProgram({ stdout: sink, stderr: sink } as never, async () => {});
  const groups = new Map<string, string[]>();
  for (const command of program.commands.filter((candidate) => candidate.name() !== "help")) {
    const heading = command.helpGroup().replace(/:$/, "") || "Other";
    groups.set(heading, [...(groups.get(heading) ?? []), ...linesOf(command)]);
  }
  return [...groups].map(([name, lines]) => ({ group: name, lines }));
}

function linesOf(command: Command, prefix = ""): string[] {
  const name = `${prefix}${command.name()}`;
  if (command.commands.length > 0) return command.commands.flatMap((inner) => linesOf(inner, `${name} `));
  const given = command.registeredArguments.map((argument) => {
    const shown = argument.name().toUpperCase() + (argument.variadic ? "…" : "");
    return argument.required ? shown : `[${shown}]`;
  });
  return [[name, ...given].join(" ")];
}

async function commandTable(): Promise<string> {
  const rows = (await commandLines()).map(
    ({ group: name, lines }) => `| ${name} | ${lines.map((line) => `\`${line}\``).join(" ")} |`,
  );
  return ["| | |", "|---|---|", ...rows].join("\n");
}

function exitLine(): string {
  const codes = Object.entries(EXIT).map(
    ([name, code]) => `${code} ${EXIT_MEANING[name as keyof typeof EXIT]}`,
  );
  return `Exit codes: ${codes.join("; ")}.`;
}
