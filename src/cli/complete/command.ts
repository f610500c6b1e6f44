import { print, type Terminal } from "../io/terminal.ts";
import { type Completion, completeWords } from "./complete.ts";

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
