import { childNamed, elementsOf, isOn, type PartElement, valOf } from "./xml.ts";

/** A style of paragraphs or characters, with what it takes from those that it is based on. */
export interface WordStyle {
  /** In lower case: "heading 1", "quote". The built-in ones have English names in every language's Word. */
  name: string;
  /** Level of a heading, 1 to 6. */
  level: number | undefined;
  isEm: boolean;
  isStrong: boolean;
  isCentred: boolean;
  startsPage: boolean;
  /** The numbering of a style of lists. */
  numbering: PartElement | undefined;
}

/** Styles by id, and `undefined` for the one of paragraphs that name none. */
export type Styles = ReadonlyMap<string | undefined, WordStyle>;

const MOST_BASES = 12;
// Names of headings where a program has translated them.
const HEADING =
  /^(?:heading|überschrift|titre|título|titolo|kop|rubrik|overskrift|otsikko|nagłówek|nadpis|заголовок) ?([1-6])$/;

/** Reads `word/styles.xml`. */
export function readStyles(root: PartElement | undefined): Styles {
  const all = elementsOf(root, "w:style");
  const byId = new Map(all.map((style) => [style.attributes["w:styleId"], style]));
  const styles = new Map<string | undefined, WordStyle>();
  for (const [id, element] of byId) styles.set(id, readStyle(element, byId));
  const plain = all.find(
    ({ attributes }) =>
      attributes["w:type"] === "paragraph" && /^(?:1|true|on)$/.test(attributes["w:default"] ?? ""),
  );
  const fallback = plain && styles.get(plain.attributes["w:styleId"]);
  if (fallback !== undefined) styles.set(undefined, fallback);
  return styles;
}

function readStyle(element: PartElement, byId: ReadonlyMap<string | undefined, PartElement>): WordStyle {
  const chain: PartElement[] = [];
  for (let at: PartElement | undefined = element; at !== undefined && chain.length < MOST_BASES; ) {
    chain.push(at);
    at = byId.get(valOf(at, "w:basedOn"));
  }
  const first = <Value>(read: (style: PartElement) => Value | undefined) => {
    for (const style of chain) {
      const value = read(style);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const ofText = (name: string) => first((style) => isOn(childNamed(style, "w:rPr"), name)) ?? false;
  const name = (valOf(element, "w:name") ?? element.attributes["w:styleId"] ?? "").toLowerCase();
  const named = HEADING.exec(name)?.[1];
  const isText = element.attributes["w:type"] === "character";
  return {
    name,
    level:
      named === undefined
        ? isText
          ? undefined
          : first((style) => levelOf(childNamed(style, "w:pPr")))
        : Number(named),
    isEm: ofText("w:i"),
    isStrong: ofText("w:b"),
    isCentred: first((style) => valOf(childNamed(style, "w:pPr"), "w:jc")) === "center",
    startsPage: first((style) => isOn(childNamed(style, "w:pPr"), "w:pageBreakBefore")) ?? false,
    numbering: first((style) => childNamed(childNamed(style, "w:pPr"), "w:numPr")),
  };
}

/** Returns the heading level that a paragraph's properties give it. */
export function levelOf(properties: PartElement | undefined): number | undefined {
  const level = Number(valOf(properties, "w:outlineLvl") ?? Number.NaN) + 1;
  return level >= 1 && level <= 6 ? level : undefined;
}

/** A level of a list. `start` is undefined for bullets. */
export interface ListLevel {
  start: number | undefined;
}

/** Returns a function that finds the level of a list by its id and depth. Reads `word/numbering.xml`. */
export function readNumbering(root: PartElement | undefined): (id: string, depth: number) => ListLevel {
  const kinds = new Map(
    elementsOf(root, "w:abstractNum").map((kind) => [kind.attributes["w:abstractNumId"], kind]),
  );
  const lists = new Map(elementsOf(root, "w:num").map((list) => [list.attributes["w:numId"], list]));
  return (id, depth) => {
    const list = lists.get(id);
    const isHere = ({ attributes }: PartElement) => Number(attributes["w:ilvl"]) === depth;
    const level = elementsOf(kinds.get(valOf(list, "w:abstractNumId")), "w:lvl").find(isHere);
    const own = elementsOf(list, "w:lvlOverride").find(isHere);
    const start = Number(valOf(own, "w:startOverride") ?? valOf(level, "w:start") ?? 1);
    const isBullet = /^(?:bullet|none)$/.test(valOf(level, "w:numFmt") ?? "bullet");
    return { start: isBullet ? undefined : start };
  };
}
