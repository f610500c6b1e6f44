import { createHash } from "node:crypto";
import type { CompiledBook, CompiledChapter, PlacedPicture } from "./compiled.ts";
import { PROSE } from "./html.ts";
import { MarkupWriter } from "./parts/markup.ts";
import { escaped } from "./parts/xml.ts";
import { type ArchiveFile, archive } from "./parts/zip.ts";
import type { Picture } from "./picture.ts";

/** A file of the publication. Source: https://www.w3.org/TR/epub-33/#sec-manifest-elem. */
interface Item {
  id: string;
  href: string;
  type: string;
  content: string | Uint8Array;
  properties?: string;
  /** True if it is read in order. */
  isInSpine?: boolean;
}

const XHTML = "application/xhtml+xml";

/**
 * Writes a book as an EPUB 3 with title page, contents, notes that pop up, pictures and a cover. The same book gives the
 * same bytes.
 */
export function writeEpub(book: CompiledBook): Uint8Array {
  const pictures = new Map<string, Item>();
  const source = ({ picture }: PlacedPicture) => picture && `../${pictureItem(pictures, picture).href}`;
  const markup = new MarkupWriter({ source, level: 1, isEpub: true });
  const chapters = book.chapters.flatMap((chapter, at) => chapterItems(book, markup, chapter, at + 1));
  const cover = coverOf(book);
  const items: Item[] = [
    { id: "nav", href: "nav.xhtml", type: XHTML, content: navigation(book), properties: "nav" },
    { id: "ncx", href: "toc.ncx", type: "application/x-dtbncx+xml", content: ncx(book) },
    { id: "style", href: "style.css", type: "text/css", content: STYLE },
    {
      id: "cover",
      href: `cover.${cover.ending}`,
      type: cover.type,
      content: cover.bytes,
      properties: "cover-image",
    },
    { id: "title", href: "text/title.xhtml", type: XHTML, content: titlePage(book), isInSpine: true },
    ...chapters,
    ...pictures.values(),
  ];
  const files: ArchiveFile[] = [
    { name: "mimetype", content: "application/epub+zip" },
    { name: "META-INF/container.xml", content: CONTAINER },
    { name: "EPUB/package.opf", content: packageXml(book, items) },
    ...items.map(({ href, content }) => ({ name: `EPUB/${href}`, content })),
  ];
  return archive(files);
}

const CONTAINER = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
`;
const STYLE = `body{font-family:serif;line-height:1.4;margin:0 1em}${PROSE}.title,.part{text-align:center;margin-top:30%}\n`;

function pictureItem(pictures: Map<string, Item>, { name, type, ending, bytes }: Picture): Item {
  const known = pictures.get(name);
  if (known !== undefined) return known;
  const id = `picture-${pictures.size + 1}`;
  const item = { id, href: `pictures/${id}.${ending}`, type, content: bytes };
  pictures.set(name, item);
  return item;
}

function chapterItems(
  book: CompiledBook,
  markup: MarkupWriter,
  chapter: CompiledChapter,
  number: number,
): Item[] {
  const { title, part } = chapter;
  const section = `<section epub:type="chapter" role="doc-chapter" aria-label="${escaped(title)}">\n${markup.chapter(chapter)}\n</section>`;
  const item = { id: `c${number}`, href: hrefOf(number), type: XHTML, isInSpine: true };
  const own = { ...item, content: page(book, { title, body: section, type: "bodymatter" }) };
  if (part === null) return [own];
  const opening = `<section class="part" epub:type="part" role="doc-part"><h1>${escaped(part)}</h1></section>`;
  const begins = { id: `p${number}`, href: partHref(number), type: XHTML, isInSpine: true };
  return [{ ...begins, content: page(book, { title: part, body: opening, type: "bodymatter" }) }, own];
}

const hrefOf = (number: number) => `text/chapter-${number}.xhtml`;
const partHref = (number: number) => `text/part-${number}.xhtml`;
const languageOf = ({ metadata: { language } }: CompiledBook) => escaped(language || "und");

/** A page; `type` is where in a book it stands. */
interface Page {
  title: string;
  body: string;
  type: "frontmatter" | "bodymatter";
  /** The way to the publication's own folder. */
  up?: string;
}

function page(book: CompiledBook, { title, body, type, up = "../" }: Page): string {
  const lang = languageOf(book);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${lang}" xml:lang="${lang}"><head><title>${escaped(title)}</title><link rel="stylesheet" type="text/css" href="${up}style.css"/></head><body epub:type="${type}">${body}</body></html>
`;
}

function titlePage(book: CompiledBook): string {
  const { title, metadata } = book;
  const lines = [metadata.author, metadata.rights].filter(Boolean);
  const said = lines.map((text) => `<p class="first">${escaped(text)}</p>`).join("");
  const body = `<section class="title" epub:type="titlepage"><h1>${escaped(title)}</h1>${said}</section>`;
  return page(book, { title, body, type: "frontmatter" });
}

/** Places of the contents: each part with its chapters, and the chapters of none. */
function placesOf({
  chapters,
}: CompiledBook): { part: string | null; number: number; titles: [number, string][] }[] {
  const places: ReturnType<typeof placesOf> = [];
  for (const [at, { title, part }] of chapters.entries()) {
    if (part !== null || places.length === 0) places.push({ part, number: at + 1, titles: [] });
    places.at(-1)?.titles.push([at + 1, title]);
  }
  return places;
}

