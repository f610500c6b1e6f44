import { readFileSync } from "node:fs";
import { Argument, Command, CommanderError, type CommandOptions, Help, Option } from "commander";
import { EXIT, EXIT_MEANING } from "../contract/problems.ts";
import { once } from "../text/once.ts";
import type { Call } from "./io/call.ts";
import { print, type Terminal } from "./io/terminal.ts";
import { GROUPS } from "./rows/groups.ts";
import { FILE, HELP, JSON_ANSWER, VERSION } from "./rows/help.ts";
import type { CommandRow, SlotRow } from "./rows/rows.ts";

const ABOUT = "A writer's whole manuscript in one file: worked on here, served over an HTTP/JSON API.";

const GLOBAL = "Global Options:";

/** Runs a command with its arguments and options, by name. */
export type Start = (
  row: CommandRow,
  call: Pick<Call, "json" | "file">,
  given: Readonly<Record<string, unknown>>,
) => Promise<void>;

/** Parses a command line and runs its command. Throws what commander throws, or the command. */
export async function parse(argv: readonly string[], terminal: Terminal, start: Start): Promise<void> {
  let written: Promise<unknown> = Promise.resolve();
  const end = argv.indexOf("--");
  const program = buildProgram(terminal, {
    start,
    write: (text) => {
      written = print(terminal, text);
    },
    typed: end < 0 ? argv : argv.slice(0, end),
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
  } finally {
    await written; // commander waits for no stream
  }
}

interface Parsing {
  start: Start;
  write: (help: string) => void;
  /** The words before `--`. */
  typed: readonly string[];
}

/** The parser and the help of the whole command line, made from its rows. */
export function buildProgram(terminal: Terminal, parsing: Parsing): Command {
  const rows = new Map<Command, CommandRow>();
  const program = emptyProgram(terminal, parsing).configureHelp({
    minWidthToWrap: 20,
    subcommandTerm: (command) => termOf(command, rows.get(command)),
    groupItems: globalLast,
  });
  // The options of a command are declared when it is the one: those of all are 500, and take a tenth of a short command's time.
  const declare = (command: Command) => {
    const row = rows.get(command);
    if (row !== undefined) declareOptions(command, row, parsing);
  };
  program.hook("preSubcommand", (_, command) => declare(command));
  const add = (parent: Command, row: CommandRow, how: CommandOptions) => {
    const command = parent.command(row.name.split(" ").at(-1) ?? "", how).description(row.about);
    for (const argument of row.arguments) command.addArgument(toArgument(argument, row.name));
    rows.set(command, row);
  };
  for (const { heading, ROWS, FAMILIES } of GROUPS) {
    program.commandsGroup(heading);
    const families = new Map<string, Command>();
    for (const { name, about, examples } of FAMILIES) {
      const family = named(program.command(name), name).description(about);
      family.addHelpText("after", listed(examples)).hook("preSubcommand", (_, command) => {
        refuseUnknown(family);
        declare(command);
      });
      families.set(name, family.helpCommand(false));
    }
    for (const row of ROWS) {
      const family = families.get(row.name.split(" ")[0] ?? "");
      add(family ?? program, row, { isDefault: FAMILIES.some(({ alone }) => alone === row.name) });
    }
    // The name of a family alone may run a command that is not in it: `chapter` runs `outline`.
    for (const { name, alone } of FAMILIES) {
      if (alone.startsWith(`${name} `)) continue;
      const row = GROUPS.flatMap((group) => group.ROWS).find((one) => one.name === alone);
      add(families.get(name)!, row!, { isDefault: true, hidden: true }); // both are there: set above, and a test
    }
  }
  for (const parent of [...program.commands, program])
    if (parent.commands.length > 0) parent.addCommand(helpCommand(parent, declare));
  return program;
}

/** The program with what it takes before any command. */
function emptyProgram(terminal: Terminal, { write }: Parsing): Command {
  const program = new Command("manuscript")
    .description(ABOUT)
    .version(version(), VERSION.flags, VERSION.about)
    .addOption(new Option("-V").hideHelp()) // its name in 0.1.0
    .on("option:V", () => {
      write(`${version()}\n`);
      throw new CommanderError(EXIT.done, "commander.version", version());
    })
    .addOption(toOption(FILE))
    .addOption(toOption(JSON_ANSWER))
    .helpOption(HELP.flags, HELP.about)
    .helpCommand(false)
    .enablePositionalOptions() // words of a search may begin with a dash: "-vivid" is not "-v"
    .configureOutput({
      writeOut: write,
      writeErr: (text) => terminal.stderr.write(text),
      outputError: () => {}, // told by report.ts
      getOutHelpWidth: () => widthOf(terminal.stdout),
      getErrHelpWidth: () => widthOf(terminal.stderr),
    })
    .exitOverride()
    .addHelpText("after", ending());
  return program;
}

/** `help facts add` and `facts help add`, where commander's own knows commands of one word alone. */
function helpCommand(parent: Command, declare: (command: Command) => void): Command {
  const help = new Command("help");
  return help
    .description(HELP.about)
    .argument("[command]")
    .allowExcessArguments()
    .helpGroup("Help:")
    .helpOption(false)
    .addOption(toOption(JSON_ANSWER).hideHelp())
    .exitOverride()
    .action(async () => {
      let command = parent;
      for (const word of help.args) {
        if (command !== parent && command.commands.length === 0) break; // its arguments, not asked about
        const next = command.commands.find((one) => one.name() === word);
        if (next === undefined) return void (await command.parseAsync([word], { from: "user" })); // refused
        command = next;
      }
      declare(command);
      await command.parseAsync(["--help"], { from: "user" });
    });
}

function declareOptions(command: Command, row: CommandRow, { start, typed }: Parsing): void {
  for (const option of row.options) command.addOption(toOption(option, row.name));
  named(command, row.name).addHelpText("after", listed(row.examples, row.setup));
  if (row.usage !== undefined) command.usage(row.usage);
  if (row.dashedWords) command.allowUnknownOption();
  command.action(async (...given: unknown[]) => {
    const { json = false, file, ...options } = command.optsWithGlobals<{ json?: boolean; file?: string }>();
    const values = Object.fromEntries(row.arguments.map(({ key }, index) => [key, given[index]]));
    if (row.dashedWords) await refuseLongOptions(command, typed);
    await start(row, { json, file }, { ...values, ...options });
  });
}

/**
 * Has commander refuse what looks like a misspelt option among words that may begin with one dash; `typed` are the words before
 * `--`.
 */
async function refuseLongOptions(command: Command, typed: readonly string[]): Promise<void> {
  const wrong = command.args.find((word) => /^--./.test(word) && typed.includes(word));
  if (wrong !== undefined) await command.allowUnknownOption(false).parseAsync([wrong], { from: "user" });
}

/** Refuses a word after a family's name that is none of its commands: commander would hand it to the default one. */
function refuseUnknown(family: Command): void {
  const [word = "-"] = family.args;
  if (word.startsWith("-") || family.commands.some((command) => command.name() === word)) return;
  (family as Command & { unknownCommand(): never }).unknownCommand(); // not in commander's types
}

/** The command, whose usage errors say which one they are about. */
function named(command: Command, name: string): Command {
  return command
    .addOption(toOption(FILE).helpGroup(GLOBAL))
    .addOption(toOption(JSON_ANSWER).helpGroup(GLOBAL))
    .exitOverride((error) => {
      throw Object.assign(error, { command: name });
    });
}

/** A command in a list of commands; only options of its own are worth a mention there. */
function termOf(command: Command, row: CommandRow | undefined): string {
  const [name, ...given] = new Help().subcommandTerm(command).replace(" [options]", "").split(" ");
  return [name, ...(row?.options.length ? ["[options]"] : []), ...given].join(" ");
}

/** The groups of a help text, in order of appearance but for what every command takes. */
function globalLast<Item extends Command | Option>(
  ...items: Parameters<typeof Help.prototype.groupItems<Item>>
): Map<string, Item[]> {
  const groups = new Help().groupItems(...items);
  const last = groups.get(GLOBAL);
  if (last !== undefined && groups.delete(GLOBAL)) groups.set(GLOBAL, last);
  return groups;
}

function toArgument({ flags, about, ...how }: SlotRow, command: string): Argument {
  return readBy(new Argument(flags, about), how, command);
}

function toOption({ flags, about, ...how }: SlotRow, command?: string): Option {
  const option = new Option(flags, about);
  if (how.default !== undefined) option.default(how.default);
  return readBy(option, how, command);
}

function readBy<Slot extends Argument | Option>(
  slot: Slot,
  { choices, repeats, read = choices && oneOf(Object.keys(choices)) }: Omit<SlotRow, "flags" | "about">,
  command: string | undefined,
): Slot {
  if (choices !== undefined) slot.choices(Object.keys(choices));
  if (repeats) slot.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  if (read !== undefined) slot.argParser((value) => readOrRefuse({ slot, command }, read, value));
  return slot;
}

/** Reads one of the choices, in whatever case it is typed. */
function oneOf(choices: readonly string[]): (value: string) => string {
  return (value) => {
    const found = choices.find((choice) => choice === value.toLowerCase());
    if (found === undefined) throw new RangeError(`Allowed choices are ${choices.join(", ")}.`);
    return found;
  };
}

function readOrRefuse(
  { slot, command }: { slot: Argument | Option; command: string | undefined },
  read: (text: string) => unknown,
  value: string,
): unknown {
  try {
    return read(value);
  } catch (error) {
    const name = slot instanceof Option ? slot.long : slot.name().toUpperCase();
    const why = error instanceof Error ? error.message : String(error);
    const fault = `${name} cannot be '${value}'. ${why}`;
    throw Object.assign(new CommanderError(EXIT.usage, "commander.unreadable", fault), { command });
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

/** The version of this program, such as "0.3.0". */
export const version = once((): string => {
  return JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;
});
