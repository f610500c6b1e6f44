import { EXIT } from "../contract/problems.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { once } from "../text/once.ts";
import type { Call } from "./io/call.ts";
import type { Terminal } from "./io/terminal.ts";
import type { Given, Start } from "./program.ts";
import { findRow, takesRest } from "./rows/groups.ts";
import { FILE, JSON_ANSWER } from "./rows/help.ts";
import { type CommandRow, type OptionRow, optionNames, takesValue } from "./rows/rows.ts";

// A program that runs many command lines, as the tests do, asks the module loader once.
const loadOpening = once(() => import("./input/manuscript.ts"));
const loadParser = once(() => import("./program.ts"));
const loadDashes = once(() => import("./dashed-words.ts"));
const loadReport = once(() => import("./output/report.ts"));

/** Runs a command line, without the program's own name, and returns its exit code. Never throws, never ends the process. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const argv = words[0] === "-V" ? ["-v", ...words.slice(1)] : words; // as it was called before
  let exit: number = EXIT.done;
  const own = beforeRest(argv);
  const rest = own.length === argv.length ? undefined : argv.slice(own.length + 1);
  const fail = (code: number) => {
    exit = code;
  };
  const start: Start = async (row, call, { values, options }) => {
    const command = await row.load();
    let manuscript: Manuscript | undefined;
    const open: Call["open"] = async (how) => {
      const { openNamed } = await loadOpening();
      manuscript ??= openNamed({ ...call, terminal }, how);
      return manuscript;
    };
    try {
      await command({ ...call, terminal, rest, fail, open }, values as never, options as never); // as the row asks for them
    } finally {
      manuscript?.close();
    }
  };
  if (argv[0] === "complete") {
    const { complete } = await import("./complete/command.ts");
    await complete(argv.slice(1), terminal);
    return EXIT.done;
  }
  try {
    const plain = await readPlain(argv);
    if (plain !== undefined) await start(plain.row, plain.call, plain);
    else {
      const { buildProgram, withoutHelpCommand } = await loadParser();
      const program = await buildProgram(terminal, start);
      const { dashedWordsLast } = await loadDashes();
      const words = await dashedWordsLast(withoutHelpCommand(program, argv));
      await program.parseAsync([...words], { from: "user" });
    }
    return exit;
  } catch (thrown) {
    const { report } = await loadReport();
    const reported = await report(terminal, thrown, own.includes("--json"));
    return reported === EXIT.failed && exit !== EXIT.done ? exit : reported;
  }
}

/** The words that are the command line's own: what follows `--` is another program's. */
function beforeRest(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--");
  return end < 0 ? argv : argv.slice(0, end);
}

/** A command line read without a parser. */
export interface Plain extends Given {
  row: CommandRow;
  call: Pick<Call, "json" | "file">;
}

/**
 * Reads a command line whose options, if any, are written out and take what they are given as it is: what scripts call most.
 * Every other one is undefined here and goes to the full parser, which takes a fifth of the time of a short command to load.
 */
export async function readPlain(argv: readonly string[]): Promise<Plain | undefined> {
  const named = nameFirst(argv);
  const row = (await findRow(named.slice(0, 1))) ?? (await findRow(named.slice(0, 2)));
  if (row === undefined) return undefined;
  const read = readWords(row, named.slice(row.name.split(" ").length));
  if (read === undefined || !fits(row, read.words)) return undefined;
  const { words } = read;
  const { json = false, file, ...given } = read.options;
  const fixed = row.arguments.slice(0, -1);
  const values = takesRest(row) ? [...fixed.map((_, at) => words[at]), words.slice(fixed.length)] : words;
  const call = { json: json === true, file: file as string | undefined }; // it takes a value
  return { row, call, values, options: { ...defaultsOf(row), ...given } };
}

/** The command line with what every command takes behind the command's name. */
function nameFirst(argv: readonly string[]): readonly string[] {
  let at = 0;
  while (argv[at] === "--json" || argv[at] === "--file") at += argv[at] === "--file" ? 2 : 1;
  return [...argv.slice(at), ...argv.slice(0, at)];
}

/** Tells the words of a command line from its options; undefined if the parser is to see to any of them. */
function readWords(
  row: CommandRow,
  argv: readonly string[],
): { words: string[]; options: Record<string, unknown> } | undefined {
  const known = [FILE, JSON_ANSWER, ...(row.dashedWords ? [] : row.options)];
  const words: string[] = [];
  const options: Record<string, unknown> = {};
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (!isDashed(word)) {
      words.push(word);
      continue;
    }
    const option = known.find((one) => optionNames(one).includes(word));
    const name = option && nameOf(option);
    if (option === undefined || name === undefined || name in options) return undefined;
    const value = takesValue(option) ? argv[++at] : true;
    if (value === undefined || (typeof value === "string" && isDashed(value))) return undefined;
    options[name] = value;
  }
  return { words, options };
}

const isDashed = (word: string): boolean => word.startsWith("-") && word !== "-";

/** By what name the parser gives an option whose value is taken as it is; undefined for any other. */
function nameOf(option: OptionRow): string | undefined {
  const { flags, read, choices, repeats } = option;
  return read === undefined && choices === undefined && !repeats && !/--no-|\[/.test(flags)
    ? keyOf(option)
    : undefined;
}

/** By what name the parser gives an option: `dryRun`, and `items` also for `--no-items`. */
function keyOf({ flags }: OptionRow): string {
  const name = /--(?:no-)?([\w-]+)/.exec(flags)?.[1] ?? "";
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function fits(row: CommandRow, words: readonly string[]): boolean {
  const declared = row.arguments;
  const required = declared.filter(({ name }) => name.startsWith("<")).length;
  return (
    words.length >= required &&
    (words.length <= declared.length || takesRest(row)) &&
    declared.every(({ choices, read }, index) => {
      const value = words[index];
      return (
        value === undefined ||
        (read === undefined && (choices === undefined || Object.hasOwn(choices, value)))
      );
    })
  );
}

/** The options of a command line without any, as the parser returns them: `items` unless there is `--no-items`. */
function defaultsOf({ options }: CommandRow): Record<string, unknown> {
  const isOff = ({ flags }: OptionRow) => flags.startsWith("--no-");
  const on = new Set(options.filter((option) => !isOff(option)).map(keyOf));
  const named = options.flatMap((option): [string, unknown][] => {
    if (isOff(option)) return on.has(keyOf(option)) ? [] : [[keyOf(option), true]];
    return option.default === undefined ? [] : [[keyOf(option), option.default]];
  });
  return Object.fromEntries(named);
}
