import type { Document, Node, Pair, YAMLMap } from "yaml";
import type { Yaml } from "../folder/front-matter-fields.ts";
import { graft } from "./keep-comments.ts";
import { openEntries } from "./read-entries.ts";
import { type Keys, LAYOUT, nodeOf, writeEntries } from "./write-entries.ts";

/** What becomes of an entry of a file: it stays, it goes, or these of its keys get other values, undefined for none. */
export type EntryChange = "stays" | "goes" | Keys;

/**
 * The text with its entries changed and others added behind them; every other byte stays: comments, keys of the writer's
 * own, their order and quotes. Where that cannot be done by replacing stretches of text, the document is changed and
 * written again. `isRight` says whether a text says what it should; undefined where neither way comes to that.
 */
export function updateEntries(
  yaml: Yaml,
  text: string,
  { changes, added }: { changes: readonly EntryChange[]; added: readonly Keys[] },
  isRight: (text: string) => boolean,
): string | undefined {
  if (added.length === 0 && changes.every((change) => change === "stays")) return text;
  const isWindows = /\r\n/.test(text);
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const plain = text.slice(mark.length).replaceAll("\r\n", "\n");
  const finish = (made: string) => mark + (isWindows ? made.replaceAll("\n", "\r\n") : made);
  const tries = [spliceEntries, rewriteEntries];
  for (const attempt of tries) {
    const made = attempt(yaml, plain, { changes, added });
    if (made !== undefined && isRight(finish(made))) return finish(made);
  }
  return undefined;
}

interface Changes {
  changes: readonly EntryChange[];
  added: readonly Keys[];
}

/** A stretch of text and what takes its place. */
interface Edit {
  from: number;
  to: number;
  put: string;
}

function spliceEntries(yaml: Yaml, text: string, { changes, added }: Changes): string | undefined {
  const { document, maps } = openEntries(yaml, text, "");
  const isFlow = maps.some(({ flow }) => flow) || (document.contents as { flow?: boolean } | null)?.flow;
  if (isFlow || maps.some(({ items }) => items.length === 0) || hasAlias(yaml, document)) return undefined;
  const starts = maps.map((map) => lineStart(text, text.lastIndexOf("-", rangeOf(map)[0])));
  const edits = changes.flatMap((change, index): Edit[] => {
    const map = maps[index]!; // one change an entry
    if (change === "stays") return [];
    if (change !== "goes")
      return [...change].flatMap(([key, value]) => editOf(yaml, text, map, { key, value }));
    return [{ from: starts[index]!, to: endOf(text, rangeOf(map)[1]) + 1, put: "" }];
  });
  const last = maps.at(-1);
  const indent = last === undefined ? 0 : text.indexOf("-", starts.at(-1)) - (starts.at(-1) ?? 0);
  const put = indented(
    added
      .map((entry) => `\n${writeEntries(yaml, [entry])}`)
      .join("")
      .trimEnd(),
    indent,
    true,
  );
  const at = last === undefined ? text.length : endOf(text, rangeOf(last)[1]);
  if (added.length > 0) edits.push({ from: at, to: at, put: last === undefined ? put : `\n${put}` });
  const made = edits
    .map((edit, order) => ({ ...edit, order }))
    .sort((a, b) => b.from - a.from || b.order - a.order)
    .reduce((before, edit) => before.slice(0, edit.from) + edit.put + before.slice(edit.to), text);
  return made === "" || made.endsWith("\n") ? made : `${made}\n`;
}

