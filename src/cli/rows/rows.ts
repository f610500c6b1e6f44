import type { Call } from "../io/call.ts";

/** What is said of an argument or an option, and how it is read. */
interface Slot {
  about: string;
  default?: string | number;
  /** What completion leaves to the shell. */
  is?: "file" | "folder" | "program";
  /** What may be typed, and what each means. */
  choices?: Readonly<Record<string, string>>;
  /** Reads the value; throws an error whose message says what is wrong with it. */
  read?: (text: string) => unknown;
  /** May be given several times. */
  repeats?: boolean;
}

/**
 * What a command takes, each by the help's notation: the arguments in order, `<book>` is required, `[book]` is not, `<words...>`
 * takes the rest; and the options, `--limit <number>`. A text alone is what is said of it.
 */
type Slots = Readonly<Record<string, string | Slot>>;

interface Described {
  about: string;
  /** Command lines without the program's own name. */
  examples: readonly string[];
}

/** A row as it is written, under the command's name. */
interface WrittenRow extends Described {
  takes?: Slots;
  /** Lines for a shell, shown as they are before the examples. */
  setup?: readonly string[];
  /** Its arguments may begin with a dash: what is no option of its own is one of them. */
  dashedWords?: boolean;
  /** The help's usage line, if the arguments do not say it. */
  usage?: string;
}

/** Rows by the names of their commands. */
export type WrittenRows = Readonly<Record<string, WrittenRow>>;

/** Families of commands by the word before their names, such as `facts` of `facts add`. */
export type Families = Readonly<Record<string, Family>>;

interface Family extends Described {
  /** The command that the family's name alone runs. */
  alone: string;
}

/** Rows, with the types of what each command takes. */
export function commandRows<const Rows extends WrittenRows>(rows: Rows): Rows {
  return rows;
}

/** An argument or an option of a command. */
export interface SlotRow extends Slot {
  /** In the help's notation. */
  flags: string;
  /** What the command knows its value by; an option is known by what commander makes of its name. */
  key: string;
}

/** One row a command; the parser, the help and the documents follow from it. Nothing of what it does is loaded with it. */
export interface CommandRow extends Omit<WrittenRow, "takes"> {
  /** As it is typed: `facts add`. */
  name: string;
  arguments: readonly SlotRow[];
  options: readonly SlotRow[];
  load: () => Promise<RunCommand>;
}

/** A family in the order of the help. */
export interface FamilyRow extends Family {
  name: string;
}

/** Lists what a row takes. */
export function slotsOf(slots: Slots): SlotRow[] {
  return Object.entries(slots).map(([flags, slot]) => ({
    flags,
    key: flags.replace(/[^\w-]/g, ""),
    ...(typeof slot === "string" ? { about: slot } : slot),
  }));
}

/** How an option is typed: `-o` and `--output`. */
export function optionNames({ flags }: SlotRow): string[] {
  return flags.replace(/ [<[].*/, "").split(", ");
}

/** True if a word follows the option. */
export function takesValue({ flags }: SlotRow): boolean {
  return flags.includes("<");
}

/** True if the last argument is all words that are left. */
export function takesRest({ arguments: declared }: CommandRow): boolean {
  return declared.at(-1)?.flags.includes("...") ?? false;
}

/** A command as the parser starts it. */
export type RunCommand = (call: Call, given: never) => Promise<void>;

/** The commands of rows whose names begin with a word: what a file of commands holds. */
export type CommandsOf<Rows extends WrittenRows, Word extends string> = {
  [Name in keyof Rows as Name extends Word | `${Word} ${string}` ? Name : never]: (
    call: Call,
    given: GivenTo<Rows[Name]>,
  ) => Promise<void>;
};

/** What a command is given, by the names of its arguments and options. */
type GivenTo<Row extends WrittenRow> = Row extends { takes: infer Taken extends Slots }
  ? Given<Taken>
  : object;

/** The options of a row by name, for what a command hands them on to. */
export type OptionsOf<Row extends WrittenRow> = Row extends { takes: infer Taken extends Slots }
  ? Given<{ [Flags in keyof Taken as Flags extends `-${string}` ? Flags : never]: Taken[Flags] }>
  : never;

type Given<Taken extends Slots> = {
  [Flags in keyof Taken as IsSure<Flags, Taken[Flags]> extends true ? KeyOf<Flags> : never]: ValueOf<
    Flags,
    Taken[Flags]
  >;
} & {
  [Flags in keyof Taken as IsSure<Flags, Taken[Flags]> extends true ? never : KeyOf<Flags>]?:
    | ValueOf<Flags, Taken[Flags]>
    | undefined;
};

/** True for what is never left out: a required argument, all words that are left, an option with a default. */
type IsSure<Flags, Taken> = Flags extends `<${string}` | `[${string}...]`
  ? true
  : Taken extends { default: unknown }
    ? true
    : false;

type KeyOf<Flags> = Flags extends `${string}--no-${infer Name}`
  ? Camel<FirstWord<Name>>
  : Flags extends `${string}--${infer Name}`
    ? Camel<FirstWord<Name>>
    : Flags extends `${"<" | "["}${infer Name}...${">" | "]"}`
      ? Name
      : Flags extends `${"<" | "["}${infer Name}${">" | "]"}`
        ? Name
        : never;
type FirstWord<Text extends string> = Text extends `${infer Word} ${string}` ? Word : Text;
type Camel<Text extends string> = Text extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Text;

type ValueOf<Flags, Taken> = Taken extends { read: (text: string) => infer Read }
  ? Read
  : Taken extends { choices: infer Choices }
    ? keyof Choices
    : Taken extends { repeats: true }
      ? string[]
      : Flags extends `${string}...${string}`
        ? string[]
        : Flags extends `${string}${"<" | "["}${string}`
          ? string
          : boolean;
