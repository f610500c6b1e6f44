import { parse } from "node:path";
import type { DocumentKind } from "../document-kinds.ts";
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
function textOf(xml: string, { texts, skipped, blocks }: Reading): string {
  let text = "";
  let readings = "";
  let isReading = false;
  let depth = 0; // within an element that is passed over
  let skippedName = "";
  const open: string[] = [];
  for (const [, cdata, sign, name = "", empty, plain] of xml.matchAll(XML)) {
    const words = plain ?? cdata;
    if (words !== undefined) {
      if (depth === 0 && (texts === undefined || texts.has(open.at(-1) ?? ""))) {
        if (isReading) readings += words;
        else text += words;
      }
    } else if (sign === "/") {
      if (depth > 0) depth -= name === skippedName ? 1 : 0;
      else if (texts !== undefined) open.pop();
      if (depth === 0 && blocks.has(name)) text += "\n";
      if (name === "rt") {
        isReading = false;
        readings += "\n";
      }
    } else if (sign === "" && empty === "") {
      if (name === "rt") isReading = true;
      if (depth > 0) depth += name === skippedName ? 1 : 0;
      else if (skipped.has(name)) [depth, skippedName] = [1, name];
      else if (texts !== undefined) open.push(name);
      if (depth === 0 && blocks.has(name)) text += "\n";
    } else if (depth === 0 && /^(?:br|tab|s)$/.test(name)) text += " ";
  }
  return decodeEntities(`${text}\n${readings}`);
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
    "tracked-changes note-citation title desc forms automatic-styles font-face-decls scripts table-of-content-source alphabetical-index-source annotation-end sequence-decls creator date",
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

function decodeEntities(text: string): string {
  return text.replace(ENTITY, (_, hex?: string, decimal?: string, name = "") => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    // A letter's entity begins with it: &eacute; is compared without its sign.
    return (
      SIGNS[name] ?? (/(?:acute|grave|circ|uml|tilde|ring|cedil|slash|caron)$/.test(name) ? name[0]! : " ")
    );
  });
}

const RTF = /\\u(-?\d{1,6}) ?|\\'([0-9a-f]{2})|\\([a-z]+)(-?\d+)? ?|\\([^a-z])|([{}])|([^\\{}]+)/gi;
/** Groups that are no text. */
const DESTINATIONS = names(
  "fonttbl colortbl stylesheet info header headerl headerr headerf footer footerl footerr footerf pict fldinst listtext pntext object themedata xmlnstbl listtable listoverridetable revtbl rsidtbl generator template bkmkstart bkmkend atnid atnauthor atnref atndate",
);
const CHARSETS: Readonly<Record<number, string>> = {
  ...{
    128: "shift_jis",
    129: "euc-kr",
    134: "gb18030",
    136: "big5",
    161: "windows-1253",
    162: "windows-1254",
  },
  ...{ 163: "windows-1258", 177: "windows-1255", 178: "windows-1256", 186: "windows-1257" },
  ...{ 204: "windows-1251", 222: "windows-874", 238: "windows-1250" },
};
const CODE_PAGES: Readonly<Record<number, string>> = {
  ...{ 932: "shift_jis", 936: "gb18030", 949: "euc-kr", 950: "big5", 874: "windows-874", 10000: "macintosh" },
};

interface Group {
  isSkipped: boolean;
  /** Characters that stand in for one by number. */
  substitutes: number;
  encoding: string | undefined;
  isHidden: boolean;
}

/** Returns the text of RTF: control words are stripped, bytes decoded by the font's character set. */
function rtfText(bytes: Buffer): string {
  const rtf = bytes.toString("latin1");
  const fonts = new Map(
    [...rtf.matchAll(/\\f(\d+)[^\\{};]*(?:\\(?!f\d|fcharset)[a-z]+-?\d* ?)*\\fcharset(\d+)/g)].map(
      ([, font, charset]) => [font, CHARSETS[Number(charset)]],
    ),
  );
  const page = Number(/\\ansicpg(\d+)/.exec(rtf)?.[1] ?? 1252);
  const base = CODE_PAGES[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : "windows-1252");
  let group: Group = { isSkipped: false, substitutes: 1, encoding: undefined, isHidden: false };
  const groups: Group[] = [];
  let text = "";
  let pending: number[] = [];
  let toSkip = 0;
  const flush = () => {
    if (pending.length > 0 && !group.isSkipped)
      text += new TextDecoder(group.encoding ?? base).decode(Uint8Array.from(pending));
    pending = [];
  };
  for (const [, unicode, hex, word, number, symbol, brace, plain] of rtf.matchAll(RTF)) {
    if (hex !== undefined) {
      if (toSkip > 0) toSkip--;
      else pending.push(Number.parseInt(hex, 16));
      continue;
    }
    if (plain !== undefined) {
      const rest = plain.replace(/[\r\n]+/g, "");
      const own = rest.slice(toSkip);
      toSkip = Math.max(0, toSkip - rest.length);
      for (const character of Buffer.from(own, "latin1")) pending.push(character);
      continue;
    }
    flush();
    if (brace === "{") groups.push({ ...group });
    else if (brace === "}") group = groups.pop() ?? group;
    else if (unicode !== undefined) {
      if (!group.isSkipped) text += String.fromCharCode(Number(unicode) & 0xffff);
      toSkip = group.substitutes;
      continue;
    } else if (symbol === "*") group.isSkipped = true;
    else if (symbol === "\n" || symbol === "\r") text += "\n";
    else if (symbol !== undefined && /[\\{}]/.test(symbol)) pending.push(symbol.charCodeAt(0));
    else if (word === "uc") group.substitutes = Number(number);
    else if (word === "f") group.encoding = fonts.get(number ?? "");
    else if (word !== undefined && DESTINATIONS.has(word)) group.isSkipped = true;
    else if (word === "annotation") group.isSkipped = false;
    else if (word !== undefined && /^(?:par|line|cell|row|sect|page|tab)$/.test(word)) text += "\n";
    toSkip = 0;
  }
  flush();
  return text;
}
