import { posix } from "node:path";
import { BadRequest } from "../../refusals.ts";
import { elementsNamed as all, readXml, type XmlElement } from "./xml.ts";
import { damaged, openParts, type Parts } from "./zip.ts";

// An EPUB becomes one HTML page, which LibreOffice reads: its pages in the order of the spine, references to notes as
// LibreOffice writes footnotes into HTML, readings of words in brackets behind them, pictures within the page.

/**
 * Returns an EPUB as one page of HTML, and the headings that are left out of it: those above notes alone. `name` is for
 * messages. Throws `BadRequest`, saying how to convert it.
 */
export function htmlOfEpub(bytes: Buffer, name: string): { html: Buffer; left: string[] } {
  const parts = openParts(bytes, name);
  if (parts.names.has("META-INF/encryption.xml") && !hasOnlyFonts(parts))
    throw unreadable(name, "is protected against copying");
  const container = parse(parts, "META-INF/container.xml", name);
  const path = all(container, "rootfile")[0]?.attributes["full-path"] ?? "";
  const opf = parse(parts, path, name);
  const partOf = (href: string) => posix.normalize(posix.join(posix.dirname(path), decoded(href)));
  const items = all(opf, "item").map(({ attributes }) => attributes);
  const hrefs = new Map(items.map(({ id = "", href = "" }) => [id, partOf(href)]));
  const pages = all(opf, "itemref").flatMap(({ attributes }) => hrefs.get(attributes.idref ?? "") ?? []);
  const nav = items.filter(({ properties = "" }) => /\bnav\b/.test(properties));
  const isNav = new Set(nav.map(({ href = "" }) => partOf(href)));
  const isPage = new Set(pages);
  const others = items.flatMap(({ href = "", "media-type": type }) =>
    type === "application/xhtml+xml" && !isPage.has(partOf(href)) ? partOf(href) : [],
  );
  const read = [...pages, ...others].filter((page) => !isNav.has(page));
  const bodies = new Map(read.map((page) => [page, all(parse(parts, page, name), "body")[0]]));
  const book = new Book(parts, bodies);
  const text = pages.map((page) => book.page(page)).join("\n");
  const styles = items.flatMap(({ href = "", "media-type": type }) =>
    type === "text/css" ? textOf(parts.read(partOf(href))) : [],
  );
  const title = all(opf, "dc:title").map(wordsIn).find(Boolean) ?? "";
  const head = [
    '<meta charset="utf-8">',
    `<title>${asHtml(title)}</title>`,
    `<style>${styles.join("\n").replace(/@import[^;]*;|url\([^)]*\)|<\/?style/gi, "")}</style>`,
  ];
  const html = Buffer.from(
    `<!doctype html><html><head>${head.join("")}</head><body>${text}${book.notes()}</body></html>`,
  );
  return { html, left: book.left };
}

/** Fonts may be obfuscated without the text being so. */
function hasOnlyFonts(parts: Parts): boolean {
  const uris = [
    ...textOf(parts.read("META-INF/encryption.xml")).matchAll(/CipherReference\s+URI="([^"]*)"/g),
  ];
  return uris.every(([, uri = ""]) => /\.(?:[ot]tf|woff2?)$/i.test(uri));
}

const NOTE = /^(?:foot|end|rear)?notes?$|^doc-(?:foot|end)notes?$/;
const REFERENCE = /\bnoteref\b/;
const PASSED = new Set(
  "p div h1 h2 h3 h4 h5 h6 em i strong b u s del sup sub code pre blockquote ul ol li table thead tbody tr td th span center".split(
    " ",
  ),
);
const DROPPED = new Set(["script", "style", "rp", "head", "nav", "template"]);

class Book {
  readonly #parts: Parts;
  readonly #bodies: ReadonlyMap<string, XmlElement | undefined>;
  /** Elements by "page#id". */
  readonly #targets = new Map<string, XmlElement>();
  /** Notes that are referred to, in order, with the pages that hold them. */
  readonly #notes = new Map<XmlElement, string>();
  /** Headings above notes alone. */
  readonly left: string[] = [];
  #page = "";

  constructor(parts: Parts, bodies: ReadonlyMap<string, XmlElement | undefined>) {
    this.#parts = parts;
    this.#bodies = bodies;
    for (const [page, body] of bodies) if (body !== undefined) this.#collect(body, page);
    for (const [page, body] of bodies) if (body !== undefined) this.#findNotes(body, page);
  }

  page(page: string): string {
    this.#page = page;
    return this.#inner(this.#bodies.get(page));
  }

  /** Returns the bodies of all notes, as LibreOffice writes footnotes. */
  notes(): string {
    return [...this.#notes]
      .map(([note, page], at) => {
        this.#page = page;
        const text = this.#inner({ ...note, content: withoutBacklink(note.content) });
        return `<div id="sdfootnote${at + 1}"><p class="sdfootnote"><a class="sdfootnotesym" name="sdfootnote${at + 1}sym" href="#sdfootnote${at + 1}anc">${at + 1}</a>${text.replace(/^\s*<p>|<\/p>\s*$/g, "")}</p></div>`;
      })
      .join("\n");
  }

  #collect(element: XmlElement, page: string): void {
    const { id } = element.attributes;
    if (id !== undefined) this.#targets.set(`${page}#${id}`, element);
    for (const child of element.content) if (typeof child !== "string") this.#collect(child, page);
  }

  #findNotes(element: XmlElement, page: string): void {
    const note = this.#noteOf(element, page);
    if (note !== undefined && !this.#notes.has(note)) this.#notes.set(note, this.#pageOf(element, page));
    for (const child of element.content) if (typeof child !== "string") this.#findNotes(child, page);
  }

