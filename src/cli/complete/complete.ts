import type { Terminal } from "../io/terminal.ts";
import { HELP } from "../rows/help.ts";
import { optionNames, type SlotRow, takesValue } from "../rows/rows.ts";
import { cut, type Line, listCommands, nextArgument, optionsOf, readLine } from "./line.ts";
import type { Offer } from "./offers.ts";

/** The candidates for a word; `shell` says what the shell completes by itself. */
export interface Completion {
  offers: readonly Offer[];
  shell?: "files" | "folders" | "programs";
}

/** The candidates for the last word, which may be empty. Nothing if the line says nothing about it. */
export async function completeWords(words: readonly string[], terminal: Terminal): Promise<Completion> {
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
