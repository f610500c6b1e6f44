import { SaxesParser } from "saxes";
import { BadRequest, PayloadTooLarge } from "../../../refusals.ts";
import { damaged } from "../../documents/zip.ts";

/** An element of a part. Names have the usual prefixes: `w:p`, `w14:paraId`. */
export interface PartElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  /** Elements, and text where it counts. */
  children: (PartElement | string)[];
}

const MOST_DEEP = 256;
// A novel with a change in every word has a million.
const MOST_ELEMENTS = 4_000_000;

// What no reader of prose looks at. Left out as it is read, it takes neither memory nor time.
const IGNORED =
  /^(?:w:(?:sectPr|rPrChange|pPrChange|tblPr|tblGrid|trPr|rFonts|lang|sz|szCs|color|spacing|proofErr)|w:lastRenderedPageBreak)$/;

/** Parses a part. Throws `BadRequest` for a document type, which may hold entities, and for XML that is none. */
export function parsePart(bytes: Uint8Array, name: string): PartElement {
  const builder = new TreeBuilder(name);
  const parser = new SaxesParser({ position: false });
  parser.on("doctype", () => {
    throw new BadRequest(`${name} holds a document type, which Word never writes; nothing was imported.`);
  });
  parser.on("opentag", (tag) => builder.open(tag.name, tag.attributes as Record<string, string>));
  parser.on("text", (text) => builder.text(text));
  parser.on("closetag", () => builder.close());
  try {
    parser.write(decode(bytes)).close();
  } catch (error) {
    throw error instanceof BadRequest || error instanceof PayloadTooLarge ? error : damaged(name);
  }
  return builder.root;
}

/** Builds the tree of a part's elements, without those that are ignored. */
class TreeBuilder {
  root: PartElement = { name: "", attributes: {}, children: [] };
  readonly #name: string;
  readonly #open: PartElement[] = [];
  #count = 0;
  #ignoredDepth = 0;
  #rename: ((name: string) => string) | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  open(tag: string, given: Readonly<Record<string, string>>): void {
    if (this.#open.length === 0) this.#rename = prefixesOf(given);
    const rename = this.#rename;
    const name = rename?.(tag) ?? tag;
    if (this.#ignoredDepth > 0 || IGNORED.test(name)) {
      this.#ignoredDepth++;
      return;
    }
    if (++this.#count > MOST_ELEMENTS || this.#open.length > MOST_DEEP)
      throw new PayloadTooLarge(
        `${this.#name} has too many elements, or too deep ones; nothing was imported.`,
      );
    const attributes =
      rename === undefined
        ? given
        : Object.fromEntries(Object.entries(given).map(([key, value]) => [rename(key), value]));
    const element: PartElement = { name, attributes, children: [] };
    const outer = this.#open.at(-1);
    if (outer === undefined) this.root = element;
    else outer.children.push(element);
    this.#open.push(element);
  }

  text(text: string): void {
    const inner = this.#open.at(-1);
    if (inner === undefined || this.#ignoredDepth > 0) return;
    if (TEXTS.has(inner.name) || text.trim() !== "") inner.children.push(text);
  }

  close(): void {
    if (this.#ignoredDepth > 0) this.#ignoredDepth--;
    else this.#open.pop();
  }
}

const TEXTS: ReadonlySet<string> = new Set(["w:t", "w:delText", "w:instrText", "m:t"]);

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}

// By the last words of their names: those of the strict format differ in what comes before.
const USUAL: readonly (readonly [RegExp, string])[] = [
  [/wordprocessingml(?:\/2006)?\/main$/, "w"],
  [/office\/word\/2010\/wordml$/, "w14"],
  [/office\/word\/2012\/wordml$/, "w15"],
  [/officeDocument(?:\/2006)?\/relationships$/, "r"],
  [/drawingml(?:\/2006)?\/main$/, "a"],
];

/** Returns a function that gives names their usual prefixes; undefined if they have them. */
function prefixesOf(attributes: Readonly<Record<string, string>>): ((name: string) => string) | undefined {
  const renamed = new Map<string, string>();
  for (const [key, uri] of Object.entries(attributes)) {
    const prefix = /^xmlns:?(.*)$/.exec(key)?.[1];
    const usual = USUAL.find(([pattern]) => pattern.test(uri))?.[1];
    if (prefix !== undefined && usual !== undefined && prefix !== usual) renamed.set(prefix, usual);
  }
  if (renamed.size === 0) return undefined;
  return (name) => {
    const at = name.indexOf(":");
    const usual = renamed.get(name.slice(0, Math.max(0, at)));
    return usual === undefined ? name : `${usual}:${name.slice(at + 1)}`;
  };
}

/** Returns an element's child elements, all or those of a name. */
export function elementsOf(element: PartElement | undefined, name?: string): PartElement[] {
  const all = (element?.children ?? []).filter((child) => typeof child !== "string");
  return name === undefined ? all : all.filter((child) => child.name === name);
}

/** Returns the first child element of a name. */
export function childNamed(element: PartElement | undefined, name: string): PartElement | undefined {
  return element?.children.find(
    (child): child is PartElement => typeof child !== "string" && child.name === name,
  );
}

/** Returns the first element of a name at any depth. */
export function findWithin(element: PartElement, name: string): PartElement | undefined {
  for (const child of elementsOf(element)) {
    const found = child.name === name ? child : findWithin(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns all elements of a name, at any depth but not within each other. */
export function allWithin(element: PartElement, name: string): PartElement[] {
  return elementsOf(element).flatMap((child) => (child.name === name ? child : allWithin(child, name)));
}

/** Returns the value of an element's child, as in `<w:jc w:val="center"/>`. */
export function valOf(element: PartElement | undefined, name: string): string | undefined {
  return childNamed(element, name)?.attributes["w:val"];
}

/** Returns all text in an element. */
export function textIn(element: PartElement | undefined): string {
  return (element?.children ?? [])
    .map((child) => (typeof child === "string" ? child : textIn(child)))
    .join("");
}

/** True if a property such as `<w:b/>` is on; undefined if it is not there. */
export function isOn(element: PartElement | undefined, name: string): boolean | undefined {
  const found = childNamed(element, name);
  return found && !/^(?:0|false|off|none)$/.test(found.attributes["w:val"] ?? "");
}
