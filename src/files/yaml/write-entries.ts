import type { Yaml } from "../folder/front-matter-fields.ts";
import { OPTIONS } from "./read-entries.ts";

/** Keys and their values, in order: a text, a flag, a list, or keys and values again. */
export type Keys = ReadonlyMap<string, unknown>;

/** The text of a list of entries, a blank line between them. */
export function writeEntries(yaml: Yaml, entries: readonly Keys[]): string {
  return entries.map((entry) => writeEntry(yaml, entry)).join("\n");
}

function writeEntry(yaml: Yaml, entry: Keys): string {
  return new yaml.Document([nodeOf(yaml, entry)], OPTIONS).toString(LAYOUT);
}

/** A value as a node: long texts as blocks, as far as a block says them and an editor leaves them alone. */
export function nodeOf(yaml: Yaml, value: unknown): unknown {
  if (value instanceof Map) {
    const map = new yaml.YAMLMap();
    for (const [key, inner] of value) map.add(new yaml.Pair(new yaml.Scalar(key), nodeOf(yaml, inner)));
    return map;
  }
  if (Array.isArray(value)) {
    const list = new yaml.YAMLSeq();
    for (const item of value) list.add(nodeOf(yaml, item));
    return list;
  }
  const scalar = new yaml.Scalar(value);
  if (typeof value !== "string") return scalar;
  if (UNSAFE.test(value) || /[ \t]$/m.test(value)) scalar.type = "QUOTE_DOUBLE";
  else if (value.includes("\n") || value.length > LONG) scalar.type = "BLOCK_LITERAL";
  return scalar;
}

const LONG = 80;
// What a block loses, and what an editor does that trims files: other line ends, blanks around the whole.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]|^\s|\n\n$/;
/** One entry a paragraph, lines as long as they are. */
export const LAYOUT = { lineWidth: 0, blockQuote: "literal", flowCollectionPadding: false } as const;
