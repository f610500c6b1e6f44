import type { CompiledBook } from "./compiled.ts";
import { BodyWriter } from "./docx/body.ts";
import { commentXml, threadsXml } from "./docx/comments.ts";
import { textXml } from "./docx/inline.ts";
import {
  contentTypes,
  coreXml,
  customXml,
  NAMESPACES,
  PARTS,
  type PartName,
  packageRelations,
  relationsXml,
  relationTo,
} from "./docx/parts.ts";
import { type DocxStyle, numberingXml, stylesXml } from "./docx/styles.ts";
import { XML } from "./parts/xml.ts";
import { archive } from "./parts/zip.ts";

/**
 * Writes a book as a Word document. Hidden bookmarks name its chapters, their revisions and their paragraphs, so that
 * the edited document finds its way back. Notes are comments. The same book gives the same bytes.
 */
export function writeDocx(book: CompiledBook, style: DocxStyle = "manuscript"): Uint8Array {
  const writer = new BodyWriter();
  const body = writer.write(book, style);
  const footnotes = writer.footnotes();
  const { inline, comments, lists } = writer;
  const part = (name: string, content: string) => `${XML}<w:${name} ${NAMESPACES}>${content}</w:${name}>`;
  const { language } = book.metadata;
  // Word repairs a document that has an empty part.
  const parts: Partial<Record<PartName, string>> = {
    styles: stylesXml(style, language),
    settings: part("settings", settings(footnotes.length > 0)),
    header: part("hdr", style === "manuscript" ? runningHead(book) : header("")),
    firstHeader: part("hdr", header("")),
    ...(lists.length > 0 && { numbering: numberingXml(lists) }),
    ...(footnotes.length > 0 && { footnotes: part("footnotes", SEPARATORS + footnotes.join("")) }),
    ...(comments.length > 0 && {
      comments: part("comments", comments.map(commentXml).join("")),
      done: threadsXml(comments),
    }),
  };
  const names = Object.keys(parts) as PartName[];
  const own = names.map((name) => ({
    id: relationTo(name),
    type: PARTS[name].relation,
    target: PARTS[name].file,
  }));
  return archive([
    { name: "[Content_Types].xml", content: contentTypes(names) },
    { name: "_rels/.rels", content: packageRelations() },
    { name: "docProps/core.xml", content: coreXml(book) },
    { name: "docProps/custom.xml", content: customXml(book) },
    { name: "word/_rels/document.xml.rels", content: relationsXml([...own, ...inline.relations]) },
    // The addresses in footnotes are looked for here.
    ...(footnotes.length === 0
      ? []
      : [{ name: "word/_rels/footnotes.xml.rels", content: relationsXml(inline.relations) }]),
    { name: "word/document.xml", content: part("document", `<w:body>${body}${section()}</w:body>`) },
    ...names.map((name) => ({ name: `word/${PARTS[name].file}`, content: parts[name] ?? "" })),
    ...[...inline.media].map(([file, { bytes }]) => ({ name: `word/${file}`, content: bytes })),
  ]);
}

const SEPARATORS =
  '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>';

/** US Letter with an inch around, as the format asks. The first page has no running head. */
function section(): string {
  const headers = `<w:headerReference w:type="default" r:id="${relationTo("header")}"/><w:headerReference w:type="first" r:id="${relationTo("firstHeader")}"/>`;
  return `<w:sectPr>${headers}<w:pgSz w:w="12240" w:h="15840"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/><w:titlePg/></w:sectPr>`;
}

function settings(hasFootnotes: boolean): string {
  const notes = hasFootnotes
    ? '<w:footnotePr><w:footnote w:id="-1"/><w:footnote w:id="0"/></w:footnotePr>'
    : "";
  return `<w:defaultTabStop w:val="720"/>${notes}<w:compat><w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/></w:compat>`;
}

function header(content: string): string {
  return `<w:p><w:pPr><w:pStyle w:val="Header"/></w:pPr>${content}</w:p>`;
}

/** Name, title and page. Word repairs a field without a result, so that of the page has one. */
function runningHead({ title, metadata: { author } }: CompiledBook): string {
  const surname = author.trim().split(/\s+/).at(-1);
  const said = [...(surname ? [surname] : []), title.toUpperCase(), ""].join(" / ");
  const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const page = `${mark("begin")}<w:r><w:instrText xml:space="preserve"> PAGE </w:instrText></w:r>${mark("separate")}<w:r><w:t>1</w:t></w:r>${mark("end")}`;
  return header(`<w:r>${textXml(said)}</w:r>${page}`);
}
