import { EXIT } from "../contract/problems.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { once } from "../text/once.ts";
import type { Call } from "./io/call.ts";
import type { Terminal } from "./io/terminal.ts";
import type { Given, Start } from "./program.ts";
import { findRow, takesRest } from "./rows/groups.ts";
import type { CommandRow } from "./rows/rows.ts";

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
    const open = async () => {
      const { openNamed } = await loadOpening();
      manuscript ??= openNamed({ ...call, terminal });
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

/** A command line read without a parser: its options are at their defaults. */
export interface Plain extends Given {
  row: CommandRow;
  call: Pick<Call, "json" | "file">;
}

/**
 * Reads a command line that holds arguments, `--json` and `--file PATH` and nothing else: what scripts call most. Every
 * other one is undefined here and goes to the full parser, which takes a fifth of the time of a short command to load.
 */
export async function readPlain(argv: readonly string[]): Promise<Plain | undefined> {
  const rest = [...argv];
  const json = take(rest, "--json", 1) !== undefined;
  const named = take(rest, "--file", 2);
  const file = named?.[1];
  if (named?.length === 1) return undefined; // the parser says what is missing
  if (rest.some((word) => word.startsWith("-") && word !== "-") || file?.startsWith("-")) return undefined;
  const row = (await findRow(rest.slice(0, 1))) ?? (await findRow(rest.slice(0, 2)));
  if (row === undefined) return undefined;
  const words = rest.slice(row.name.split(" ").length);
  if (!fits(row, words)) return undefined;
  const fixed = row.arguments.slice(0, -1);
  const values = takesRest(row) ? [...fixed.map((_, at) => words[at]), words.slice(fixed.length)] : words;
  return { row, call: { json, file }, values, options: defaultsOf(row) };
}

/** Takes the words of an option out of the command line; undefined if it is not there. */
function take(words: string[], option: string, count: number): string[] | undefined {
  const at = words.indexOf(option);
  return at < 0 ? undefined : words.splice(at, count);
}

function fits(row: CommandRow, words: readonly string[]): boolean {
  const declared = row.arguments;
  const required = declared.filter(({ name }) => name.startsWith("<")).length;
  return (
    words.length >= required &&
    (words.length <= declared.length || takesRest(row)) &&
    declared.every(({ choices, read }, index) => {
      const value = words[index];
      return value === undefined || (read === undefined && (choices?.includes(value) ?? true));
    })
  );
}

/** The options of a command line without any, as the parser returns them. */
function defaultsOf({ options }: CommandRow): Record<string, unknown> {
  const named = options.flatMap(({ flags, default: value }): [string, unknown][] => {
    const name = /--(no-)?([\w-]+)/.exec(flags);
    if (name?.[1] !== undefined) return [[name[2] ?? "", true]]; // --no-items: items unless it is given
    return value === undefined ? [] : [[name?.[2] ?? "", value]];
  });
  return Object.fromEntries(named);
}
