import type { CandidateKind } from "../../service/completion/candidates.ts";
import type { Call } from "../io/call.ts";

/** What a command does with its arguments, in order, and its options by name. */
export type RunCommand = (call: Call, values: never, options: never) => Promise<void>;

/**
 * What a value names: something in the manuscript, a book or chapter alike (`target`), a chapter or a copy of the whole file
 * (`restorable`), or what the shell knows. Completion asks.
 */
export type Meaning = CandidateKind | "target" | "restorable" | "path" | "folder" | "program";

/** One argument of a command, in the help's notation: `<book>` is required, `[book]` is not, `<words...>` takes the rest. */
export interface ArgumentRow {
  name: string;
  about: string;
  is?: Meaning;
  /** What may be typed, and what each means. */
  choices?: Readonly<Record<string, string>>;
  /** Reads the value; throws an error whose message says what is wrong with it. */
  read?: (text: string) => unknown;
}

/** One option of a command, in the help's notation: `--limit <number>`. */
export interface OptionRow {
  flags: string;
  about: string;
  default?: string | number;
  is?: Meaning;
  /** What may be typed, and what each means. */
  choices?: Readonly<Record<string, string>>;
  /** Reads the value; throws an error whose message says what is wrong with it. */
  read?: (text: string) => unknown;
  /** May be given several times. */
  repeats?: boolean;
}

/** How an option is typed: `-o` and `--output`. */
export function optionNames({ flags }: OptionRow): string[] {
  return flags.replace(/ [<[].*/, "").split(", ");
}

/** True if a word follows the option. */
export function takesValue({ flags }: OptionRow): boolean {
  return flags.includes("<");
}

/** One row a command; the parser, the help and the documents follow from it. Nothing of what it does is loaded with it. */
export interface CommandRow {
  /** As it is typed: `facts add`. */
  name: string;
  about: string;
  arguments: readonly ArgumentRow[];
  options: readonly OptionRow[];
  /** Command lines without the program's own name. */
  examples: readonly string[];
  /** Lines for a shell, shown as they are before the examples. */
  setup?: readonly string[];
  /** Its arguments may begin with a dash: what is no option of its own is one of them. */
  dashedWords?: boolean;
  /** The help's usage line, if the arguments do not say it. */
  usage?: string;
  load: () => Promise<RunCommand>;
}

/** A family of commands that is named before them: `facts` of `facts add`. */
export interface FamilyRow {
  name: string;
  about: string;
  examples: readonly string[];
}

/** True if the last argument is all words that are left. */
export function takesRest({ arguments: declared }: CommandRow): boolean {
  return declared.at(-1)?.name.includes("...") ?? false;
}