function navigation(book: CompiledBook): string {
  const link = (href: string, title: string) => `<a href="${href}">${escaped(title)}</a>`;
  const list = (titles: [number, string][]) =>
    titles.map(([number, title]) => `<li>${link(hrefOf(number), title)}</li>`).join("");
  const entries = placesOf(book).map(({ part, number, titles }) =>
    part === null ? list(titles) : `<li>${link(partHref(number), part)}<ol>${list(titles)}</ol></li>`,
  );
  const contents = `<nav epub:type="toc" role="doc-toc" id="toc"><h1>${escaped(book.title)}</h1><ol>${entries.join("")}</ol></nav>`;
  const marks = `<nav epub:type="landmarks" hidden="hidden"><ol><li><a epub:type="bodymatter" href="${hrefOf(1)}">${escaped(book.chapters[0]?.title ?? book.title)}</a></li></ol></nav>`;
  return page(book, { title: book.title, body: contents + marks, type: "frontmatter", up: "" });
}

/** The contents for readers of EPUB 2. */
function ncx(book: CompiledBook): string {
  let order = 0;
  const point = (href: string, title: string, within = "") =>
    `<navPoint id="n${++order}" playOrder="${order}"><navLabel><text>${escaped(title)}</text></navLabel><content src="${href}"/>${within}</navPoint>`;
  const points = placesOf(book).map(({ part, number, titles }) => {
    const open = part === null ? "" : point(partHref(number), part).replace("</navPoint>", "");
    const own = titles.map(([at, title]) => point(hrefOf(at), title)).join("");
    return open + own + (part === null ? "" : "</navPoint>");
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><head><meta name="dtb:uid" content="${escaped(identifierOf(book))}"/></head><docTitle><text>${escaped(book.title)}</text></docTitle><navMap>${points.join("")}</navMap></ncx>
`;
}

/** The book's own identifier, an ISBN as URN; else one made of its id, the same each time. */
function identifierOf({ id, metadata: { identifier } }: CompiledBook): string {
  const isbn = identifier.replace(/^(?:urn:)?isbn:?\s*|[-\s]/gi, "");
  if (/^(?:97[89])?\d{9}[\dXx]$/.test(isbn)) return `urn:isbn:${isbn}`;
  if (identifier !== "") return identifier;
  const hash = createHash("sha256").update(id).digest("hex");
  return `urn:uuid:${hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, "$1-$2-5$3-8$4-$5")}`;
}

function packageXml(book: CompiledBook, items: readonly Item[]): string {
  const { title, metadata } = book;
  const { author, rights, description } = metadata;
  const said = (name: string, text: string) =>
    text === "" ? "" : `<dc:${name}>${escaped(text)}</dc:${name}>`;
  const meta = (name: string, text: string) => `<meta property="${name}">${text}</meta>`;
  const hasPictures = items.some(({ id }) => id.startsWith("picture-"));
  const access = [
    meta("schema:accessMode", "textual"),
    hasPictures ? meta("schema:accessMode", "visual") : "",
    meta("schema:accessModeSufficient", hasPictures ? "textual,visual" : "textual"),
    ...["structuralNavigation", "tableOfContents", "readingOrder"].map((one) =>
      meta("schema:accessibilityFeature", one),
    ),
    meta("schema:accessibilityHazard", "none"),
  ].join("");
  const manifest = items.map(
    ({ id, href, type, properties }) =>
      `<item id="${id}" href="${href}" media-type="${type}"${properties ? ` properties="${properties}"` : ""}/>`,
  );
  const spine = items.filter(({ isInSpine }) => isInSpine).map(({ id }) => `<itemref idref="${id}"/>`);
  const modified = meta("dcterms:modified", book.modifiedAt);
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${languageOf(book)}" prefix="schema: http://schema.org/"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">${escaped(identifierOf(book))}</dc:identifier><dc:title>${escaped(title)}</dc:title><dc:language>${languageOf(book)}</dc:language>${said("creator", author)}${said("rights", rights)}${said("description", description)}${modified}<meta name="cover" content="cover"/>${access}</metadata><manifest>${manifest.join("")}</manifest><spine toc="ncx">${spine.join("")}</spine></package>
`;
}

/** The book's cover; else one with its title and author. */
function coverOf({ title, metadata: { author, cover } }: CompiledBook): Picture {
  if (cover !== undefined) return cover;
  const [width, height] = [1600, 2560];
  const lines = wrapped(title, 14);
  const size = Math.min(160, Math.floor(1400 / (lines.length * 1.2)));
  const text = (y: number, points: number, line: string) =>
    `<text x="800" y="${y}" font-size="${points}">${escaped(line)}</text>`;
  const rows = lines.map((line, at) => text(900 + Math.round(at * size * 1.2), size, line)).join("");
  const svg = `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}"><rect width="${width}" height="${height}" fill="#20303c"/><path d="M200 700H1400M200 2050H1400" stroke="#c8a96a" stroke-width="4"/><g fill="#f4efe4" font-family="serif" text-anchor="middle">${rows}${text(2200, 90, author)}</g></svg>
`;
  return {
    name: "cover",
    bytes: new TextEncoder().encode(svg),
    type: "image/svg+xml",
    ending: "svg",
    width,
    height,
  };
}

function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
