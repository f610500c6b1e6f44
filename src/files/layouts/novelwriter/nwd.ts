/** A section of a novelWriter document: one heading, and everything up to the next. */
export interface NwSection {
  /** Heading level; 0 before the first heading. */
  level: 0 | 1 | 2 | 3 | 4;
  title: string;
  /** True for a heading with `!`: the book's title at level 1, a chapter without a number at level 2. */
  isMarked: boolean;
  /** The heading as Markdown with its line end; "" for none. */
  heading: string;
  /** Prose of the section, in the document's lines. */
  prose: string;
  synopsis: string[];
  /** `@tag: name | display`. */
  tag: { name: string; display: string | undefined } | undefined;
  /** References with their values, such as `@pov: Mara`. */
  references: { key: string; values: string }[];
  /** Comments other than synopses, with their offsets in the prose. */
  comments: { text: string; at: number }[];
  /** Texts of `[footnote:key]` by key. */
  footnotes: { key: string; text: string }[];
  /** Lines that make a page or a space, such as `[newpage]`. */
  codes: string[];
}

const HEADING = /^(#{1,4})(!?) +(\S.*)$/;
const REFERENCE = /^@(tag|pov|focus|char|plot|time|location|object|entity|custom|mention|story)[ \t]*:(.*)$/i;
const CODE = /^\[(?:new ?page|vspace(?::\d{1,3})?)\]\s*$/i;
const FOOTNOTE = /^%[ \t]*footnote\.([^\s:.]{1,100})[ \t]*:(.*)$/i;
const SYNOPSIS = /^%[ \t]*(?:synopsis|short|summary)[ \t]*:(.*)$/i;

/**
 * Splits a novelWriter document at its headings. Header lines (`%%~`), tags and references (`@pov:`), synopses and
 * comments (`%`) are taken out of the prose; its other lines stay, without marks of alignment. Source:
 * https://docs.novelwriter.io.
 */
export function readNwDocument(text: string): NwSection[] {
  const lines = text.replace(/^\ufeff/, "").match(/[^\n]*\n|[^\n]+/g) ?? [];
  const body = lines.slice(lines.findIndex((line) => !line.startsWith("%%~")));
  const sections = [newSection(0, "", false, "")];
  let isAfterNote = false;
  let isGap = true;
  for (const line of lines.every((each) => each.startsWith("%%~")) ? [] : body) {
    const content = line.replace(/\r?\n$/, "");
    const [, marks = "", marked, title = ""] = HEADING.exec(content) ?? [];
    if (marks !== "") {
      const heading = `${marks} ${title.trim()}${line.slice(content.length)}`;
      sections.push(newSection(marks.length as NwSection["level"], title.trim(), marked === "!", heading));
      isAfterNote = false;
      isGap = true;
      continue;
    }
    const section = sections.at(-1)!; // there is one from the start
    if (takeNote(section, content)) {
      isAfterNote = true;
      continue;
    }
    // The blank line behind a note is dropped if there is one before it, too.
    const isBlank = content.trim() === "";
    if (isBlank && isAfterNote && isGap) continue;
    isAfterNote &&= isBlank;
    isGap = isBlank;
    section.prose += withoutAlignment(content) + line.slice(content.length);
  }
  return sections;
}

function newSection(level: NwSection["level"], title: string, isMarked: boolean, heading: string): NwSection {
  const lists = { synopsis: [], references: [], comments: [], footnotes: [], codes: [] };
  return { level, title, isMarked, heading, prose: "", tag: undefined, ...lists };
}

function takeNote(section: NwSection, line: string): boolean {
  const [, key, said = ""] = REFERENCE.exec(line) ?? [];
  const values = said.trim();
  if (key?.toLowerCase() === "tag") {
    const [name = "", display = ""] = values.split("|").map((value) => value.trim());
    if (name !== "") section.tag = { name, display: display || undefined };
    return true;
  }
  if (key !== undefined) {
    if (values !== "") section.references.push({ key: key.toLowerCase(), values });
    return true;
  }
  if (CODE.test(line)) {
    section.codes.push(line.trim());
    return true;
  }
  if (!line.startsWith("%")) return false;
  const [, label, footnote = ""] = FOOTNOTE.exec(line) ?? [];
  if (label !== undefined) {
    section.footnotes.push({ key: label, text: footnote.trim() });
    return true;
  }
  const synopsis = SYNOPSIS.exec(line)?.[1]?.trim();
  const comment = line.replace(/^[%~\s]+/, "").trim();
  if (synopsis !== undefined) section.synopsis.push(synopsis);
  else if (comment !== "") section.comments.push({ text: comment, at: section.prose.length });
  return true;
}

/** Strips alignment marks from a line: `>> centred <<`. Markdown would read them as quotes. */
function withoutAlignment(line: string): string {
  const pushed = line.replace(/^>{1,2}[ \t]+/, "");
  const end = pushed.trimEnd();
  return /[ \t]<{1,2}$/.test(end) ? end.replace(/<{1,2}$/, "").trimEnd() : pushed;
}
