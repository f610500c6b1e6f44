/** A section of a novelWriter document: one heading, and everything up to the next. */
export interface NwSection {
  /** Heading level, 1 to 4; 0 before the first heading. */
  level: number;
  title: string;
  /** True for a heading with `!`: at level 1 it is the book's title. */
  isMarked: boolean;
  /** As Markdown with its line end; "" for none. */
  heading: string;
  prose: string;
  synopsis: string[];
  /** `@tag: name | display`. */
  tag: { name: string; display: string } | undefined;
  /** Such as `@pov: Mara`. */
  references: { key: string; value: string }[];
  /** Comments other than synopses, with their offsets in the prose. */
  comments: { text: string; at: number }[];
  /** Texts of `[footnote:key]` by key. */
  footnotes: Map<string, string>;
  /** Lines that make a page or a space, such as `[newpage]`. */
  codes: string[];
}

const HEADING = /^(#{1,4})(!?) +(\S.*)$/;
const REFERENCE = /^@(tag|pov|focus|char|plot|time|location|object|entity|custom|mention|story)[ \t]*:(.*)$/i;
const CODE = /^\[(?:new ?page|vspace(?::\d{1,3})?)\]\s*$/i;
const COMMENT = /^%(?:[ \t]*(synopsis|short|summary|footnote\.[^\s:.]{1,100})[ \t]*:|[%~\s]*)(.*)$/i;

/**
 * Splits a novelWriter document at its headings. Header lines (`%%~`), tags and references (`@pov:`), synopses and
 * comments (`%`) are taken out of the prose; its other lines stay, without marks of alignment. Source:
 * https://docs.novelwriter.io.
 */
export function readNwDocument(text: string): NwSection[] {
  const lines = text.replace(/^\ufeff/, "").match(/[^\n]*\n|[^\n]+/g) ?? [];
  const start = lines.findIndex((line) => !line.startsWith("%%~"));
  const sections: NwSection[] = [];
  const open = (level: number, title: string, isMarked: boolean, heading: string) => {
    const lists = { synopsis: [], references: [], comments: [], footnotes: new Map(), codes: [] };
    sections.push({ level, title, isMarked, heading, prose: "", tag: undefined, ...lists });
  };
  open(0, "", false, "");
  let isAfterNote = false;
  let isGap = true;
  for (const line of start < 0 ? [] : lines.slice(start)) {
    const section = sections.at(-1)!; // there is one from the start
    const content = line.replace(/\r?\n$/, "");
    const eol = line.slice(content.length);
    const [, marks, marked, words = ""] = HEADING.exec(content) ?? [];
    const isNote = marks === undefined && takeNote(section, content);
    if (marks !== undefined)
      open(marks.length, words.trim(), marked === "!", `${marks} ${words.trim()}${eol}`);
    if (marks !== undefined || isNote) {
      isAfterNote = isNote;
      isGap ||= !isNote;
      continue;
    }
    // The blank line behind a note is dropped if there is one before it, too.
    const isBlank = content.trim() === "";
    if (isBlank && isAfterNote && isGap) continue;
    isAfterNote &&= isBlank;
    isGap = isBlank;
    section.prose += withoutAlignment(content) + eol;
  }
  return sections;
}

/** Adds a line that is no prose to its section; false for any other. */
function takeNote(section: NwSection, line: string): boolean {
  const [, key, written = ""] = REFERENCE.exec(line) ?? [];
  const [, kind, words = ""] = COMMENT.exec(line) ?? [];
  const [value, text] = [written.trim(), words.trim()];
  if (key?.toLowerCase() === "tag") {
    const [name = "", display = ""] = value.split("|").map((each) => each.trim());
    if (name !== "") section.tag = { name, display };
  } else if (key !== undefined) {
    if (value !== "") section.references.push({ key: key.toLowerCase(), value });
  } else if (CODE.test(line)) section.codes.push(line.trim());
  else if (!line.startsWith("%")) return false;
  else if (kind === undefined) {
    if (text !== "") section.comments.push({ text, at: section.prose.length });
  } else if (/^footnote/i.test(kind)) section.footnotes.set(kind.slice("footnote.".length), text);
  else section.synopsis.push(text);
  return true;
}

/** Strips alignment marks from a line: `>> centred <<`. Markdown would read them as quotes. */
function withoutAlignment(line: string): string {
  const pushed = line.replace(/^>{1,2}[ \t]+/, "");
  const end = pushed.trimEnd();
  return /[ \t]<{1,2}$/.test(end) ? end.replace(/<{1,2}$/, "").trimEnd() : pushed;
}
