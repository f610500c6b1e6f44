import { METADATA } from "../contract/enums.ts";
import type { AnswerOf } from "../contract/index.ts";
import { LENGTHS, LIMITS } from "../contract/limits.ts";
import { BadRequest } from "../refusals.ts";
import type { BookRow } from "../store/rows/books.ts";
import { BROKEN, isInnerPath, isLanguageTag, isOneLine, textFault } from "../text/clean-text.ts";

/** The most bytes of Markdown that one chapter takes. */
export const MARKDOWN_BYTES = LIMITS.markdownBytes;

/** Names of text files, to which an export writes a chapter again; any other name another program gave. */
export const TEXT_FILE = /\.(?:md|markdown|mmd|mdown|qmd|rmd|txt)$/i;

/** How much text a field takes, and whether it may be blank. */
export interface TextRule {
  /** UTF-16 units. */
  most: number;
  mayBeBlank: boolean;
  /** True for a title or a name: text on one line. */
  isName?: boolean;
}

/** The rule of each text field that more than one face takes. */
export const TEXTS = {
  title: { most: LIMITS.titleCharacters, mayBeBlank: false, isName: true },
  name: { most: LIMITS.nameCharacters, mayBeBlank: false, isName: true },
  kind: { most: LIMITS.kindCharacters, mayBeBlank: true },
  attribute: { most: LIMITS.attributeCharacters, mayBeBlank: true },
  summary: { most: LIMITS.summaryCharacters, mayBeBlank: true },
  synopsis: { most: LIMITS.synopsisCharacters, mayBeBlank: true },
  note: { most: LIMITS.noteCharacters, mayBeBlank: true },
  todo: { most: LIMITS.todoCharacters, mayBeBlank: true },
} as const satisfies Record<string, TextRule>;

/**
 * The text as it is stored: names and titles without the blanks around them. Throws `BadRequest`, naming `what`, for
 * text that is blank, too long, not on one line, or holds a control character or half a surrogate pair: SQLite would
 * change those.
 */
export function checkText(what: string, text: string, { most, mayBeBlank, isName }: TextRule): string {
  const checked = mayBeBlank ? text : text.trim();
  const refuse = (fault: string) => new BadRequest(`${what} ${fault}.`);
  if (!mayBeBlank && checked === "") throw refuse("must not be blank");
  if (checked.length > most) throw refuse(`must be at most ${most} characters, got ${checked.length}`);
  const fault = textFault(checked) ?? (isName && !isOneLine(checked) ? BROKEN : undefined);
  if (fault !== undefined) throw refuse(`holds ${fault}`);
  return checked;
}

/** A field of a book besides its title, as it is stored. Throws `BadRequest`, naming the field. */
function checkMetadata(field: (typeof METADATA)[number], text: string): string {
  const checked = checkText(`The ${field}`, text, { most: METADATA_CHARACTERS[field], mayBeBlank: false });
  if (field === "language" && !isLanguageTag(checked))
    throw new BadRequest(
      `The language must be one as BCP 47 names it, such as en or pt-BR, got "${checked}".`,
    );
  if (field === "cover" && !isInnerPath(checked))
    throw new BadRequest(`The cover must be a path within the book's folder, got "${checked}".`);
  return checked;
}

/** The most characters of each field. */
export const METADATA_CHARACTERS = {
  author: LIMITS.titleCharacters,
  language: LIMITS.nameCharacters,
  rights: LIMITS.urlCharacters,
  identifier: LIMITS.titleCharacters,
  description: LIMITS.summaryCharacters,
  cover: LIMITS.titleCharacters,
};

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

/** A field of a book besides its title. */
export type MetadataField = (typeof METADATA)[number];
/** Fields of a book besides its title. An empty one is left out. */
export type BookFields = Pick<AnswerOf<"createBook">["book"], MetadataField>;
/** Fields and other keys of a book, as its list has them: a number stays one. */
type Described = Readonly<Record<string, unknown>>;

/** Fields to set; null takes one away. */
type Changes = { readonly [Field in MetadataField]?: string | null | undefined };
type Stored = Pick<BookRow, "metadata" | "manifest">;

/** Reads a book's fields and other keys. Older versions kept fields among the other keys. */
export function describedIn({ metadata, manifest }: Stored): Described {
  return { ...parsed(metadata), ...parsed(manifest) };
}

/** Picks the fields of a book that hold what they may. */
export function metadataOf(row: Stored): BookFields {
  const described = describedIn(row);
  return Object.fromEntries(
    METADATA.flatMap((field) => {
      const value = described[field];
      const text = Number.isSafeInteger(value) ? String(value) : value;
      return isMetadata(field, text) ? [[field, text.trim()]] : [];
    }),
  );
}

/** Parts the fields from the other keys; a value that is none of its field stays with those. */
export function toStored(described: Described): Stored {
  const entries = Object.entries(described);
  const isField = ([key, value]: [string, unknown]) =>
    METADATA.some((field) => field === key && isMetadata(field, value));
  return {
    metadata: written(entries.filter(isField)),
    manifest: written(entries.filter((entry) => !isField(entry))),
  };
}

/** Sets fields of a book; null takes one away. Throws `BadRequest`. */
export function withMetadata(row: Stored, changes: Changes): Stored {
  const described: Record<string, unknown> = { ...describedIn(row) };
  for (const field of METADATA) {
    const value = changes[field];
    if (value === null) delete described[field];
    else if (value !== undefined) described[field] = checkMetadata(field, value);
  }
  return toStored(described);
}

function isMetadata(field: MetadataField, value: unknown): value is string {
  if (typeof value !== "string") return false;
  try {
    return checkMetadata(field, value) !== "";
  } catch {
    return false;
  }
}

function parsed(json: string | null): Described {
  return json === null ? {} : JSON.parse(json);
}

function written(entries: [string, unknown][]): string | null {
  return entries.length === 0 ? null : JSON.stringify(Object.fromEntries(entries));
}
