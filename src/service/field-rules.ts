import { LENGTHS, LIMITS } from "../contract/limits.ts";
import { BadRequest } from "../refusals.ts";
import { textFault } from "../text/clean-text.ts";

/** The most bytes of Markdown that one chapter takes. */
export const MARKDOWN_BYTES = LIMITS.markdownBytes;

/** Names of text files, to which an export writes a chapter again; any other name another program gave. */
export const TEXT_FILE = /\.(?:md|markdown|mmd|mdown|qmd|rmd|txt)$/i;

/** How much text a field takes, and whether it may be blank. */
export interface TextRule {
  /** UTF-16 units. */
  most: number;
  mayBeBlank: boolean;
}

/** The rule of each text field that more than one face takes. */
export const TEXTS = {
  title: { most: LIMITS.titleCharacters, mayBeBlank: false },
  name: { most: LIMITS.nameCharacters, mayBeBlank: false },
  kind: { most: LIMITS.kindCharacters, mayBeBlank: true },
  attribute: { most: LIMITS.attributeCharacters, mayBeBlank: true },
  summary: { most: LIMITS.summaryCharacters, mayBeBlank: true },
  synopsis: { most: LIMITS.synopsisCharacters, mayBeBlank: true },
  note: { most: LIMITS.noteCharacters, mayBeBlank: true },
  todo: { most: LIMITS.todoCharacters, mayBeBlank: true },
} as const satisfies Record<string, TextRule>;

/**
 * The text as it is stored: names and titles without the blanks around them. Throws `BadRequest`, naming `what`, for
 * text that is blank, too long, or holds a control character or half a surrogate pair: SQLite would change those.
 */
export function checkText(what: string, text: string, { most, mayBeBlank }: TextRule): string {
  const checked = mayBeBlank ? text : text.trim();
  const refuse = (fault: string) => new BadRequest(`${what} ${fault}.`);
  if (!mayBeBlank && checked === "") throw refuse("must not be blank");
  if (checked.length > most) throw refuse(`must be at most ${most} characters, got ${checked.length}`);
  const fault = textFault(checked);
  if (fault !== undefined) throw refuse(`holds ${fault}`);
  return checked;
}

/** Throws `BadRequest`, naming `what` and the key, for a list that is too long. */
export function checkLength(
  what: string,
  key: keyof typeof LENGTHS,
  { length }: { readonly length: number } = [],
): void {
  if (length > LENGTHS[key])
    throw new BadRequest(`${what}: ${key} must be at most ${LENGTHS[key]}, got ${length}.`);
}

/** Whether a text is an address that a note may lead to: http, https or mailto. */
export function isNoteUrl(text: string): boolean {
  return (
    text.length <= LIMITS.urlCharacters &&
    textFault(text) === undefined &&
    URL.canParse(text) &&
    /^(https?|mailto):$/.test(new URL(text).protocol)
  );
}
