import { largest } from "../../text/extremes.ts";
import type { Terminal } from "../io/terminal.ts";
import type { Completion } from "./complete.ts";
import type { Offer } from "./named.ts";

/** A word as it is typed, up to the cursor. */
interface Typed {
  /** What the shell makes of it. */
  text: string;
  /** The part of `text` before the place that readline replaces. */
  kept: string;
  /** The quote that is still open. */
  quote: "" | "'" | '"';
}

/**
 * The words of a command line up to the cursor, as the shell will read them; nothing in it is run or expanded.
 * `breaks` are the characters at which readline takes a word to begin anew: `--book=Lon` is replaced from the L on.
 */
export function splitLine(line: string, breaks: string): Typed[] {
  const words: Typed[] = [];
  let word: Typed | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (word === undefined || word.quote === "") {
      if (/\s/.test(character)) {
        if (word !== undefined) words.push(word);
        word = undefined;
        continue;
      }
      word ??= { text: "", kept: "", quote: "" };
      if (character === "'" || character === '"') {
        word.quote = character;
        word.kept = word.text;
      } else if (character === "\\") word.text += line.charAt(++at);
      else {
        word.text += character;
        if (breaks.includes(character)) word.kept = word.text;
      }
    } else if (character === word.quote) word.quote = "";
    else if (character === "\\" && word.quote === '"' && /["\\$`]/.test(line.charAt(at + 1)))
      word.text += line.charAt(++at);
    else word.text += character;
  }
  return [...words, word ?? { text: "", kept: "", quote: "" }];
}

const MENU_COMPLETE = "37";
const INSERT_ALL = "42";

/**
 * The lines that bash takes as they are for `COMPREPLY`: quoted for their place, each with what is said of it where
 * several are to be listed; or one line `:files`, `:folders`, `:programs`. Reads the variables that bash sets.
 */
export function repliesOf({ offers, shell }: Completion, typed: Typed, { env }: Terminal): string[] {
  if (shell !== undefined) return [`:${shell}`];
  const fitting = offers.filter(({ value, again }) => again !== true && value.startsWith(typed.kept));
  const quoted = fitting.map(({ value, about }) => ({
    value: quote(value.slice(typed.kept.length), typed.quote),
    about,
  }));
  const isListed = quoted.length > 1 && env.COMP_TYPE !== MENU_COMPLETE && env.COMP_TYPE !== INSERT_ALL;
  return isListed ? described(quoted, Number(env.COLUMNS) || 80) : quoted.map(({ value }) => value);
}

/** A value as it must be typed while this quote is open; a plain one gets a backslash before whatever has a meaning. */
function quote(value: string, open: Typed["quote"]): string {
  if (open === "'") return value.replaceAll("'", "'\\''");
  if (open === '"') return value.replace(/["\\$`]/g, "\\$&");
  return value.replace(/[^\w./,+%\u0080-\uffff-]/g, "\\$&");
}

/** The values in a column with what is said of them; bash inserts what all begin with, which is never that. */
function described(offers: readonly Offer[], columns: number): string[] {
  const widest = largest(offers.map(({ value }) => value.length));
  const room = columns - widest - 4; // two blanks and two parentheses
  return offers.map(({ value, about }) => {
    if (about === "" || room < 8) return value;
    const shown = about.length > room ? `${about.slice(0, room - 1).toWellFormed()}…` : about;
    return `${value.padEnd(widest)}  (${shown})`;
  });
}
