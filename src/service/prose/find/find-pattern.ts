import { createContext, Script } from "node:vm";
import { LIMITS } from "../../../contract/limits.ts";
import type { TextEdit } from "../../../prose/document/text-edit.ts";
import type { FindEdits } from "../../../prose/replace-text.ts";
import { BadRequest, PayloadTooLarge } from "../../../refusals.ts";
import { checkText } from "../../field-rules.ts";

/** What to find and what to put in its place. */
export interface PatternRequest {
  find: string;
  with: string;
  /** `find` is a regular expression, `with` may hold `$1`, `$<name>`, `$&` and `$$`. */
  regex?: boolean | undefined;
  /** Words count only in the very case that they are typed in. A regular expression says so itself. */
  matchCase?: boolean | undefined;
}

/** Returns the text that replaces one match. */
type Substitute = (match: RegExpExecArray) => string;

/**
 * What finds the pattern in texts. Words are whole words, straight quotes mean curly ones too, and a blank any line end;
 * a replacement takes the case of what it replaces. Throws `BadRequest` for a pattern that is blank, no expression or
 * one that matches nothing at all between two letters; later for one that is not done in `expressionMs`, all texts
 * together.
 */
export function readPattern(request: PatternRequest, expressionMs = 2000): FindEdits {
  const find = checkLine("find", request.find);
  const insert = checkLine("with", request.with);
  if (find.trim() === "")
    throw new BadRequest(
      "find must not be blank; give a word, or a regular expression that says so (regex).",
    );
  if (request.regex !== true) {
    const expression = wordExpression(find, request.matchCase ?? false);
    return (texts) => editsIn(texts, expression, ([found]) => sameCase(insert, found, find));
  }
  const expression = readExpression(find);
  const substitute = readTemplate(insert, expression);
  const within = timeLimit(expressionMs);
  return (texts) => within(() => editsIn(texts, expression, substitute));
}

function checkLine(what: string, text: string): string {
  if (/[\r\n]/.test(text)) throw new BadRequest(`${what} must be one line.`);
  return checkText(what, text, { most: LIMITS.patternCharacters, mayBeBlank: true });
}

