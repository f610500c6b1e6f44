import { join } from "node:path";
import type { Command } from "commander";
import { buildProgram } from "../../src/cli/program.ts";
import { TIERS } from "../../src/contract/enums.ts";
import { endpoints } from "../../src/contract/index.ts";
import { EXIT, EXIT_MEANING } from "../../src/contract/problems.ts";
import { filled } from "./generated.ts";

export const README = join(import.meta.dirname, "../../README.md");

/** The page that lists every command and endpoint. */
export const REFERENCE = join(import.meta.dirname, "../../docs/reference.md");

const WIDTH = 118;

/** The reference with its generated parts as they are to be. */
export async function renewed(): Promise<string> {
  return filled(REFERENCE, { endpoints: endpointList(), commands: commandList(), exits: exitLine() });
}

function endpointList(): string {
  const rows = TIERS.flatMap((tier) =>
    [false, true].map((beyond) => {
      const own = endpoints.filter((row) => row.tier === tier && (row.beyond ?? false) === beyond);
      const routes = [...group(own)].map(([path, methods]) => `\`${methods.join("·")} ${path}\``);
      return routes.length === 0 ? "" : entry(`**${tier}${beyond ? " +" : ""}**`, routes);
    }),
  );
  return rows.filter(Boolean).join("\n");
}

/** An entry of a list: its name, then its parts. */
function entry(name: string, parts: readonly string[]): string {
  return wrapped([`- ${name}:`, ...parts], "  ");
}

/** The parts in lines of at most 118 characters; `indent` begins each line but the first. */
function wrapped([first = "", ...parts]: readonly string[], indent = ""): string {
  const lines = [first];
  for (const part of parts) {
    const line = `${lines.at(-1)} ${part}`;
    if (line.length <= WIDTH) lines[lines.length - 1] = line;
    else lines.push(indent + part);
  }
  return lines.join("\n");
}

function group(rows: typeof endpoints): Map<string, string[]> {
  const byPath = new Map<string, string[]>();
  for (const { path, method } of rows) byPath.set(path, [...(byPath.get(path) ?? []), method]);
  return byPath;
}

/** Every command line there is, by the groups of the help. */
function commandLines(): { group: string; lines: string[] }[] {
  const sink = { write: () => true };
  const program = buildProgram({ stdout: sink, stderr: sink } as never, {
    start: async () => {},
    write: () => {},
    typed: [],
  });
  const groups = new Map<string, string[]>();
  for (const command of program.commands.filter((candidate) => candidate.name() !== "help")) {
    const heading = command.helpGroup().replace(/:$/, "") || "Other";
    groups.set(heading, [...(groups.get(heading) ?? []), ...linesOf(command)]);
  }
  return [...groups].map(([name, lines]) => ({ group: name, lines }));
}

function linesOf(command: Command, prefix = ""): string[] {
  const name = `${prefix}${command.name()}`;
  const inner = command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== "help");
  if (inner.length > 0) return inner.flatMap((one) => linesOf(one, `${name} `));
  const given = command.registeredArguments.map((argument) => {
    const shown = argument.name().toUpperCase() + (argument.variadic ? "…" : "");
    return argument.required ? shown : `[${shown}]`;
  });
  return [[name, ...given].join(" ")];
}

function commandList(): string {
  return commandLines()
    .map(({ group: name, lines }) =>
      entry(
        `**${name}**`,
        lines.map((line) => `\`${line}\``),
      ),
    )
    .join("\n");
}

function exitLine(): string {
  const codes = Object.entries(EXIT).map(
    ([name, code]) => `${code} ${EXIT_MEANING[name as keyof typeof EXIT]}`,
  );
  return wrapped(`Exit codes: ${codes.join("; ")}.`.split(" "));
}
