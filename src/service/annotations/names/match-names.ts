import type { FactId } from "../../../ids.ts";
import type { Leaf } from "../../../prose/document/leaves.ts";

/** A name that belongs to one fact alone. */
export interface Name {
  text: string;
  factId: FactId;
}

/** A name found in a text; offsets are UTF-16. */
export interface FoundFactName {
  factId: FactId;
  from: number;
  to: number;
}

/** Every name and alias that belongs to one fact, longest first, and those that belong to several. */
export function namesOfFacts(facts: readonly { id: FactId; name: string; aliases: readonly string[] }[]): {
  names: Name[];
  ambiguous: string[];
} {
  const owners = new Map<string, Set<FactId>>();
  for (const { id, name, aliases } of facts) {
    for (const text of [name, ...aliases]) owners.set(text, (owners.get(text) ?? new Set()).add(id));
  }
  const names: Name[] = [];
  const ambiguous: string[] = [];
  for (const [text, ids] of owners) {
    const [factId] = ids;
    if (factId !== undefined && ids.size === 1) names.push({ text, factId });
    else ambiguous.push(text);
  }
  names.sort((a, b) => b.text.length - a.text.length || (a.text < b.text ? -1 : 1));
  return { names, ambiguous: ambiguous.sort() };
}

/**
 * Whole-word occurrences of the names in a leaf, in order of place, none overlapping another; a longer name wins. None
 * spans another inline node, such as a hard break. O(length) for each name.
 */
export function findFactNames(
  { text, breaks }: Pick<Leaf, "text" | "breaks">,
  names: readonly Name[],
): FoundFactName[] {
  const ends = [...new Set([0, ...breaks, text.length])];
  return ends.slice(1).flatMap((end, index) => {
    const start = ends[index]!; // one start an end
    return findIn(text.slice(start, end), names).map(({ factId, from, to }) => ({
      factId,
      from: from + start,
      to: to + start,
    }));
  });
}

/** The covered spans of a text. */
export interface Cover {
  /** Returns true if the span overlaps none of them. */
  isFree(span: { from: number; to: number }): boolean;
  add(span: { from: number; to: number }): void;
}

/** A cover of a text of this length with these spans covered. O(length) once, then O(span). */
export function coverOf(length: number, spans: readonly { from: number; to: number }[]): Cover {
  const covered = new Uint8Array(length);
  for (const { from, to } of spans) covered.fill(1, from, to);
  return {
    isFree: ({ from, to }) => covered.subarray(from, to).every((cell) => cell === 0),
    add: ({ from, to }) => {
      covered.fill(1, from, to);
    },
  };
}

function findIn(text: string, names: readonly Name[]): FoundFactName[] {
  const found: FoundFactName[] = [];
  const covered = new Uint8Array(text.length);
  for (const { text: name, factId } of names) {
    for (let from = text.indexOf(name); from >= 0; from = text.indexOf(name, from + 1)) {
      const to = from + name.length;
      const isFree = covered[from] === 0 && covered[to - 1] === 0; // what is found already is no shorter: it covers an end
      if (!isFree || isLetterAt(text, from - 1) || isLetterAt(text, to)) continue;
      covered.fill(1, from, to);
      found.push({ factId, from, to });
    }
  }
  return found.sort((a, b) => a.from - b.from);
}

function isLetterAt(text: string, index: number): boolean {
  return /[\p{L}\p{N}\p{M}]/u.test(text.charAt(index));
}
