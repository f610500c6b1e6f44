import { joinTexts } from "../document/marks.ts";
import type { TextEdit } from "../document/text-edit.ts";
import type { DocNode } from "../document/types.ts";
import type { Style } from "../markdown/escape.ts";
import { type InlinePlace, type LinkPlace, readInlinePlaces } from "../markdown/inline-places.ts";
import { writeInline } from "../markdown/write-inline.ts";
import { findHunks, type Hunk } from "./hunks.ts";
import { readUnits, sliceUnits, textUnits, type Unit } from "./units.ts";

/** Limit of letters in a paragraph beyond which it is rewritten: each letter needs an object. */
const MOST_UNITS = 200_000;

/** A leaf before and after, and the edits of its text if they are known. */
export interface LeafChange {
  old: DocNode;
  next: DocNode;
  edits?: readonly TextEdit[] | undefined;
}

/**
 * Yields new spellings of a leaf, the least escaped first. They touch only what changed in its Markdown; every other
 * letter, delimiter, entity and backslash stays. None if the Markdown cannot be followed. The caller reads them back
 * to check them. O(leaf) each.
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

/** Returns the places of the units. An entity that guards a tag has no unit in the document. */
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

/** A leaf's Markdown, the places of its units, and its new units. */
interface Text {
  markdown: string;
  places: readonly InlinePlace[];
  links: readonly LinkPlace[];
  before: readonly Unit[];
  after: readonly Unit[];
}

/** A stretch to cut from the Markdown, and its replacement. */
interface Cut {
  from: number;
  to: number;
  insert: string;
}

/** Ways of writing hunks. */
interface Manner {
  /** Spells letter for letter, where possible. */
  spell?: (letters: string) => string;
  /** `kept`: letters are spelt so within links, too. */
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

/**
 * Updates the label of a link whose text was its label: it is added when the text changes, and dropped when the text
 * becomes it.
 */
function relabel(markdown: string, { from, textEnd, to }: LinkPlace, cuts: readonly Cut[]): Cut[] {
  const within = cuts.filter((one) => one.from >= from && one.to <= textEnd);
  const [text, end] = [markdown.slice(from, textEnd), markdown.slice(textEnd, to)];
  if (within.length === 0 || end.startsWith("](") || !end.startsWith("]")) return [];
  if (end === "]" || end === "][]") return [{ from: textEnd, to, insert: `][${text}]` }];
  const shifted = within.map((one) => ({ ...one, from: one.from - from, to: one.to - from }));
  return cut(text, shifted) === end.slice(2, -1) ? [{ from: textEnd, to, insert: "]" }] : [];
}

/** Returns the cuts. Hunks that are rewritten extend to where no mark is open, with everything on the way. */
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

/** Replaces letters within the existing marks; undefined if more than that changed. */
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

/** Widens a hunk to where no mark is open. */
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
  // A blank must be an entity only at an end of the leaf.
  const begun = left === undefined ? written : written.replace(/^&#32;/, " ");
  const insert = right === undefined ? begun : begun.replace(/&#32;$/, " ");
  return { from: left?.to ?? 0, to: right?.from ?? markdown.length, insert };
}
