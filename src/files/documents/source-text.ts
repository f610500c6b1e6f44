import { parse } from "node:path";
import type { DocumentKind } from "../document-kinds.ts";
import { rtfText } from "./rtf-text.ts";
import { openParts } from "./zip.ts";

// The text of a document, read in the plainest way there is: the characters of its text nodes, a paragraph a line. It
// proves the readers' work (see compare-text.ts), so it shares no code with them.

/** Returns a document's text; undefined for a kind that is not compared. Never throws for one that a reader accepts. */
export function sourceTextOf(bytes: Buffer, kind: DocumentKind, rejects = false): string | undefined {
  if (kind.reader === "word") return wordText(bytes, rejects);
  if (kind.reader === "epub") return epubText(bytes);
  if (kind.ending === "odt") return odtText(bytes);
  if (kind.ending === "rtf") return rtfText(bytes);
  return kind.ending === "html" ? htmlText(decodeHtml(bytes)) : undefined;
}

/** How the text of XML is found, by the local names of elements. */
interface Reading {
  /** Elements with the text that counts; undefined for all. */
  texts?: ReadonlySet<string>;
  /** Elements that are passed over with all that is in them. */
  skipped: ReadonlySet<string>;
  /** Elements that end a line. */
  blocks: ReadonlySet<string>;
}

const names = (list: string): ReadonlySet<string> => new Set(list.split(" "));
const XML = /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<([/?!]?)(?:[\w.-]+:)?([\w.-]+)[^>]*?(\/?)>|([^<]+)/g;

/** Returns the text of XML or HTML, a block a line. Readings of words (ruby) stand at the end. */
function textOf(xml: string, reading: Reading): string {
  const reader = new XmlText(reading);
  for (const [, cdata, sign, name = "", empty, plain] of xml.matchAll(XML)) {
    if ((plain ?? cdata) !== undefined) reader.words(plain ?? cdata ?? "");
    else if (sign === "/") reader.close(name);
    else if (sign === "" && empty === "") reader.open(name);
    else if (/^(?:br|tab|s)$/.test(name)) reader.words(" ");
  }
  return decodeEntities(`${reader.text}\n${reader.readings}`);
}

class XmlText {
  text = "";
  readings = "";
  readonly #reading: Reading;
  readonly #open: string[] = [];
  /** The element that is passed over, and how deep it is nested in itself. */
  #skipped = "";
  #depth = 0;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  words(words: string): void {
    const { texts } = this.#reading;
    if (this.#depth > 0 || (texts !== undefined && !texts.has(this.#open.at(-1) ?? ""))) return;
    if (this.#open.includes("rt")) this.readings += words;
    else this.text += words;
  }

  open(name: string): void {
    if (this.#depth > 0) {
      if (name === this.#skipped) this.#depth++;
    } else if (this.#reading.skipped.has(name)) {
      this.#skipped = name;
      this.#depth = 1;
    } else if (this.#isNested(name)) this.#open.push(name);
    this.#breakAt(name);
  }

  close(name: string): void {
    if (this.#depth > 0) {
      if (name === this.#skipped) this.#depth--;
    } else if (this.#isNested(name)) this.#open.pop();
    this.#breakAt(name);
  }

  /** HTML need not close its elements: of those only readings are followed. */
  #isNested(name: string): boolean {
    return this.#reading.texts !== undefined || name === "rt";
  }

  #breakAt(name: string): void {
    if (name === "rt") this.readings += "\n";
    else if (this.#depth === 0 && this.#reading.blocks.has(name)) this.text += "\n";
  }
}

const WORD_BLOCKS = names("p");

function wordText(bytes: Buffer, rejects: boolean): string {
  const parts = openParts(bytes, "");
  const skipped = names(`Fallback instrText ${rejects ? "ins moveTo" : "del delText moveFrom"}`);
  const texts = names(rejects ? "t delText" : "t");
  const pages = [...parts.names].filter((part) =>
    /^word\/(?:document\d*|footnotes|endnotes|comments)\.xml$/.test(part),
  );
  return pages
    .map((part) => textOf(utf(parts.read(part)), { texts, skipped, blocks: WORD_BLOCKS }))
    .join("\n");
}

const ODT: Reading = {
  skipped: names(
    "tracked-changes note-citation title desc forms automatic-styles font-face-decls scripts table-of-content-source alphabetical-index-source illustration-index-source table-index-source object-index-source user-index-source bibliography-source annotation-end sequence-decls creator date",
  ),
  blocks: names("p h"),
};

function odtText(bytes: Buffer): string {
  return textOf(utf(openParts(bytes, "").read("content.xml")), ODT);
}

const HTML: Reading = {
  skipped: names("script style head title template noscript rp select"),
  blocks: names("p div h1 h2 h3 h4 h5 h6 li td th tr blockquote pre dt dd section article aside figcaption"),
};

function htmlText(html: string): string {
  return textOf(html, HTML);
}

function epubText(bytes: Buffer): string {
  const parts = openParts(bytes, "");
  const opf = [...parts.names].find((part) => part.endsWith(".opf")) ?? "";
  const xml = utf(parts.read(opf));
  const hrefs = new Map<string, string>();
  for (const [item] of xml.matchAll(/<(?:\w+:)?item\s[^>]*>/g)) {
    const [id, href] = [attribute(item, "id"), attribute(item, "href")];
    if (!/\bnav\b/.test(attribute(item, "properties"))) hrefs.set(id, href);
  }
  const folder = parse(opf).dir;
  const pages = [...xml.matchAll(/<(?:\w+:)?itemref\s[^>]*>/g)].map(
    ([item]) => hrefs.get(attribute(item, "idref")) ?? "",
  );
  return pages
    .map((page) => utf(parts.read(folder === "" ? page : `${folder}/${decodeURI(page)}`)))
    .map(htmlText)
    .join("\n");
}

function attribute(tag: string, name: string): string {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
}

function utf(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return "";
  const mark = Buffer.from(bytes.subarray(0, 2)).toString("hex");
  return new TextDecoder(mark === "fffe" ? "utf-16le" : mark === "feff" ? "utf-16be" : "utf-8").decode(bytes);
}

function decodeHtml(bytes: Buffer): string {
  const named = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(bytes.toString("latin1", 0, 2048))?.[1];
  try {
    return new TextDecoder(named ?? "utf-8").decode(bytes);
  } catch {
    return bytes.toString("latin1");
  }
}

const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]\w{1,20}));/gi;
const SIGNS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** A letter's entity begins with it: &eacute; counts as e. */
const LETTER = /^([a-z])(?:acute|grave|circ|uml|tilde|ring|cedil|slash|caron)$/i;

function decodeEntities(text: string): string {
  return text.replace(ENTITY, (_, hex?: string, decimal?: string, name = "") => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    return SIGNS[name] ?? LETTER.exec(name)?.[1] ?? " ";
  });
}
