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

/** The words of a command line before the one that is completed, read by the rows. */
export interface Line {
  /** The words that name the command so far: none, `facts`, or `facts add`. */
  path: readonly string[];
  /** Undefined until the command is named. */
  row: CommandRow | undefined;
  /** The command's arguments so far. */
  values: readonly string[];
  /** The values of each option so far; "" for those without one. */
  given: ReadonlyMap<SlotRow, readonly string[]>;
  /** The option whose value comes next. */
  open: SlotRow | undefined;
  /** How many arguments stood before `--`, after which no word is an option any more; undefined without one. */
  endedAt: number | undefined;
}

/** Reads the words as the command's own parser would; those that it would refuse are passed over. */
export function readLine(words: readonly string[]): Line {
  const path: string[] = [];
  const values: string[] = [];
  const given = new Map<SlotRow, string[]>();
  let row: CommandRow | undefined;
  let open: SlotRow | undefined;
  let endedAt: number | undefined;
  for (const word of words) {
    if (open !== undefined) {
      given.set(open, [...(given.get(open) ?? []), word]);
      open = undefined;
    } else if (endedAt === undefined && word === "--") endedAt = values.length;
    else if (endedAt === undefined && word.startsWith("-") && word !== "-") {
      const [name = "", value] = cut(word);
      const option = optionsOf(row).find((one) => optionNames(one).includes(name));
      if (option === undefined) continue;
      if (takesValue(option) && value === undefined) open = option;
      else given.set(option, [...(given.get(option) ?? []), value ?? ""]);
    } else if (row !== undefined) values.push(word);
    else {
      path.push(word);
      row = ROWS.find(({ name }) => name === path.join(" "));
    }
  }
  return { path, row, values, given, open, endedAt };
}

/** The name and the value of `--name=value`; the value is undefined if there is none. */
export function cut(word: string): [name: string, value: string | undefined] {
  const at = word.startsWith("--") ? word.indexOf("=") : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/** The options that may come after a command, or before one. */
export function optionsOf(row: CommandRow | undefined): readonly SlotRow[] {
  return [...(row?.options ?? []), FILE, JSON_ANSWER, HELP, ...(row === undefined ? [VERSION] : [])];
}

/** The argument that a next word is: the last one if it takes the rest, or if it is a program's and `--` has come. */
export function nextArgument(
  row: CommandRow,
  { values, endedAt }: Pick<Line, "values" | "endedAt">,
): SlotRow | undefined {
  const declared = row.arguments;
  const last = declared.at(-1);
  if (endedAt !== undefined && last?.is === "program") return last;
  // Only the first of the words that begin with a book is one.
  if (takesRest(row) && last?.is === "book" && values.length >= declared.length) return undefined;
  return declared[values.length] ?? (takesRest(row) ? last : undefined);
}

/** The commands and families whose names begin with these words, without them. */
export function listCommands(path: readonly string[]): { name: string; about: string }[] {
  const named: readonly (FamilyRow | CommandRow)[] = [...GROUPS.flatMap(({ FAMILIES }) => FAMILIES), ...ROWS];
  const found = named.map(({ name, about }) => ({ words: name.split(" "), about }));
  return found
    .filter(({ words }) => words.length === path.length + 1 && path.every((word, at) => words[at] === word))
    .map(({ words, about }) => ({ name: words.at(-1) ?? "", about }));
}
