import type { Document, Node, YAMLMap } from "yaml";
import {
  type AskedPair,
  applyYamlEdits,
  type Edit,
  editPairs,
  indented,
  lineBehind,
  lineStart,
  nextLine,
  rangeOf,
  removal,
} from "./edit.ts";
import { graftNode } from "./keep-comments.ts";
import type { Yaml } from "./open.ts";
import { openEntries } from "./read-entries.ts";
import { type EntryKeys, LAYOUT, writeEntries, writePair, yamlNode } from "./write.ts";

/** Change of an entry: it stays, it goes, or these keys get new values, undefined for none. */
export type EntryChange = "stays" | "goes" | EntryKeys;

/**
 * Returns the text with its entries changed and new ones added at the end. Every other byte stays: comments, unknown
 * keys, their order and quotes. If that cannot be done by replacing stretches of text, the document is changed and
 * written again. `isRight` checks a text; undefined if neither way gives a right one.
 */
export function updateEntries(
  yaml: Yaml,
  text: string,
  { changes, added }: Changes,
  isRight: (text: string) => boolean,
): string | undefined {
  if (added.length === 0 && changes.every((change) => change === "stays")) return text;
  const isWindows = /\r\n/.test(text);
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const plain = text.slice(mark.length).replaceAll("\r\n", "\n");
  const ended = plain === "" || plain.endsWith("\n") ? plain : `${plain}\n`;
  const finish = (made: string) => mark + (isWindows ? made.replaceAll("\n", "\r\n") : made);
  for (const attempt of [spliceEntries, rewriteEntries]) {
    const made = attempt(yaml, ended, { changes, added });
    if (made !== undefined && isRight(finish(made))) return finish(made);
  }
  return undefined;
}

interface Changes {
  /** One change for each entry of the text. */
  changes: readonly EntryChange[];
  added: readonly EntryKeys[];
}

function spliceEntries(yaml: Yaml, text: string, { changes, added }: Changes): string | undefined {
  const { document, maps } = openEntries(yaml, text, "");
  const isFlow = maps.some(({ flow }) => flow) || (document.contents as { flow?: boolean } | null)?.flow;
  if (isFlow || maps.some(({ items }) => items.length === 0) || hasAlias(yaml, document)) return undefined;
  const edits = maps.flatMap((map, index): Edit[] => {
    const change = changes[index] ?? "stays";
    if (change === "stays") return [];
    if (change === "goes")
      return removal(text, [startOf(text, map), nextLine(text, rangeOf(map)[1])], maps[index - 1]);
    const asked = [...change].map(([key, value]) => askedPair(yaml, map, key, value));
    return editPairs(text, map, asked);
  });
  const last = maps.at(-1);
  const at = last === undefined ? text.length : lineBehind(text, last);
  const indent = last === undefined ? 0 : text.indexOf("-", startOf(text, last)) - startOf(text, last);
  const put = indented(added.map((entry) => `\n${writeEntries(yaml, [entry])}`).join(""), indent, true);
  return applyYamlEdits(text, [...edits, { from: at, to: at, put }]);
}

/**
 * Returns the edit for a key. A one-line text replaces the old value; anything else is written again, keeping its
 * comments.
 */
function askedPair(yaml: Yaml, map: YAMLMap, key: string, value: unknown): AskedPair {
  if (value === undefined) return { key };
  const old = map.get(key, true);
  const fresh = writePair(yaml, key, yamlNode(yaml, value));
  const isLine = !fresh.includes("\n") && !yaml.isCollection(old);
  if (isLine) return { key, line: fresh.slice(`${key}: `.length) };
  return { key, lines: writePair(yaml, key, graftNode(yaml, old, yamlNode(yaml, value)), {}) }; // what is kept keeps its quotes
}

/** Returns the start of an entry's first line. */
function startOf(text: string, map: YAMLMap): number {
  return lineStart(text, text.lastIndexOf("-", rangeOf(map)[0]));
}

function rewriteEntries(yaml: Yaml, text: string, { changes, added }: Changes): string | undefined {
  const { document } = openEntries(yaml, text, "");
  if (!spellOut(yaml, document)) return undefined;
  const maps = yaml.isSeq(document.contents) ? document.contents.items.filter(yaml.isMap) : [];
  const contents = yaml.isSeq(document.contents) ? document.contents : new yaml.YAMLSeq();
  document.contents = contents as Document["contents"];
  contents.items = [
    ...contents.items.filter((_, index) => changes[index] !== "goes"),
    ...added.map((entry) => yamlNode(yaml, entry)),
  ];
  changes.forEach((change, index) => {
    if (typeof change === "string") return;
    for (const [key, value] of change) {
      if (value === undefined) maps[index]?.delete(key);
      else maps[index]?.set(key, graftNode(yaml, maps[index].get(key, true), yamlNode(yaml, value)));
    }
  });
  return document.toString(LAYOUT);
}

const MOST_ALIASES = 10_000;

/** Replaces all aliases by their values; false if that has no end. */
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
