import { isMention } from "../document/marks.ts";
import type { DocNode } from "../document/types.ts";

/** The smallest part of a leaf: a UTF-16 code unit of its text, or another inline node. */
export interface Unit {
  node: DocNode;
  /** The code unit; undefined for another node. */
  text: string | undefined;
  /** Its marks without mentions, as one key; "" for none. */
  marks: string;
  /** Key that is equal for equal units. */
  key: string;
}

/** Splits a leaf's content into units, in order. O(text). */
export function readUnits({ content = [] }: DocNode): Unit[] {
  const units: Unit[] = [];
  for (const node of content) {
    const own = node.marks?.filter((mark) => !isMention(mark)) ?? [];
    const marks = own.length === 0 ? "" : JSON.stringify(own);
    if (node.text === undefined) {
      const key = `\u0001${JSON.stringify([node.type, node.attrs])}${marks}`;
      units.push({ node, text: undefined, marks, key });
    } else {
      for (let at = 0; at < node.text.length; at++) {
        const text = node.text.charAt(at);
        units.push({ node, text, marks, key: text + marks });
      }
    }
  }
  return units;
}

/** Returns the index of the unit of each code unit in the leaf's text. */
export function textUnits(units: readonly Unit[]): number[] {
  return units.flatMap(({ text }, index) => (text === undefined ? [] : [index]));
}

/** Returns the inline nodes of a stretch of units. */
export function sliceUnits(units: readonly Unit[], from: number, to: number): DocNode[] {
  const content: DocNode[] = [];
  for (let at = from; at < to; at++) {
    const { node, text } = units[at]!; // at < units.length
    const last = content.at(-1);
    if (text !== undefined && last?.text !== undefined && units[at - 1]?.node === node && at > from)
      last.text += text;
    else content.push(text === undefined ? node : { ...node, text });
  }
  return content;
}
