import { BadRequest } from "../../refusals.ts";

/** An element of an XML document. */
export interface XmlElement {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  /** Text directly in it. */
  text: string;
  /** Line on which it begins, from 1. */
  line: number;
}

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const MOST_DEEP = 64;

/**
 * Parses XML with elements, attributes and text. Ignores document types, so the only entities are the five standard
 * ones and characters by number. Throws `BadRequest`, naming the document and the line.
 */
export function readXml(text: string, name: string): XmlElement {
  const lineAt = lineCounter(text);
  const refuse = (at: number) => (fault: string) =>
    new BadRequest(`${name} is not XML as it should be: ${fault} in line ${lineAt(at)}.`);
  const top: XmlElement = { name: "", attributes: new Map(), children: [], text: "", line: 1 };
  const open: XmlElement[] = [top];
  for (let at = text.startsWith("\ufeff") ? 1 : 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw refuse(at)("something that is no element, or one that does not end,");
    const [, cdata, closing, opening, attributes = "", empty, plain] = match;
    const inner = open.at(-1)!; // the top is never closed
    if (cdata !== undefined) inner.text += cdata;
    else if (plain !== undefined) inner.text += decoded(plain, refuse(at));
    else if (closing !== undefined) {
      if (open.length === 1 || inner.name !== closing)
        throw refuse(at)(`</${closing}> without its beginning`);
      open.pop();
    } else if (opening !== undefined) {
      const read = readAttributes(attributes, refuse(at));
      const element = { name: opening, attributes: read, children: [], text: "", line: lineAt(at) };
      inner.children.push(element);
      if (empty === "") open.push(element);
      if (open.length > MOST_DEEP) throw refuse(at)(`an element deeper than ${MOST_DEEP}`);
    }
  }
  const [root, second] = top.children;
  const last = open.at(-1)!; // as above
  if (last !== top) throw refuse(text.length)(`the end without </${last.name}>`);
  if (root === undefined || second !== undefined)
    throw refuse(text.length)("not exactly one outermost element");
  return root;
}

/** Returns the first child with a name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

type Refuse = (fault: string) => BadRequest;

function readAttributes(text: string, refuse: Refuse): Map<string, string> {
  const found = text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return new Map(
    [...found].map(([, name = "", double, single]) => [name, decoded(double ?? single ?? "", refuse)]),
  );
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

function decoded(text: string, refuse: Refuse): string {
  return text.replace(/&([^&;]{0,20});?/g, (entity, name: string) => {
    const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))$/i.exec(name) ?? [];
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    const known = isCharacter ? String.fromCodePoint(code) : ENTITIES.get(name);
    if (known === undefined || !entity.endsWith(";")) throw refuse(`the unknown entity ${entity}`);
    return known;
  });
}

/** Returns a function that finds the line of an offset. Offsets must ascend. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let seen = 0;
  return (at) => {
    for (let end = text.indexOf("\n", seen); end >= 0 && end < at; end = text.indexOf("\n", seen)) {
      line++;
      seen = end + 1;
    }
    return line;
  };
}
