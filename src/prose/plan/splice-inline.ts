import { joinTexts } from "../document/marks.ts";
import type { TextEdit } from "../document/text-edit.ts";
import type { DocNode } from "../document/types.ts";
import type { Style } from "../markdown/escape.ts";
import { type InlinePlace, type LinkPlace, readInlinePlaces } from "../markdown/inline-places.ts";
import { writeInline } from "../markdown/write-inline.ts";
import { findHunks, type Hunk } from "./hunks.ts";
import { readUnits, sliceUnits, textUnits, type Unit } from "./units.ts";

/** Letters in a paragraph beyond which it is written afresh: each takes an object here. */
const MOST_UNITS = 200_000;

/** A leaf before and after, and where its text was edited if that is known. */
export interface LeafChange {
  old: DocNode;
  next: DocNode;
  edits?: readonly TextEdit[] | undefined;
}

/**
 * Ways to spell the leaf as it shall be that touch only what changed in its Markdown, the least escaped first: every
 * other letter, delimiter, entity and backslash stays as its author put it. None if the Markdown cannot be followed. The
 * caller proves by reading them that they say what they should. O(leaf) each.
 */
export function* spliceInline(
  markdown: string,
  { old, next, edits }: LeafChange,
  definitions: string,
): Generator<string> {
  const [before, after] = [readUnits(old), readUnits(next)];
  if (before.length === 0 || Math.max(before.length, after.length) > MOST_UNITS) return;
  const read = readInlinePlaces(markdown, definitions);
  const places = align(read?.places, before);
  if (read === undefined || places === undefined) return;
  const hunks = (edits && hunksOf(edits, before)) ?? findHunks(before, after);
  const text = { markdown, places, links: read.links, before, after };
  yield exchange(text, hunks, { spell: (letters) => letters, links: "kept" });
  yield exchange(text, hunks, { spell: escaped, links: "kept" });
  yield exchange(text, hunks, { spell: escaped, links: "afresh" });
  for (const style of ["bare", "plain", "strict"] as const) yield exchange(text, hunks, { style });
}

/** The places of the units; an entity that guards a tag has none in the document. */
function align(places: InlinePlace[] | undefined, units: readonly Unit[]): InlinePlace[] | undefined {
  let at = 0;
  const found = places?.filter((place) => {
    const unit = units[at];
    const isSame = unit !== undefined && unit.text === place.text;
    if (isSame) at++;
    return isSame || !place.isGuard;
  });
  const isSame = found?.length === units.length && at === units.length;
  return isSame ? found : undefined;
}

function hunksOf(edits: readonly TextEdit[], units: readonly Unit[]): Hunk[] | undefined {
  const letters = textUnits(units);
  const hunks: Hunk[] = [];
  let shift = 0;
  for (const { from, to, insert } of edits) {
    const [first, last] = [letters[from] ?? NaN, letters[to - 1] ?? NaN];
    if (last - first !== to - 1 - from) return undefined; // so it is also for what is not there
    const next = { from: first + shift, to: first + shift + insert.length };
    hunks.push({ old: { from: first, to: last + 1 }, next });
    shift += insert.length - (to - from);
  }
  return hunks;
}

/** A leaf's Markdown, where its units are in it, and those that it shall have. */
interface Text {
  markdown: string;
  places: readonly InlinePlace[];
  links: readonly LinkPlace[];
  before: readonly Unit[];
  after: readonly Unit[];
}

/** What is cut from the Markdown, and what goes there. */
interface Cut {
  from: number;
  to: number;
  insert: string;
}

/** How hunks are written. */
interface Manner {
  /** Letter for letter, where that can be, spelt like this. */
  spell?: (letters: string) => string;
  /** `kept` for so within links, too. */
  links?: "kept" | "afresh";
  style?: Style;
}

function exchange(text: Text, hunks: readonly Hunk[], manner: Manner): string {
  const cuts = arrange(text, hunks, manner);
  const labels =
    manner.links === "kept" ? text.links.flatMap((link) => relabel(text.markdown, link, cuts)) : [];
  return cut(
    text.markdown,
    labels.length === 0 ? cuts : [...cuts, ...labels].sort((a, b) => a.from - b.from),
  );
}

function cut(markdown: string, cuts: readonly Cut[]): string {
  let done = "";
  let at = 0;
  for (const { from, to, insert } of cuts) {
    done += markdown.slice(at, from) + insert;
    at = to;
  }
  return done + markdown.slice(at);
}