/** The one stretch that has to change for a key of a block mapping to say a value. */
function editOf(
  yaml: Yaml,
  text: string,
  map: YAMLMap,
  { key, value }: { key: string; value: unknown },
): Edit[] {
  const pairs = map.items as Pair<Node, Node | null>[];
  const pair = pairs.find((other) => yaml.isScalar(other.key) && other.key.value === key);
  const indent = rangeOf(pairs[0]!.key)[0] - lineStart(text, rangeOf(pairs[0]!.key)[0]); // an entry has keys
  if (pair === undefined) {
    if (value === undefined) return [];
    const end = endOf(text, rangeOf(map)[1]);
    return [
      { from: end, to: end, put: `\n${" ".repeat(indent)}${render(yaml, key, nodeOf(yaml, value), indent)}` },
    ];
  }
  const from = rangeOf(pair.key)[0];
  const to =
    pair.value === null
      ? text.indexOf(":", rangeOf(pair.key)[1]) + 1
      : endOf(text, rangeOf(pair.value)[1], false);
  if (value === undefined && pair !== pairs[0])
    return [{ from: lineStart(text, from), to: endOf(text, to) + 1, put: "" }];
  const node = graft(yaml, pair.value, value ?? null);
  const put = render(yaml, key, node, indent);
  const isLine = yaml.isScalar(node) && !put.includes("\n");
  if (!isLine) return [{ from, to: Math.max(to, endOf(text, to)), put }]; // its comment is grafted
  return [{ from, to, put: render(yaml, key, nodeOf(yaml, value ?? null), indent) }];
}

function render(yaml: Yaml, key: string, value: unknown, indent: number): string {
  const map = new yaml.YAMLMap();
  map.add(new yaml.Pair(key, value));
  return indented(new yaml.Document(map).toString(LAYOUT).trimEnd(), indent, false);
}

/** The lines moved right, blank ones apart; the first only where it is to be. */
function indented(text: string, by: number, first: boolean): string {
  return text.replace(/^(?=[^\n])/gm, (_, at: number) => (at === 0 && !first ? "" : " ".repeat(by)));
}

function rangeOf(node: unknown): [number, number, number] {
  return (node as { range: [number, number, number] }).range; // what was parsed has one
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Where a value's last line ends, line ends after it apart; `whole`: with the comment that follows it in its line. */
function endOf(text: string, to: number, whole = true): number {
  let end = to;
  while (end > 0 && text[end - 1] === "\n") end--;
  if (!whole) return end;
  const lineEnd = text.indexOf("\n", end);
  return lineEnd < 0 ? text.length : lineEnd;
}

function rewriteEntries(yaml: Yaml, text: string, { changes, added }: Changes): string | undefined {
  const { document } = openEntries(yaml, text, "");
  if (!spellOut(yaml, document)) return undefined;
  const maps = yaml.isSeq(document.contents) ? document.contents.items.filter(yaml.isMap) : [];
  const contents = yaml.isSeq(document.contents) ? document.contents : new yaml.YAMLSeq();
  document.contents = contents as Document["contents"];
  contents.items = [
    ...contents.items.filter((_, index) => changes[index] !== "goes"),
    ...added.map((entry) => nodeOf(yaml, entry)),
  ];
  changes.forEach((change, index) => {
    if (typeof change === "string") return;
    for (const [key, value] of change) {
      if (value === undefined) maps[index]?.delete(key);
      else maps[index]?.set(key, graft(yaml, maps[index].get(key, true), value));
    }
  });
  return document.toString(LAYOUT);
}

const MOST_ALIASES = 10_000;

/** Puts what they stand for in place of all aliases; false where that has no end. */
function spellOut(yaml: Yaml, document: Document): boolean {
  let count = 0;
  yaml.visit(document, {
    Alias: (_, alias) => {
      const node = alias.resolve(document)?.clone() as Node | undefined;
      if (++count > MOST_ALIASES || node === undefined) {
        count = MOST_ALIASES + 1;
        return yaml.visit.BREAK;
      }
      return node;
    },
  });
  yaml.visit(document, {
    Node: (_, node) => {
      if ("anchor" in node) delete node.anchor;
    },
  });
  return count <= MOST_ALIASES;
}

function hasAlias(yaml: Yaml, document: Document): boolean {
  let isThere = false;
  yaml.visit(document, {
    Alias: () => {
      isThere = true;
      return yaml.visit.BREAK;
    },
  });
  return isThere;
}