  #pageOf({ attributes: { href = "" } }: XmlElement, page: string): string {
    return href.startsWith("#") ? page : targetIn(page, href).replace(/#.*$/, "");
  }

  /** Returns the note that a link refers to. */
  #noteOf(link: XmlElement, page: string): XmlElement | undefined {
    const { href = "", "epub:type": type = "", role = "" } = link.attributes;
    if (link.name !== "a" || !href.includes("#")) return undefined;
    const target = this.#targets.get(targetIn(page, href));
    if (target === undefined) return undefined;
    return REFERENCE.test(`${type} ${role}`) || isNote(target) ? target : undefined;
  }

  #inner(element: XmlElement | undefined): string {
    return (element?.content ?? [])
      .map((child) => (typeof child === "string" ? asHtml(child) : this.#write(child)))
      .join("");
  }

  #write(element: XmlElement): string {
    const { name, attributes } = element;
    if (DROPPED.has(name) || this.#notes.has(element)) return "";
    if (isNote(element) && /section|aside/.test(name) && this.#holdsOnlyNotes(element)) {
      this.left.push(wordsIn(element));
      return "";
    }
    const note = this.#noteOf(element, this.#page);
    if (note !== undefined) {
      const number = [...this.#notes.keys()].indexOf(note) + 1;
      return `<a class="sdfootnoteanc" name="sdfootnote${number}anc" href="#sdfootnote${number}sym"><sup>${number}</sup></a>`;
    }
    if (name === "br" || name === "hr") return `<${name}>`;
    if (name === "img" || name === "image") return this.#picture(attributes);
    if (name === "ruby") return this.#ruby(element);
    const inner = this.#inner(element);
    if (name === "a" && /^(?:https?|mailto):/i.test(attributes.href ?? ""))
      return `<a href="${asHtml(attributes.href!)}">${inner}</a>`; // it was tested
    const { class: style, lang } = attributes;
    const kept = `${style ? ` class="${asHtml(style)}"` : ""}${lang ? ` lang="${asHtml(lang)}"` : ""}`;
    return PASSED.has(name) ? `<${name}${kept}>${inner}</${name}>` : inner;
  }

  #holdsOnlyNotes(element: XmlElement): boolean {
    const left = element.content.filter((child) => typeof child === "string" || !/^h\d$/.test(child.name));
    return left.every((child) =>
      typeof child === "string"
        ? child.trim() === ""
        : this.#notes.has(child) || (/^[ou]l$|div|section/.test(child.name) && this.#holdsOnlyNotes(child)),
    );
  }

  /** Returns a word and its reading: 漢字(かんじ). */
  #ruby(ruby: XmlElement): string {
    const readings = all(ruby, "rt").map(wordsIn).join("");
    const base = this.#inner({
      ...ruby,
      content: ruby.content.filter((child) => typeof child === "string" || !/^r[tp]c?$/.test(child.name)),
    }).trim();
    return readings === "" ? base : `${base}(${asHtml(readings)})`;
  }

  #picture({ src, "xlink:href": link, alt = "" }: Readonly<Record<string, string>>): string {
    const part = targetIn(this.#page, src ?? link ?? "");
    const bytes = this.#parts.readAlone(part);
    const type = /\.(png|jpe?g|gif)$/i.exec(part)?.[1]?.toLowerCase().replace("jpg", "jpeg");
    if (bytes === undefined || type === undefined) return asHtml(alt);
    return `<img alt="${asHtml(alt)}" src="data:image/${type};base64,${Buffer.from(bytes).toString("base64")}">`;
  }
}

function isNote({ attributes: { "epub:type": type = "", role = "" } }: XmlElement): boolean {
  return `${type} ${role}`.split(/\s+/).some((word) => NOTE.test(word));
}

/** Drops the link back to the text, an arrow or the note's number. */
function withoutBacklink(content: XmlElement["content"]): XmlElement["content"] {
  return content.flatMap((child) => {
    if (typeof child === "string") return child;
    const { "epub:type": type = "", role = "", href = "" } = child.attributes;
    if (child.name === "a" && (/backlink|referrer/.test(`${type} ${role}`) || isMark(child, href))) return [];
    return { ...child, content: withoutBacklink(child.content) };
  });
}

function isMark(link: XmlElement, href: string): boolean {
  return href.includes("#") && !/\p{L}/u.test(wordsIn(link));
}

function targetIn(page: string, href: string): string {
  const [file = "", id] = decoded(href).split("#");
  const part = file === "" ? page : posix.normalize(posix.join(posix.dirname(page), file));
  return id === undefined ? part : `${part}#${id}`;
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

function parse(parts: Parts, part: string, name: string): XmlElement {
  const bytes = parts.read(part);
  if (bytes === undefined) throw damaged(name);
  try {
    return readXml(textOf(bytes), part, 256);
  } catch (error) {
    throw error instanceof BadRequest
      ? unreadable(name, `cannot be read (${error.message.replace(/\.$/, "")})`)
      : error;
  }
}

function unreadable(name: string, why: string): BadRequest {
  return new BadRequest(
    `${name} ${why}; nothing was imported. Convert it with Calibre (ebook-convert "${name}" book.docx) and import that.`,
  );
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : new TextDecoder().decode(bytes);
}

function wordsIn(element: XmlElement): string {
  return element.content
    .map((child) => (typeof child === "string" ? child : wordsIn(child)))
    .join("")
    .trim();
}

function asHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
