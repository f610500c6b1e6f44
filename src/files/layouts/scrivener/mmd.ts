/** MultiMarkdown metadata by lower-case key without blanks: `baseheaderlevel`. */
export type Metadata = ReadonlyMap<string, string>;

// Keys that mark a text as metadata at once. A story that begins "Note: ..." is none.
const KNOWN =
  /^(?:title|author|subtitle|baseheaderlevel|format|css|date|copyright|keywords|affiliation|latex\w*|xhtml\w*|htmlheader\w*|quoteslanguage|language|uuid|mmdfooter|bibliocommand|shorttitle|surname|forename|customheader)$/;
const ENTRY = /^([A-Za-z0-9][A-Za-z0-9 _-]{0,60}?)[ \t]*:[ \t]*(.*)$/;

/**
 * Splits the metadata off a MultiMarkdown text: `Key: value` lines up to the first blank one, with indented lines
 * continuing a value. Undefined if the text begins otherwise, or has no title. Source:
 * https://fletcherpenney.net/multimarkdown.
 */
export function splitMetadata(text: string): { metadata: Metadata; body: string } | undefined {
  const lines = text.replace(/^\ufeff/, "").match(/[^\n]*\n|[^\n]+/g) ?? [];
  const metadata = new Map<string, string>();
  let key = "";
  let length = 0;
  for (const line of lines) {
    const content = line.replace(/\r?\n$/, "");
    if (content.trim() === "") break;
    const [, name, value = ""] = ENTRY.exec(content) ?? [];
    if (/^[ \t]/.test(content) && key !== "") {
      metadata.set(key, `${metadata.get(key)} ${content.trim()}`.trim());
    } else if (name !== undefined) {
      key = name.toLowerCase().replace(/[ _-]/g, "");
      if (length === 0 && !KNOWN.test(key)) return undefined;
      metadata.set(key, value.trim());
    } else return undefined;
    length++;
  }
  if (!metadata.has("title")) return undefined;
  while (lines[length]?.trim() === "") length++;
  return { metadata, body: lines.slice(length).join("") };
}
