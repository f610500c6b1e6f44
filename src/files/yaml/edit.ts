import type { Node, Pair, YAMLMap, YAMLSeq } from "yaml";

/** A stretch of a text and what takes its place. */
export interface Edit {
  from: number;
  to: number;
  put: string;
}

/** Returns the text with its stretches replaced; of two that begin at one place the earlier one's comes first. */
export function applyYamlEdits(text: string, edits: readonly Edit[]): string {
  return edits
    .map((edit, order) => ({ ...edit, order }))
    .sort((a, b) => b.from - a.from || b.to - a.to || b.order - a.order)
    .reduce((before, { from, to, put }) => before.slice(0, from) + put + before.slice(to), text);
}

/** New value of a key in a block mapping. The key goes if neither `line` nor `lines` is there. */
export interface AskedPair {
  key: string;
  /** Value in one line. It replaces only the old value. */
  line?: string;
  /** Key and value, from the left margin on. They replace the pair and the comment on its last line. */
  lines?: string;
}

/**
 * Returns the stretches that have to change for keys of a block mapping to say their values, one a key at most; the text ends
 * with a line end. Without a mapping, the text holds comments alone.
 */
export function editPairs(text: string, map: YAMLMap | undefined, asked: readonly AskedPair[]): Edit[] {
  const pairs = (map?.items ?? []) as unknown as readonly PlacedPair[];
  const first = pairs[0]?.key.range[0] ?? 0;
  const indent = first - lineStart(text, first);
  const behind = map === undefined ? text.length : lineBehind(text, map);
  return asked.flatMap(({ key, line, lines = line === undefined ? undefined : `${key}: ${line}` }) => {
    const pair = pairs.find((other) => other.key.value === key);
    const put = lines && indented(lines, indent);
    if (pair !== undefined) {
      const above = pairs[pairs.indexOf(pair) - 1]?.value;
      return editPresent(text, pair, { line, lines: put, above });
    }
    if (put === undefined) return [];
    return [{ from: behind, to: behind, put: `${" ".repeat(indent)}${put}\n` }];
  });
}

function editPresent(
  text: string,
  { key, value }: PlacedPair,
  { line, lines, above }: { line: string | undefined; lines: string | undefined; above: unknown },
): Edit[] {
  const [start, keyEnd] = key.range;
  const colon = text.indexOf(":", keyEnd) + 1;
  const [from, end] = value?.range ?? [colon, colon];
  const to = Math.max(from, beforeLineEnds(text, end));
  if (lines === undefined) {
    const first = lineStart(text, start);
    if (text.slice(first, start).trim() === "") return removal(text, [first, nextLine(text, to)], above);
  } else if (line === undefined) return [{ from: start, to: lineEnd(text, to), put: lines }];
  const before = /\s/.test(text[from - 1] ?? "") ? "" : " ";
  return [{ from, to, put: before + (line ?? "null") + (text[to] === "#" ? " " : "") }];
}

interface PlacedPair {
  key: { value: unknown; range: Range };
  value: { range: Range } | null;
}

type Range = [from: number, to: number, whole: number];

/** Returns where a node of a parsed text begins and ends, and where the comment after it does. */
export function rangeOf(node: Node): Range {
  return node.range as Range; // what was parsed has one
}

/** Returns where the line of a place begins. */
export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Returns where the line after a value begins: line ends that count to the value, and a comment behind it, apart. */
export function nextLine(text: string, to: number): number {
  return Math.min(text.length, lineEnd(text, beforeLineEnds(text, to)) + 1);
}

/** Returns the lines moved right, blank ones apart; the first only where it is to be. */
export function indented(text: string, by: number, first = false): string {
  return text.replace(/^(?=[^\n])/gm, (_, at: number) => (at === 0 && !first ? "" : " ".repeat(by)));
}

/** Returns where the line behind a mapping begins; blank lines after it are not its own, unless its last value keeps them. */
export function lineBehind(text: string, map: YAMLMap): number {
  return endOfKept(text, map) ?? nextLine(text, rangeOf(map)[1]);
}

/** Returns the stretch without its lines; blank lines after it do not come to a value above it that keeps such. */
export function removal(text: string, [from, to]: readonly [number, number], above: unknown): Edit[] {
  const isKept = above != null && endOfKept(text, above) !== undefined;
  const blank = isKept ? (/^(?:[ \t]*\n)*/.exec(text.slice(to))?.[0].length ?? 0) : 0;
  return [
    { from, to, put: "" },
    { from: to, to: to + blank, put: "" }, // apart: something may be put in between
  ];
}

/** Returns where a node ends whose last value is a block that keeps the blank lines after it: `|+`. */
function endOfKept(text: string, node: unknown): number | undefined {
  let last = node;
  while (isCollection(last)) {
    const item: unknown = last.items.at(-1);
    last = typeof item === "object" && item !== null && "key" in item ? (item as Pair).value : item;
  }
  if (last == null) return undefined;
  const [from, to] = rangeOf(last as Node);
  return /^[|>]\d?\+/.test(text.slice(from, from + 3)) ? to : undefined;
}

function isCollection(node: unknown): node is YAMLMap | YAMLSeq {
  return typeof node === "object" && node !== null && "items" in node;
}

function beforeLineEnds(text: string, to: number): number {
  let end = to;
  while (end > 0 && text[end - 1] === "\n") end--;
  return end;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