const QUOTES: readonly (readonly [RegExp, string])[] = [
  [/['’ʼ]/gu, "['’ʼ]"],
  [/["“”]/gu, '["“”]'],
  [/\s+/gu, "\\s+"],
];
// Scripts without blanks have no whole words, so every run of their letters may be searched.
const JOINED = /^[\p{L}\p{N}\p{M}]/u;
const UNSPACED = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** Unicode counts this apostrophe among the letters. */
const LETTER = "(?!ʼ)[\\p{L}\\p{N}\\p{M}]";

/** The expression for whole words. A possessive ends a word, the n’t of "can’t" does not. */
function wordExpression(find: string, matchCase: boolean): RegExp {
  const letters = Array.from(find.normalize("NFC"), spelt).join("");
  const pattern = QUOTES.reduce((text, [written, meant]) => text.replace(written, meant), letters);
  // Else a run of blanks would be tried from each of them on.
  const before = bounds(find) ? `(?<!${LETTER})` : /^\s/u.test(find) ? "(?<!\\s)" : "";
  const last = Array.from(find).at(-1) ?? "";
  const after = bounds(last) ? `(?!${LETTER}|['’ʼ][tT](?!${LETTER}))` : "";
  return new RegExp(before + pattern + after, matchCase ? "gu" : "giu");
}

function bounds(text: string): boolean {
  return JOINED.test(text) && !UNSPACED.test(text);
}

/** A letter for an expression, composed or not. */
function spelt(letter: string): string {
  const escaped = letter.replace(/[\\^$.*+?()[\]{}|/]/u, "\\$&");
  const apart = letter.normalize("NFD");
  return apart === letter ? escaped : `(?:${letter}|${apart})`;
}

function readExpression(source: string): RegExp {
  try {
    return new RegExp(source, "gu");
  } catch (error) {
    const reason = (error as Error).message.replace(/^Invalid regular expression: /, "");
    throw new BadRequest(`find is not a regular expression: ${reason}.`);
  }
}

/** `with`, read for an expression. Throws `BadRequest` if it names a group that the expression does not have. */
function readTemplate(template: string, expression: RegExp): Substitute {
  const empty = new RegExp(`${expression.source}|`, "u").exec("")!; // the last way matches anything
  const names = Object.keys(empty.groups ?? {});
  const parts = template
    .split(/(\$(?:\$|&|\d{1,2}|<[^>]*>))/u)
    .map((part, at): string | ((match: RegExpExecArray) => string) => {
      if (at % 2 === 0) return part;
      const name = part.slice(1);
      if (name === "$") return "$";
      if (name === "&") return (match) => match[0];
      if (name.startsWith("<")) {
        const group = name.slice(1, -1);
        if (!names.includes(group)) throw unknownGroup(part, empty.length - 1);
        return (match) => match.groups?.[group] ?? "";
      }
      if (Number(name) < 1 || Number(name) >= empty.length) throw unknownGroup(part, empty.length - 1);
      return (match) => match[Number(name)] ?? "";
    });
  return (match) => parts.map((part) => (typeof part === "string" ? part : part(match))).join("");
}

function unknownGroup(part: string, count: number): BadRequest {
  const has = count === 0 ? "no group" : count === 1 ? "one group" : `${count} groups`;
  return new BadRequest(`with names ${part}, but the expression has ${has}; write $$ for a dollar sign.`);
}

function editsIn(texts: readonly string[], expression: RegExp, substitute: Substitute): TextEdit[][] {
  let inserted = 0;
  const editOf = (match: RegExpExecArray): TextEdit[] => {
    const [found] = match;
    if (found === "") throw new BadRequest("find matches nothing between two letters; ask for at least one.");
    const insert = substitute(match);
    inserted += insert.length;
    if (inserted > LIMITS.markdownBytes)
      throw new PayloadTooLarge("The replacements are longer than a chapter may be.");
    return insert === found ? [] : [{ from: match.index, to: match.index + found.length, insert }];
  };
  return texts.map((text) => Array.from(text.matchAll(expression), editOf).flat());
}

/** Runs functions, and stops one when all together took so long: an expression may need exponential time. */
function timeLimit(ms: number): <Result>(run: () => Result) => Result {
  const context: { run?: () => void } = {};
  createContext(context);
  const call = new Script("run()");
  let leftMs = ms;
  return <Result>(run: () => Result): Result => {
    if (leftMs <= 0) throw tooSlow(); // whoever goes on to the next chapter all the same
    const given: { result?: Result } = {};
    const started = performance.now();
    context.run = () => {
      given.result = run();
    };
    try {
      call.runInContext(context, { timeout: Math.ceil(leftMs) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      leftMs = 0;
      throw tooSlow();
    }
    leftMs -= performance.now() - started;
    return given.result as Result; // it came to its end
  };
}

function tooSlow(): BadRequest {
  return new BadRequest(
    "The regular expression takes too long; do not repeat what is itself repeated, as in (a+)+.",
  );
}

/**
 * The text in the case of what it replaces: unchanged if that is spelt as in the request, else in capitals, capitalised
 * or in small letters as that is. A curly apostrophe stays curly.
 * `sameCase("Gull", "FERRY", "ferry")` is "GULL".
 */
function sameCase(text: string, found: string, requested: string): string {
  const quoted = found.includes("’") ? text.replaceAll("'", "’") : text;
  if (letters(found) === letters(requested)) return quoted;
  const wayOf = (word: string) => WAYS.find(({ fits }) => fits(letters(word)));
  return wayOf(found)?.apply(quoted) ?? quoted;
}

function letters(text: string): string {
  return text.normalize("NFC").replace(/[^\p{Lu}\p{Ll}\p{Lt}]/gu, "");
}

const WAYS: readonly { fits: (letters: string) => boolean; apply: (text: string) => string }[] = [
  {
    fits: (word) => word === word.toLowerCase(),
    apply: (text) => text.toLowerCase(),
  },
  {
    fits: (word) => word.length > 1 && word === word.toUpperCase(),
    apply: (text) => text.toUpperCase(),
  },
  {
    fits: (word) => word.charAt(0) !== word.charAt(0).toLowerCase(),
    apply: capitalised,
  },
];

function capitalised(text: string): string {
  const [first = "", ...others] = text;
  return first.toUpperCase() + others.join("");
}
