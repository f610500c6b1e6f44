import { print, type Terminal } from "../io/terminal.ts";
import { GROUPS } from "../rows/groups.ts";
import { FILE, HELP, JSON_ANSWER, VERSION } from "../rows/help.ts";
import {
  type CommandRow,
  type FamilyRow,
  optionNames,
  type SlotRow,
  takesRest,
  takesValue,
} from "../rows/rows.ts";

const ROWS = GROUPS.flatMap(({ ROWS: rows }) => rows);

/** A candidate for a word; or one of `:files`, `:folders`, `:programs`, which the shell completes by itself. */
interface Candidate {
  value: string;
  about?: string;
}

/** The words of a command line before the one that is completed, read by the rows. */
interface Line {
  /** The words that name the command so far: none, `facts`, or `facts add`. */
  path: readonly string[];
  /** Undefined until the command is named. */
  row: CommandRow | undefined;
  /** The number of the command's arguments so far. */
  values: number;
  given: ReadonlySet<SlotRow>;
  /** The option whose value comes next. */
  open: SlotRow | undefined;
  /** The number of arguments before `--`, after which no word is an option; undefined without one. */
  endedAt: number | undefined;
}

/**
 * The hidden command that the scripts of `completion` call at every TAB. `-- WORD…`, the last word as far as it is
 * typed, prints a line `VALUE<TAB>DESCRIPTION` for each candidate. It opens no manuscript, writes nothing and never
 * fails: a shell has no place to show it.
 */
export async function complete(argv: readonly string[], terminal: Terminal): Promise<void> {
  const words = argv.slice(argv.indexOf("--") + 1).join("\0");
  // bash cuts --format=text into three words.
  const lines = completeWords(words.replaceAll(/\0=\0?/g, "=").split("\0"));
  await print(terminal, lines.map((candidate) => `${Object.values(candidate).join("\t")}\n`).join(""));
}

/** The candidates for the last word, which may be empty. Nothing if the line says nothing about it. */
function completeWords(words: readonly string[]): Candidate[] {
  const word = words.at(-1) ?? "";
  const line = readLine(words.slice(0, -1));
  if (line.open !== undefined) return valuesOf(line.open, word, line);
  if (line.endedAt === undefined && word.startsWith("-")) {
    const [name, value] = cut(word);
    if (value === undefined) return options(line, word);
    const option = optionsOf(line.row).find((one) => takesValue(one) && optionNames(one).includes(name));
    if (option === undefined) return [];
    return valuesOf(option, value, line).map((found) =>
      found.value.startsWith(":") ? found : { ...found, value: `${name}=${found.value}` },
    );
  }
  if (line.row === undefined) return commands(line.path, word);
  const argument = nextArgument(line.row, line);
  if (argument !== undefined) return valuesOf(argument, word, line);
  return word === "" && line.endedAt === undefined ? options(line, "") : [];
}

/** Reads the words as the command's own parser would; those that it would refuse are passed over. */
function readLine(words: readonly string[]): Line {
  const path: string[] = [];
  const given = new Set<SlotRow>();
  let values = 0;
  let row: CommandRow | undefined;
  let open: SlotRow | undefined;
  let endedAt: number | undefined;
  for (const word of words) {
    if (open !== undefined) open = undefined;
    else if (endedAt === undefined && word === "--") endedAt = values;
    else if (endedAt === undefined && word.startsWith("-") && word !== "-") {
      const [name, value] = cut(word);
      const option = optionsOf(row).find((one) => optionNames(one).includes(name));
      if (option === undefined) continue;
      given.add(option);
      if (takesValue(option) && value === undefined) open = option;
    } else if (row !== undefined) values++;
    else {
      path.push(word);
      row = ROWS.find(({ name }) => name === path.join(" "));
    }
  }
  return { path, row, values, given, open, endedAt };
}

/** The name and the value of `--name=value`; the value is undefined if there is none. */
function cut(word: string): [name: string, value: string | undefined] {
  const at = word.startsWith("--") ? word.indexOf("=") : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function valuesOf({ is, choices }: SlotRow, word: string, { row, values, endedAt }: Line): Candidate[] {
  const found = Object.entries(choices ?? {}).map(([value, about]) => ({ value, about }));
  if (is === undefined) return found.filter(({ value }) => value.startsWith(word));
  const first = endedAt ?? row?.arguments.findIndex((argument) => argument.is === is);
  return [{ value: is === "program" && values !== first ? ":files" : `:${is}s` }];
}

/** The options that may come after a command, or before one. */
function optionsOf(row: CommandRow | undefined): readonly SlotRow[] {
  return [...(row?.options ?? []), FILE, JSON_ANSWER, HELP, ...(row === undefined ? [VERSION] : [])];
}

/** The options that may still be given. */
function options(line: Line, word: string): Candidate[] {
  return optionsOf(line.row)
    .filter((option) => option.repeats === true || !line.given.has(option))
    .map((option) => ({ value: optionNames(option).at(-1) ?? "", about: option.about }))
    .filter(({ value }) => value.startsWith(word) || word === "-");
}

/** The argument that a next word is: the last one if it takes the rest, or if it is a program's and `--` has come. */
function nextArgument(row: CommandRow, { values, endedAt }: Line): SlotRow | undefined {
  const last = row.arguments.at(-1);
  if (endedAt !== undefined && last?.is === "program") return last;
  return row.arguments[values] ?? (takesRest(row) ? last : undefined);
}

const HELP_COMMAND = { name: "help", about: HELP.about };

/** The next words of the commands and families that these words begin. */
function commands([first, ...rest]: readonly string[], word: string): Candidate[] {
  const path = first === undefined || first === HELP_COMMAND.name ? rest : [first, ...rest];
  const named: readonly Pick<FamilyRow, "name" | "about">[] = [
    ...GROUPS.flatMap(({ FAMILIES }) => FAMILIES),
    ...ROWS,
    ...(first === undefined ? [HELP_COMMAND] : []),
  ];
  return named
    .map(({ name, about }) => ({ words: name.split(" "), about }))
    .filter(({ words }) => words.length === path.length + 1 && path.every((one, at) => words[at] === one))
    .map(({ words, about }) => ({ value: words.at(-1) ?? "", about }))
    .filter(({ value }) => value.startsWith(word));
}