/** A link whose text was its label is told it when the text changes, and needs none when the text becomes it. */
function relabel(markdown: string, { from, textEnd, to }: LinkPlace, cuts: readonly Cut[]): Cut[] {
  const within = cuts.filter((one) => one.from >= from && one.to <= textEnd);
  const [text, end] = [markdown.slice(from, textEnd), markdown.slice(textEnd, to)];
  if (within.length === 0 || end.startsWith("](") || !end.startsWith("]")) return [];
  if (end === "]" || end === "][]") return [{ from: textEnd, to, insert: `][${text}]` }];
  const shifted = within.map((one) => ({ ...one, from: one.from - from, to: one.to - from }));
  return cut(text, shifted) === end.slice(2, -1) ? [{ from: textEnd, to, insert: "]" }] : [];
}

/** The cuts; hunks that are written afresh reach to where no mark is open, what they meet on the way included. */
function arrange(
  text: Text,
  hunks: readonly Hunk[],
  { spell, links = "afresh", style = "bare" }: Manner,
): Cut[] {
  const arranged: { hunk: Hunk; cut: Cut }[] = [];
  for (const hunk of hunks) {
    const cut = spell && (links === "kept" || !isInLink(text, hunk)) ? near(text, hunk, spell) : undefined;
    let wide = cut === undefined ? widen(text, hunk) : hunk;
    let isJoined = false;
    for (let last = arranged.at(-1); (last?.hunk.old.to ?? -1) > wide.old.from; last = arranged.at(-1)) {
      wide = join(arranged.pop()!.hunk, wide); // there is a last
      isJoined = true;
    }
    arranged.push({ hunk: wide, cut: cut === undefined || isJoined ? afresh(text, wide, style) : cut });
  }
  return arranged.map(({ cut }) => cut);
}

const LINK = JSON.stringify({ type: "link" }).slice(0, -1);

function isInLink({ before, after }: Text, { old, next }: Hunk): boolean {
  const units = [...before.slice(old.from, old.to), ...after.slice(next.from, next.to)];
  return units.some(({ marks }) => marks.includes(LINK));
}

function join(one: Hunk, other: Hunk): Hunk {
  const cover = (a: Hunk["old"], b: Hunk["old"]) => ({
    from: Math.min(a.from, b.from),
    to: Math.max(a.to, b.to),
  });
  return { old: cover(one.old, other.old), next: cover(one.next, other.next) };
}

/** Letters for letters within the marks that are there; undefined if it is not as simple as that. */
function near(
  { markdown, places, before, after }: Text,
  { old, next }: Hunk,
  spell: (letters: string) => string,
): Cut | undefined {
  const inserted = after.slice(next.from, next.to);
  const removed = before.slice(old.from, old.to);
  const [left, right] = [before[old.from - 1], before[old.to]];
  const marks = (inserted[0] ?? removed[0])?.marks;
  if ([...inserted, ...removed].some((unit) => unit.marks !== marks)) return undefined;
  if (inserted.some(({ text }) => text === undefined)) return undefined;
  const insert = spell(inserted.map(({ text }) => text).join(""));
  if (removed.length > 0) {
    // The delimiters of a mark go with the last letter in it.
    const isLeft = inserted.length > 0 || marks === "" || [left, right].some((unit) => unit?.marks === marks);
    return isLeft ? { from: places[old.from]!.from, to: places[old.to - 1]!.to, insert } : undefined; // one a unit
  }
  if (left !== undefined && left.marks === marks) return { ...pointAt(places[old.from - 1]!.to), insert }; // as above
  if (right !== undefined && right.marks === marks) return { ...pointAt(places[old.to]!.from), insert }; // as above
  if (marks !== "" || (left !== undefined && right !== undefined)) return undefined;
  return { ...pointAt(left === undefined ? 0 : markdown.length), insert };
}

function pointAt(at: number): { from: number; to: number } {
  return { from: at, to: at };
}

function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<~]|&(?=[#\w])/g, "\\$&");
}

/** From where no mark is open to where none is. */
function widen({ before }: Text, { old, next }: Hunk): Hunk {
  let [left, right] = [0, 0];
  while ((before[old.from - 1 - left]?.marks ?? "") !== "") left++;
  while ((before[old.to + right]?.marks ?? "") !== "") right++;
  return {
    old: { from: old.from - left, to: old.to + right },
    next: { from: next.from - left, to: next.to + right },
  };
}

function afresh({ markdown, places, after }: Text, { old, next }: Hunk, style: Style): Cut {
  const content = joinTexts(sliceUnits(after, next.from, next.to));
  const [left, right] = [places[old.from - 1], places[old.to]];
  const written = content.length === 0 ? "" : writeInline(content, style, false);
  // A blank needs to be spelt out only at an end of the leaf.
  const begun = left === undefined ? written : written.replace(/^&#32;/, " ");
  const insert = right === undefined ? begun : begun.replace(/&#32;$/, " ");
  return { from: left?.to ?? 0, to: right?.from ?? markdown.length, insert };
}
