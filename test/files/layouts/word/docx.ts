import { strToU8, zipSync } from "fflate";

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const NAMES = [
  W,
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
  'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
].join(" ");

/** The parts of a small document; `body` is the content of `w:body`. */
export interface Docx {
  body: string;
  styles?: string;
  numbering?: string;
  footnotes?: string;
  endnotes?: string;
  comments?: string;
  extended?: string;
  relations?: string;
  title?: string;
  book?: string;
  /** More parts, or others in their place. */
  parts?: Readonly<Record<string, string | Uint8Array>>;
}

/** Builds a Word document. */
export function docx({ body, title, book, parts = {}, ...more }: Docx): Buffer {
  const files: Record<string, string> = {
    "_rels/.rels":
      '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    "word/document.xml": `<?xml version="1.0"?><w:document ${NAMES}><w:body>${body}<w:sectPr/></w:body></w:document>`,
    "word/styles.xml": `<w:styles ${NAMES}>${STYLES}${more.styles ?? ""}</w:styles>`,
  };
  const add = (part: string, root: string, content: string | undefined) => {
    if (content !== undefined) files[part] = `<${root} ${NAMES}>${content}</${root}>`;
  };
  add("word/numbering.xml", "w:numbering", more.numbering);
  add("word/footnotes.xml", "w:footnotes", more.footnotes);
  add("word/endnotes.xml", "w:endnotes", more.endnotes);
  add("word/comments.xml", "w:comments", more.comments);
  add("word/commentsExtended.xml", "w15:commentsEx", more.extended);
  add("word/_rels/document.xml.rels", "Relationships", more.relations);
  if (title !== undefined)
    files["docProps/core.xml"] =
      `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>${title}</dc:title></cp:coreProperties>`;
  if (book !== undefined)
    files["docProps/custom.xml"] =
      `<Properties xmlns:vt="v"><property name="manuscript.book"><vt:lpwstr>${book}</vt:lpwstr></property></Properties>`;
  return archive({ ...files, ...parts });
}

/** Builds an archive of files. */
export function archive(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const bytes = Object.entries(files).map(([name, text]) => [
    name,
    typeof text === "string" ? strToU8(text) : text,
  ]);
  return Buffer.from(zipSync(Object.fromEntries(bytes)));
}

const style = (id: string, name: string, more = "", type = "paragraph") =>
  `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
const STYLES = [
  style("Heading1", "heading 1", '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'),
  style("Heading2", "heading 2", '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'),
  style("Title", "Title"),
  style("Quote", "Quote", "<w:rPr><w:i/></w:rPr>"),
  style("Emphasis", "Emphasis", "<w:rPr><w:i/></w:rPr>", "character"),
].join("");

/** A run of text; `marks` are elements such as `<w:i/>`. */
export const r = (text: string, marks = ""): string =>
  `<w:r>${marks === "" ? "" : `<w:rPr>${marks}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
/** A paragraph of text, or of runs. `properties` are elements of `w:pPr`. */
export const p = (content = "", properties = ""): string =>
  `<w:p>${properties === "" ? "" : `<w:pPr>${properties}</w:pPr>`}${content.startsWith("<") || content === "" ? content : r(content)}</w:p>`;
/** A paragraph of a style. */
export const styled = (id: string, content = ""): string => p(content, `<w:pStyle w:val="${id}"/>`);
/** The heading of a chapter. */
export const h1 = (text: string): string => styled("Heading1", text);
/** A page break in a paragraph of its own. */
export const PAGE = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
/** A bookmark round content. */
export const marked = (name: string, content: string, id = name): string =>
  `<w:bookmarkStart w:id="${id}" w:name="${name}"/>${content}<w:bookmarkEnd w:id="${id}"/>`;
const by = (author: string) => `w:author="${author}" w:date="2026-11-20T10:00:00Z"`;
/** A tracked insertion of a run. */
export const ins = (text: string, author = "Ruth"): string =>
  `<w:ins w:id="9" ${by(author)}>${r(text)}</w:ins>`;
/** A tracked deletion of a run. */
export const del = (text: string, author = "Ruth"): string =>
  `<w:del w:id="9" ${by(author)}><w:r><w:delText xml:space="preserve">${text}</w:delText></w:r></w:del>`;
/** The tracked insertion or deletion of a paragraph's end. */
export const end = (kind: "ins" | "del"): string => `<w:rPr><w:${kind} w:id="9" ${by("Ruth")}/></w:rPr>`;
/** A comment's range round content, and its reference. */
export const commented = (id: number, content: string): string =>
  `<w:commentRangeStart w:id="${id}"/>${content}<w:commentRangeEnd w:id="${id}"/><w:r><w:commentReference w:id="${id}"/></w:r>`;
/** A comment. */
export const comment = (id: number, author: string, ...lines: string[]): string =>
  `<w:comment w:id="${id}" ${by(author)}>${lines
    .map((line, at) => `<w:p${at === lines.length - 1 ? ` w14:paraId="0000000${id}"` : ""}>${r(line)}</w:p>`)
    .join("")}</w:comment>`;
/** A reference to a footnote. */
export const ref = (id: number, kind = "footnote"): string => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
/** A footnote, or an endnote. */
export const note = (id: number, text: string, kind = "footnote"): string =>
  `<w:${kind} w:id="${id}">${p(`<w:r><w:${kind}Ref/></w:r>${r(` ${text}`)}`)}</w:${kind}>`;
