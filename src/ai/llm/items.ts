import type * as z from "zod";
import { parseJson } from "./server/parse-json.ts";

/** A list that a model was asked for, item by item. */
export interface Items<Item> {
  items: Item[];
  /** How many were there that are no such item. */
  bad: number;
}

/**
 * The items of the list of this name in what a model wrote, each read by itself: one that is broken costs nothing but
 * itself, and a list that was cut off keeps those before. Thoughts, a fence or talk around it are passed over, and of
 * several lists the last counts. undefined if there is no such list, or nothing in it can be read.
 */
export function readItems<Schema extends z.ZodType>(
  text: string,
  list: string,
  schema: Schema,
): Items<z.output<Schema>> | undefined {
  const thought = text.lastIndexOf("</think");
  const said = thought < 0 ? text : text.slice(text.indexOf(">", thought) + 1);
  const from = startOf(said, list);
  if (from === undefined) return undefined;
  const pieces = objectsFrom(said, from);
  const items = pieces.flatMap((piece) => {
    const { data } = schema.safeParse(parseJson(piece));
    return data === undefined ? [] : [data];
  });
  const isEmpty = /^\s*\]/.test(said.slice(from));
  return items.length > 0 || isEmpty ? { items, bad: pieces.length - items.length } : undefined;
}

/** The offset behind the bracket that opens the list: of the last one of its name, or of a list that is the whole answer. */
function startOf(text: string, list: string): number | undefined {
  let start: number | undefined;
  for (const match of text.matchAll(new RegExp(`"${list}"\\s*:\\s*\\[`, "g")))
    start = match.index + match[0].length;
  if (start !== undefined) return start;
  const bare = /^\s*(?:```\w*\s*)?\[(?=\s*[{\]])/.exec(text);
  return bare?.[0].length;
}

/** The texts of the objects of a list, up to its end; one that never ends is left out. */
function objectsFrom(text: string, from: number): string[] {
  const objects: string[] = [];
  let depth = 0;
  let start = from;
  let isQuoted = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (isQuoted) {
      if (character === "\\") at++;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === "{") {
      if (depth === 0) start = at;
      depth++;
    } else if (character === "}") {
      depth--;
      if (depth === 0) objects.push(text.slice(start, at + 1));
    } else if (character === "]" && depth === 0) break;
  }
  return objects;
}
