import { FOR_ALL_READERS, type Keys, type Yaml } from "./open.ts";

/** Returns a text as YAML in one line: plain words need no quotes, and a double-quoted JSON string is YAML. */
export function scalar(text: string): string {
  const isPlain =
    /^\p{L}[\p{L}\p{N} .,;’‘“”()—–-]*(?<! )$/u.test(text) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}

/** Returns a line for each key with its value. */
export function pairLines(keys: Keys): string[] {
  return Object.entries(keys).map(([key, value]) => `${inline(key)}: ${inline(value)}`);
}

/** Returns the lines of a list of mappings under its name, none for an empty one; an item with the key `main` alone is its value. */
export function listLines(name: string, items: readonly Keys[], main: string): string[] {
  if (items.length === 0) return [];
  const shown = items.flatMap((item) => {
    if (Object.keys(item).length === 1) return [`  - ${inline(item[main])}`];
    const [first = "", ...others] = pairLines(item);
    return [`  - ${first}`, ...others.map((line) => `    ${line}`)];
  });
  return [`${name}:`, ...shown];
}

// Writes a value as JSON, which is YAML. Names of files and ids stay unquoted unless they look like a number or a
// day.
function inline(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const isName = /^[A-Za-z0-9][\w./-]*[A-Za-z][\w./-]*$/.test(value) && Number.isNaN(Number(value));
  return isName && !/^[A-Za-z]+$/.test(value) ? value : scalar(value);
}

/** Keys and values of an entry, in order: a text, a flag, a list, or keys and values again. */
export type EntryKeys = ReadonlyMap<string, unknown>;

/** Returns the text of a list of entries, a blank line between them. */
export function writeEntries(yaml: Yaml, entries: readonly EntryKeys[]): string {
  return entries
    .map((entry) => new yaml.Document([yamlNode(yaml, entry)], FOR_ALL_READERS).toString(LAYOUT))
    .join("\n");
}

/** Returns a key and its value as lines, without a line end after them. */
export function writePair(
  yaml: Yaml,
  key: string,
  value: unknown,
  options: { compat?: "yaml-1.1" } = FOR_ALL_READERS,
): string {
  const map = new yaml.YAMLMap();
  map.add(new yaml.Pair(key, value));
  return new yaml.Document(map, options).toString(LAYOUT).trimEnd();
}

/** Returns a value as a node. Long texts become blocks, unless a block or an editor would change them. */
export function yamlNode(yaml: Yaml, value: unknown): unknown {
  if (value instanceof Map) {
    const map = new yaml.YAMLMap();
    for (const [key, inner] of value) map.add(new yaml.Pair(new yaml.Scalar(key), yamlNode(yaml, inner)));
    return map;
  }
  if (Array.isArray(value)) {
    const list = new yaml.YAMLSeq();
    for (const item of value) list.add(yamlNode(yaml, item));
    return list;
  }
  const node = new yaml.Scalar(value);
  if (typeof value !== "string") return node;
  if (UNSAFE.test(value) || /[ \t]$/m.test(value)) node.type = "QUOTE_DOUBLE";
  else if (value.includes("\n") || value.length > LONG) node.type = "BLOCK_LITERAL";
  return node;
}

const LONG = 80;
// Texts that a block cannot hold, or that an editor would trim: other line ends, blanks at either end.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]|^\s|\n\n$/;
/** Writes one entry a paragraph, without wrapping lines. */
export const LAYOUT = { lineWidth: 0, blockQuote: "literal", flowCollectionPadding: false } as const;
