import { BadRequest } from "../../refusals.ts";
import { withoutControl } from "../../text/clean-text.ts";
import { counted } from "../../text/columns.ts";
import { decodeUtf8 } from "../../text/utf8.ts";
import type { DocumentKind, Pandoc } from "../pandoc.ts";
import { type PlainRtf, plainRtf } from "./rtf.ts";
import { type Footnotes, readTree, type Tree, textOfTree } from "./tree.ts";

/** A document as Markdown. */
export interface Converted {
  markdown: string;
  title: string | undefined;
  /** Parts of the document that are not in the Markdown, in words. */
  left: string[];
  /** Inline annotations of Scrivener's RTF. */
  annotations: string[];
  /** Comments of Scrivener, each with its paragraph. */
  commented: Tree["commented"];
}

/** CommonMark with the extensions that chapters have. */
const MARKDOWN = "commonmark+footnotes+strikeout+pipe_tables";

/** Converts a document to Markdown through pandoc. Throws `BadRequest` with the document's name and a remedy. */
export async function convert(
  bytes: Buffer,
  kind: DocumentKind,
  {
    name,
    pandoc,
    footnotes,
  }: { name: string; pandoc: Pandoc | undefined; footnotes?: Footnotes | undefined },
): Promise<Converted> {
  if (pandoc === undefined || kind.format === undefined) throw unreadable(name, kind);
  const { rtf = bytes, annotations = [], restored } = kind.format === "rtf" ? plainRtf(bytes) : NOTHING;
  const read = await pandoc([`--from=${kind.format}`, "--to=json"], rtf, name);
  const { json, metadata, pictures, commented } = readTree(read.toString(), name, footnotes);
  const written = await pandoc(["--from=json", `--to=${MARKDOWN}`, "--wrap=none"], Buffer.from(json), name);
  const markdown = decodeUtf8(written);
  if (markdown === undefined) throw new BadRequest(`${name}: pandoc returned something other than text.`);
  const others = [...metadata].filter(([key]) => TOLD.has(key)).map((entry) => entry.join(": "));
  return {
    markdown: withoutControl(markdown)
      .replace(/^-{72}$/gm, "* * *")
      .replace(/[\ue000-\uf8ff]/g, (character) => restored?.get(character) ?? character),
    title: metadata.get("title"),
    left: [
      ...(pictures === 0 ? [] : [counted(pictures, "picture")]),
      ...(others.length === 0 ? [] : [others.join("; ")]),
    ],
    annotations,
    commented,
  };
}

/** Returns the text of an RTF, one line a paragraph. Throws `BadRequest`, naming it. */
export async function textOfRtf(bytes: Buffer, name: string, pandoc: Pandoc): Promise<string> {
  const { rtf, restored } = plainRtf(bytes);
  const text = textOfTree((await pandoc(["--from=rtf", "--to=json"], rtf, name)).toString(), name);
  return withoutControl(
    text.replace(/[\ue000-\uf8ff]/g, (character) => restored.get(character) ?? character),
  );
}

const NOTHING: Partial<PlainRtf> = {};
const TOLD: ReadonlySet<string> = new Set(["author", "subtitle", "date", "abstract"]);

/** Returns the refusal of an unreadable document, with a remedy. */
export function unreadable(name: string, { called, format, remedy }: DocumentKind): BadRequest {
  if (format === undefined) {
    return new BadRequest(
      `${name} is ${called}, which is not read here; nothing was imported. What to do: ${remedy}.`,
    );
  }
  if (format === "docx")
    return new BadRequest(`${name} is ${called}, and no text; read it with --layout document.`);
  const bare = name.replace(/\.[^./\\]*$/, "");
  const made = `${bare}.md` === name ? `${bare}-text.md` : `${bare}.md`;
  return new BadRequest(
    `${name} is ${called}, and pandoc, which reads that, was not found; nothing was imported. Install it (https://pandoc.org/installing.html) and run this again, or where it is run: pandoc -f ${format} "${name}" -t ${MARKDOWN} --wrap=none -o "${made}"`,
  );
}
