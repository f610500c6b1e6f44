import type { MarkType, Node } from "prosemirror-model";
import { Transform } from "prosemirror-transform";
import { schema } from "../text/schema.ts";

const { em, link, strong, strike } = schema.marks;

/** From one unit up to another, counted from 0. */
type Range = readonly [from: number, to: number];

/** A character of a leaf, or an atom, and where it begins. */
interface Unit {
  pos: number;
  kind: "blank" | "sign" | "letter";
  marks: Node["marks"];
}

/**
 * The leaf with its italics, bold and strikes beginning and ending where Markdown can say so: at a letter, or at a sign that has no
 * letter on its other side. `*so,*then` would be no italics; for one character's slant the next letter would be `&#116;`.
 * O(text of leaves that have marks).
 */
export function withSayableEdges(leaf: Node): Node {
  if (leaf.children.every(({ marks }) => marks.length === 0)) return leaf;
  const units = unitsOf(leaf);
  const tr = new Transform(leaf);
  const runs = [em, strong, strike, link].map((type) => ({ type, ranges: runsOf(units, type) }));
  for (const { type, ranges } of runs.slice(0, -1)) {
    const others = runs.filter((other) => other.type !== type).flatMap((other) => other.ranges);
    for (const range of ranges) for (const piece of piecesOf(range, others)) trim(tr, units, type, piece);
  }
  return tr.doc;
}

function runsOf(units: readonly Unit[], type: MarkType): Range[] {
  const runs: Range[] = [];
  for (let from = 0, to = 0; from < units.length; from = to + 1) {
    to = from;
    while (isOn(units[to], type)) to++;
    if (to > from) runs.push([from, to]);
  }
  return runs;
}

/** A run's parts: where it crosses another mark's edge, Markdown has it end and begin again. */
function piecesOf([from, to]: Range, others: readonly Range[]): Range[] {
  const cuts = others.flatMap(([start, end]) =>
    start < from && from < end && end < to ? [end] : from < start && start < to && to < end ? [start] : [],
  );
  const edges = [from, ...cuts.sort((a, b) => a - b), to];
  return edges.slice(1).map((end, index) => [edges[index] ?? from, end]);
}

/** Takes a mark off the blanks at the ends of its run, and off signs that have a letter beyond them. */
function trim(tr: Transform, units: readonly Unit[], type: MarkType, [from, to]: Range): void {
  const kindAt = (at: number) => units[at]?.kind ?? "blank";
  const isBad = (at: number, beyond: number) =>
    kindAt(at) === "blank" || (kindAt(at) === "sign" && kindAt(beyond) === "letter");
  let [first, last] = [from, to];
  while (first < last && isBad(first, first - 1)) first++;
  while (first < last && isBad(last - 1, last)) last--;
  const posAt = (at: number) => units[at]?.pos ?? tr.doc.content.size;
  tr.removeMark(posAt(from), posAt(first), type).removeMark(posAt(last), posAt(to), type);
}

function unitsOf(leaf: Node): Unit[] {
  const units: Unit[] = [];
  leaf.forEach((child, pos) => {
    const { marks, text, type } = child;
    const isCode = marks.some((mark) => mark.type.spec.code);
    if (text === undefined) units.push({ pos, marks, kind: /break$/.test(type.name) ? "blank" : "sign" });
    let at = pos;
    for (const character of text ?? "") {
      units.push({ pos: at, marks, kind: isCode ? "sign" : kindOf(character) });
      at += character.length;
    }
  });
  return units;
}

function kindOf(character: string): Unit["kind"] {
  if (/\s/.test(character)) return "blank";
  return /[\p{P}\p{S}]/u.test(character) ? "sign" : "letter";
}

function isOn(unit: Unit | undefined, type: MarkType): boolean {
  return unit?.marks.some((mark) => mark.type === type) ?? false;
}
