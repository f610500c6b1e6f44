/** What stands under one heading of a novelWriter document. */
export interface NwSection {
  /** 0: before the first heading. */
  level: 0 | 1 | 2 | 3 | 4;
  title: string;
  /** A heading with `!`: of level 1 the book's own title, of level 2 a chapter without a number. */
  isMarked: boolean;
  /** The heading as Markdown, with its line end; "" for none. */
  heading: string;
  /** The text, without what is no prose; its lines are those of the document. */
  prose: string;
  synopsis: string[];
  /** `@tag: name | display`. */
  tag: { name: string; display: string | undefined } | undefined;
  /** `@pov: Mara`, each with its values. */
  references: { key: string; values: string }[];
  /** Comments that are no synopsis, and how far into the prose they stand. */
  comments: { text: string; at: number }[];
  /** What `[footnote:key]` means, by its key. */
  footnotes: { key: string; text: string }[];
  /** Lines that make a page or a space: `[newpage]`. */
  codes: string[];
}

const HEADING = /^(#{1,4})(!?) +(\S.*)$/;
const REFERENCE = /^@(tag|pov|focus|char|plot|time|location|object|entity|custom|mention|story)[ \t]*:(.*)$/i;
const CODE = /^\[(?:new ?page|vspace(?::\d{1,3})?)\]\s*$/i;
const FOOTNOTE = /^%[ \t]*footnote\.([^\s:.]{1,100})[ \t]*:(.*)$/i;
const SYNOPSIS = /^%[ \t]*(?:synopsis|short|summary)[ \t]*:(.*)$/i;

/**
 * Takes a document of novelWriter apart at its headings: the header lines (`%%~`), the tags and references (`@pov:`),
 * the synopses and comments (`%`) are set apart from the prose, whose other lines stay as they are but for marks of
 * alignment. Source: https://docs.novelwriter.io.
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
    // The blank line behind a note goes with it, where another stands before it.
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

/** A line without the marks that push it to an edge: `>> centred <<`. In Markdown they would be quotes. */
function withoutAlignment(line: string): string {
  const pushed = line.replace(/^>{1,2}[ \t]+/, "");
  const end = pushed.trimEnd();
  return /[ \t]<{1,2}$/.test(end) ? end.replace(/<{1,2}$/, "").trimEnd() : pushed;
}
