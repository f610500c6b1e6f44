import type { Highlight } from "./highlights.ts";

/** A cut of a text, with its highlights. */
export interface Cut {
  text: string;
  highlights: [number, number][];
}

const WIDTH = 200;
/** Characters shown before the first highlight, if there is room. */
const LEAD = 40;
const ELLIPSIS = "…";

/** The 200 characters with the most terms, then the most highlights, cut at spaces. Highlights come in the order of the text. */
export function excerpt(text: string, highlights: readonly Highlight[]): Cut {
  const from = text.length <= WIDTH ? 0 : windowStart(text, highlights);
  const to = text.length <= WIDTH ? text.length : windowEnd(text, from);
  const before = from > 0 ? ELLIPSIS : "";
  const after = to < text.length ? ELLIPSIS : "";
  const shift = before.length - from;
  const shown = highlights.filter((highlight) => highlight.from >= from && highlight.to <= to);
  return {
    text: before + text.slice(from, to) + after,
    highlights: joined(shown).map(([start, end]) => [start + shift, end + shift]),
  };
}

/** The stretches of the highlights, overlapping ones joined. */
function joined(highlights: readonly Highlight[]): [number, number][] {
  const stretches: [number, number][] = [];
  for (const { from, to } of highlights) {
    const last = stretches.at(-1);
    if (last !== undefined && from < last[1]) last[1] = Math.max(last[1], to);
    else stretches.push([from, to]);
  }
  return stretches;
}

function windowStart(text: string, highlights: readonly Highlight[]): number {
  const best = densest(highlights);
  if (best === undefined) return 0;
  const room = Math.max(0, WIDTH - 2 - (best.to - best.from));
  const earliest = Math.max(0, best.from - Math.min(LEAD, room));
  if (earliest === 0) return 0;
  const space = text.slice(earliest, best.from).search(/\s/u);
  if (space >= 0) return earliest + space + 1;
  return isInsidePair(text, earliest) ? earliest + 1 : earliest;
}

/** First and last character of the highlights worth showing together: the most terms, then the most highlights. */
function densest(highlights: readonly Highlight[]): { from: number; to: number } | undefined {
  let best: { from: number; to: number } | undefined;
  let bestWorth = -1;
  const counts = new Map<number, number>(); // highlights of each term between `start` and `end`
  let end = 0;
  for (const [start, first] of highlights.entries()) {
    for (let next = highlights[end]; next !== undefined; next = highlights[end]) {
      if (end > start && next.to - first.from > WIDTH - 2) break;
      count(counts, next.part, 1);
      end += 1;
    }
    const worth = counts.size * 1000 + end - start;
    if (worth > bestWorth) {
      best = { from: first.from, to: Math.max(first.to, highlights[end - 1]?.to ?? 0) };
      bestWorth = worth;
    }
    count(counts, first.part, -1);
  }
  return best;
}

function count(counts: Map<number, number>, part: number, change: number): void {
  const changed = (counts.get(part) ?? 0) + change;
  if (changed > 0) counts.set(part, changed);
  else counts.delete(part);
}

function windowEnd(text: string, from: number): number {
  const room = WIDTH - (from > 0 ? 1 : 0);
  if (text.length - from <= room) return text.length;
  const to = from + room - 1;
  const space = text.slice(from, to + 1).search(/\s\S*$/u);
  if (space > 0) return from + space;
  return isInsidePair(text, to) ? to - 1 : to;
}

function isInsidePair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
