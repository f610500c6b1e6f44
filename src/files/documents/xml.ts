import { SaxesParser } from "saxes";
import { BadRequest } from "../../refusals.ts";

/** An element of an XML document. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  /** Elements and text, in order. */
  content: (XmlElement | string)[];
  /** Text directly in it. */
  text: string;
  /** Line on which its start tag ends, from 1. */
  line: number;
}

/** Entities of XHTML that books use, besides the five of XML and characters by number. */
const ENTITIES = {
  ...{ nbsp: "\u00a0", mdash: "—", ndash: "–", hellip: "…", copy: "©", shy: "\u00ad", middot: "·" },
  ...{ lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", laquo: "«", raquo: "»", eacute: "é", egrave: "è" },
  ...{
    auml: "ä",
    ouml: "ö",
    uuml: "ü",
    Auml: "Ä",
    Ouml: "Ö",
    Uuml: "Ü",
    szlig: "ß",
    ccedil: "ç",
    ecirc: "ê",
  },
};

/**
 * Parses XML with elements, attributes and text. Ignores document types, so that no other entities are known. Throws
 * `BadRequest`, naming the document and the line.
 */
export function readXml(text: string, name: string, mostDeep = 64): XmlElement {
  const top: XmlElement = { name: "", attributes: {}, children: [], content: [], text: "", line: 1 };
  const open = [top];
  const parser = new SaxesParser({ position: true });
  const refuse = (fault: string) =>
    new BadRequest(`${name} is not XML as it should be: ${fault} in line ${parser.line}.`);
  const add = (words: string) => {
    const inner = open.at(-1)!; // the top is never closed
    inner.text += words;
    inner.content.push(words);
  };
  Object.assign(parser.ENTITIES, ENTITIES);
  parser.on("opentag", ({ name: tag, attributes }) => {
    const given = attributes as Record<string, string>;
    const element = { name: tag, attributes: given, children: [], content: [], text: "", line: parser.line };
    open.at(-1)?.children.push(element);
    open.at(-1)?.content.push(element);
    open.push(element);
    if (open.length > mostDeep + 1) throw refuse(`an element deeper than ${mostDeep}`);
  });
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("closetag", () => open.pop());
  try {
    parser.write(text).close();
  } catch (error) {
    const [, fault = "it ends too soon"] =
      /^(?:\d+:\d+: )?(.*?)\.?$/.exec(String((error as Error).message)) ?? [];
    throw error instanceof BadRequest ? error : refuse(fault);
  }
  return top.children[0] ?? top;
}

/** Returns the first child with a name. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

/** Returns all elements of a name, at any depth. */
export function elementsNamed(element: XmlElement | undefined, name: string): XmlElement[] {
  return (element?.children ?? []).flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...elementsNamed(child, name),
  ]);
}
