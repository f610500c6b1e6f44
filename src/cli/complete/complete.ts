import { print, type Terminal } from "../io/terminal.ts";
import { HELP } from "../rows/help.ts";
import { optionNames, type SlotRow, takesValue } from "../rows/rows.ts";
import { cut, type Line, listCommands, nextArgument, optionsOf, readLine } from "./line.ts";
import type { Offer } from "./named.ts";

/** The candidates for a word; `shell` says what the shell completes by itself. */
export interface Completion {
  offers: readonly Offer[];
  shell?: "files" | "folders" | "programs";
}

/** The candidates for the last word, which may be empty. Nothing if the line says nothing about it. */
async function completeWords(words: readonly string[], terminal: Terminal): Promise<Completion> {
  const word = words.at(-1) ?? "";
  const line = readLine(words.slice(0, -1));
  if (line.open !== undefined) return await valuesOf(line.open, word, { line, terminal });
  if (line.endedAt === undefined && word.startsWith("-")) {
    const [name, value] = cut(word);
    if (value === undefined) return { offers: options(line, word) };
    const option = optionsOf(line.row).find((one) => takesValue(one) && optionNames(one).includes(name));
    if (option === undefined) return { offers: [] };
    const { offers, ...rest } = await valuesOf(option, value, { line, terminal });
    return { offers: offers.map((offer) => ({ ...offer, value: `${name}=${offer.value}` })), ...rest };
  }
  if (line.row === undefined) return { offers: commands(line.path, word) };
  const argument = nextArgument(line.row, line);
  if (argument !== undefined) return await valuesOf(argument, word, { line, terminal });
  return { offers: word === "" && line.endedAt === undefined ? options(line, "") : [] };
}

async function valuesOf(
  { is, choices }: SlotRow,
  word: string,
  context: { line: Line; terminal: Terminal },
): Promise<Completion> {
  if (choices !== undefined) {
    const found = Object.entries(choices).filter(([choice]) => choice.startsWith(word));
    return { offers: found.map(([value, meaning]) => ({ value, about: meaning })) };
  }
  if (is === undefined) return { offers: [] };
  if (is === "path") return { offers: [], shell: "files" };
  if (is === "folder") return { offers: [], shell: "folders" };
  if (is === "program") {
    const { row, values, endedAt } = context.line;
    const first = endedAt ?? row?.arguments.findIndex((argument) => argument.is === is);
    return { offers: [], shell: values.length === first ? "programs" : "files" };
  }
  const { offerNamed, offerRestorable } = await import("./named.ts");
  if (is === "restorable") {
    const offers = offerRestorable(word, context);
    return offers.length > 0 || word === "" ? { offers } : { offers, shell: "files" };
  }
  return { offers: offerNamed(is, word, context) };
}

/** The options that may still be given. */
function options(line: Line, word: string): Offer[] {
  return optionsOf(line.row)
    .filter((option) => option.repeats === true || !line.given.has(option))
    .flatMap((option) =>
      optionNames(option)
        .slice(-1)
        .map((value) => ({ value, about: option.about })),
    )
    .filter(({ value }) => value.startsWith(word) || word === "-");
}

const HELP_COMMAND = { name: "help", about: HELP.about };

/** The next words of the commands that these words begin. */
function commands([first, ...rest]: readonly string[], word: string): Offer[] {
  const isHelp = first === HELP_COMMAND.name;
  const path = first === undefined || isHelp ? rest : [first, ...rest];
  const found = [...listCommands(path), ...(first === undefined ? [HELP_COMMAND] : [])];
  return found.filter(({ name }) => name.startsWith(word)).map(({ name, about }) => ({ value: name, about }));
}

/**
 * The hidden command that the scripts of `completion` call at every TAB. `-- WORD…`, the last word as far as it is
 * typed, answers a line `VALUE<TAB>DESCRIPTION` for each candidate, or one of `:files`, `:folders`, `:programs`, which
 * the shell completes by itself; `--once` leaves out further ways to say the same. `--bash -- LINE` answers what
 * `COMPREPLY` takes. Says nothing else, writes nothing and never fails: a shell has no place to show it.
 */
export async function complete(argv: readonly string[], terminal: Terminal): Promise<void> {
  try {
    const at = argv.indexOf("--");
    const words = argv.slice(at + 1);
    const [form] = argv.slice(0, at);
    const lines =
      form === "--bash" ? await bashLines(words[0] ?? "", terminal) : await plainLines(form, words, terminal);
    await print(terminal, lines.map((line) => `${line}\n`).join(""));
  } catch {
    // no candidates
  }
}

async function plainLines(
  form: string | undefined,
  words: readonly string[],
  terminal: Terminal,
): Promise<string[]> {
  const { offers, shell }: Completion = await completeWords(words, terminal);
  if (shell !== undefined) return [`:${shell}`];
  const shown = form === "--once" ? offers.filter(({ again }) => again !== true) : offers;
  return shown.map(({ value, about }) => `${value}\t${about}`);
}

async function bashLines(line: string, terminal: Terminal): Promise<string[]> {
  const { splitLine, repliesOf } = await import("./bash.ts");
  const [, ...typed] = splitLine(line, terminal.env.COMP_WORDBREAKS ?? "");
  const last = typed.at(-1);
  if (last === undefined) return [];
  const completion = await completeWords(
    typed.map(({ text }) => text),
    terminal,
  );
  return repliesOf(completion, last, terminal);
}
