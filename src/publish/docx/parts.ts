import type { CompiledBook } from "../compiled.ts";
import { escaped, XML } from "../parts/xml.ts";

const SCHEMAS = "http://schemas.openxmlformats.org";
const OFFICE = "http://schemas.microsoft.com/office/word";
/** Root of the types of relations. */
export const REL = `${SCHEMAS}/officeDocument/2006/relationships`;
const TYPE = "application/vnd.openxmlformats-officedocument";

/** Declares every namespace that a part uses. */
export const NAMESPACES = `xmlns:w="${SCHEMAS}/wordprocessingml/2006/main" xmlns:r="${REL}" xmlns:w14="${OFFICE}/2010/wordml" xmlns:w15="${OFFICE}/2012/wordml" xmlns:mc="${SCHEMAS}/markup-compatibility/2006" xmlns:wp="${SCHEMAS}/drawingml/2006/wordprocessingDrawing" xmlns:a="${SCHEMAS}/drawingml/2006/main" xmlns:pic="${SCHEMAS}/drawingml/2006/picture" mc:Ignorable="w14 w15"`;

/** A part that the document refers to: its file, its kind, and its content type below Word's own. */
interface Part {
  file: string;
  relation: string;
  type: string;
}

/** Parts that stand beside the document. */
export const PARTS = {
  styles: { file: "styles.xml", relation: `${REL}/styles`, type: "styles" },
  settings: { file: "settings.xml", relation: `${REL}/settings`, type: "settings" },
  numbering: { file: "numbering.xml", relation: `${REL}/numbering`, type: "numbering" },
  header: { file: "header1.xml", relation: `${REL}/header`, type: "header" },
  firstHeader: { file: "header2.xml", relation: `${REL}/header`, type: "header" },
  footnotes: { file: "footnotes.xml", relation: `${REL}/footnotes`, type: "footnotes" },
  comments: { file: "comments.xml", relation: `${REL}/comments`, type: "comments" },
  done: {
    file: "commentsExtended.xml",
    relation: "http://schemas.microsoft.com/office/2011/relationships/commentsExtended",
    type: "commentsExtended",
  },
} as const satisfies Record<string, Part>;

/** Name of a part. */
export type PartName = keyof typeof PARTS;

/** Id of the relation to a part. */
export function relationTo(name: PartName): string {
  return `rId${Object.keys(PARTS).indexOf(name) + 1}`;
}

/** A file of relations. */
export function relationsXml(
  relations: readonly { id: string; type: string; target: string; isExternal?: boolean }[],
): string {
  const entries = relations.map(
    ({ id, type, target, isExternal }) =>
      `<Relationship Id="${id}" Type="${type}" Target="${escaped(target)}"${isExternal ? ' TargetMode="External"' : ""}/>`,
  );
  return `${XML}<Relationships xmlns="${SCHEMAS}/package/2006/relationships">${entries.join("")}</Relationships>`;
}

/** What is what in the package. */
export function contentTypes(parts: readonly PartName[]): string {
  const pictures = ["png", "jpg", "gif"].map(
    (ending) => `<Default Extension="${ending}" ContentType="image/${ending === "jpg" ? "jpeg" : ending}"/>`,
  );
  const override = (file: string, type: string) =>
    `<Override PartName="/${file}" ContentType="${type}+xml"/>`;
  const own = parts.map((name) =>
    override(`word/${PARTS[name].file}`, `${TYPE}.wordprocessingml.${PARTS[name].type}`),
  );
  return `${XML}<Types xmlns="${SCHEMAS}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${pictures.join("")}${override("word/document.xml", `${TYPE}.wordprocessingml.document.main`)}${own.join("")}${override("docProps/core.xml", "application/vnd.openxmlformats-package.core-properties")}${override("docProps/custom.xml", `${TYPE}.custom-properties`)}</Types>`;
}

/** Relations of the package itself. */
export function packageRelations(): string {
  return relationsXml([
    { id: "rId1", type: `${REL}/officeDocument`, target: "word/document.xml" },
    {
      id: "rId2",
      type: `${SCHEMAS}/package/2006/relationships/metadata/core-properties`,
      target: "docProps/core.xml",
    },
    { id: "rId3", type: `${REL}/custom-properties`, target: "docProps/custom.xml" },
  ]);
}

/** The book's title, author and what else has a place there: rights have none. */
export function coreXml({ title, metadata }: CompiledBook): string {
  const { author, description, identifier, language } = metadata;
  const said = (name: string, text: string) =>
    text === "" ? "" : `<dc:${name}>${escaped(text)}</dc:${name}>`;
  return `${XML}<cp:coreProperties xmlns:cp="${SCHEMAS}/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">${said("title", title)}${said("creator", author)}${said("description", description)}${said("identifier", identifier)}${said("language", language)}</cp:coreProperties>`;
}

/** The manuscript's own property: which book this is. */
export function customXml({ id }: CompiledBook): string {
  return `${XML}<Properties xmlns="${SCHEMAS}/officeDocument/2006/custom-properties" xmlns:vt="${SCHEMAS}/officeDocument/2006/docPropsVTypes"><property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="manuscript.book"><vt:lpwstr>${escaped(id)}</vt:lpwstr></property></Properties>`;
}
