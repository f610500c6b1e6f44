import { readFileSync } from "node:fs";
import { Argument, Command, InvalidArgumentError, Option } from "commander";
import { EXIT, EXIT_MEANING } from "../contract/problems.ts";
import type { Call } from "./io/call.ts";
import type { Terminal } from "./io/terminal.ts";
import { GROUPS } from "./rows/groups.ts";
import { FILE, HELP, JSON_ANSWER, VERSION } from "./rows/help.ts";
import type { CommandRow, OptionRow } from "./rows/rows.ts";

const ABOUT = "A writer's whole manuscript in one file: worked on here, served over an HTTP/JSON API.";

const HELP_WORD = "help";

/** What a command receives from its command line: arguments in order, options by name. */
export interface Given {
  values: readonly unknown[];
  options: Readonly<Record<string, unknown>>;
}

/** Runs a command with what was read for it. */
export type Start = (row: CommandRow, call: Pick<Call, "json" | "file">, given: Given) => Promise<void>;

/** The parser and the help of the whole command line, made from its rows. */
export async function buildProgram(terminal: Terminal, start: Start): Promise<Command> {
  const program = new Command("manuscript")
    .description(ABOUT)
    .version(version(), VERSION.flags, VERSION.about)
    .addOption(toOption(FILE))
    .addOption(toOption(JSON_ANSWER))
    .helpOption(HELP.flags, HELP.about)
    .commandsGroup("Help:")
    .helpCommand(`${HELP_WORD} [command]`, HELP.about)
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 20 })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: () => {}, // told by report.ts
      getOutHelpWidth: () => widthOf(terminal.stdout),
      getErrHelpWidth: () => widthOf(terminal.stderr),
    })
    .exitOverride()
    .addHelpText("after", ending());
  for (const { heading, load } of GROUPS) {
    const { ROWS, FAMILIES = [] } = await load();
    program.commandsGroup(heading);
    const families = new Map<string, Command>();
    for (const { name, about, examples } of FAMILIES) {
      const family = named(program.command(name), name);
      families.set(name, family.description(about).addHelpText("after", listed(examples)));
    }
    for (const row of ROWS) {
      const [first = "", second] = row.name.split(" ");
      const parent = families.get(first) ?? program;
      declare(parent.command(second ?? first), row, start);
    }
  }
  return program;
}

/**
 * The command line with its "help": `help facts add` is `facts add --help`. Of words that name no command it is what comes
 * up to the first of them, which the parser then refuses with what may have been meant.
 */
export function withoutHelpCommand(program: Command, argv: readonly string[]): readonly string[] {
  const named = (parent: Command, word = "") => parent.commands.find((command) => command.name() === word);
  const at =
    argv[0] === HELP_WORD ? 0 : argv[1] === HELP_WORD && named(program, argv[0])?.commands[0] ? 1 : -1;
  const words = argv.toSpliced(at, 1).filter((word) => !word.startsWith("-"));
  if (at < 0) return argv;
  const path: string[] = [];
  let command = program;
  for (const word of words) {
    if (command !== program && command.commands.length === 0) break; // its arguments, not asked about
    path.push(word);
    const next = named(command, word);
    if (next === undefined) return [...path, ...argv.filter((option) => option === "--json")];
    command = next;
  }
  return [...path, "--help"];
}

function declare(command: Command, row: CommandRow, start: Start): void {
  named(command, row.name).description(row.about).addHelpText("after", listed(row.examples, row.setup));
  if (row.usage !== undefined) command.usage(row.usage);
  for (const { name, about, choices, read } of row.arguments) {
    const argument = new Argument(name, about);
    if (choices !== undefined) argument.choices(Object.keys(choices)).argParser(oneOf(Object.keys(choices)));
    if (read !== undefined) argument.argParser((value) => readOrRefuse(read, value));
    command.addArgument(argument);
  }
  for (const option of row.options) command.addOption(toOption(option));
  command.action((...given: unknown[]) => {
    const { json = false, file } = command.optsWithGlobals<{ json?: boolean; file?: string }>();
    // Commander passes the options after the arguments, then the command.
    return start(row, { json, file }, { values: given.slice(0, -2), options: command.opts() });
  });
}

/** The command, whose usage errors say which one they are about. */
function named(command: Command, name: string): Command {
  return command.exitOverride((error) => {
    throw Object.assign(error, { command: name });
  });
}

function toOption({ flags, about, read, choices, repeats, ...row }: OptionRow): Option {
  const option = new Option(flags, about);
  if (row.default !== undefined) option.default(row.default);
  if (choices !== undefined) option.choices(Object.keys(choices)).argParser(oneOf(Object.keys(choices)));
  if (repeats) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  if (read !== undefined) option.argParser((value) => readOrRefuse(read, value));
  return option;
}

/** Reads one of the choices, in whatever case it is typed. */
function oneOf(choices: readonly string[]): (value: string) => string {
  return (value) => {
    const found = choices.find((choice) => choice === value.toLowerCase());
    if (found === undefined) throw new InvalidArgumentError(`Allowed choices are ${choices.join(", ")}.`);
    return found;
  };
}

function readOrRefuse(read: (text: string) => unknown, value: string): unknown {
  try {
    return read(value);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

const WIDTH = 100;

function widthOf({ isTTY, columns }: Terminal["stdout"]): number {
  return isTTY && columns !== undefined ? Math.min(columns, WIDTH) : WIDTH;
}

function listed(examples: readonly string[], setup: readonly string[] = []): string {
  const lines = [...setup, ...examples.map((line) => `manuscript ${line}`)];
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

function ending(): string {
  const codes = Object.entries(EXIT).map(
    ([name, code]) => `  ${code}  ${EXIT_MEANING[name as keyof typeof EXIT]}`,
  );
  return `
A BOOK or CHAPTER is an id, its number in the list, or a title: in any case, without accents, or
words of it alone. Where there is one book, no command needs it named.

Environment:
  MANUSCRIPT_FILE     the manuscript, where --file does not name it
  MANUSCRIPT_DEBUG=1  shows where a failure came from
  NO_COLOR=1          no colour on a terminal

Exit codes:
${codes.join("\n")}
${listed(["init", "import my-novel/", "outline 1", "serve"])}`;
}

function version(): string {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
}
