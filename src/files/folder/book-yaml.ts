import { hasMergeMarks, MERGE_MARKS_LEFT } from "../../prose/merge/conflict-markers.ts";
import { BadRequest } from "../../refusals.ts";
import { yamlFault } from "../yaml-fault.ts";
import type { Yaml } from "./front-matter-fields.ts";
import { asKeys, type ListedBook, readListedBook } from "./manifest.ts";

/** The file of a folder that describes its book: title, goal, parts, and the chapters' files in reading order. */
export const BOOK_YAML = "book.yaml";

/** Reads `book.yaml`. Throws `BadRequest`, naming the line or the key, where it does not describe a book. */
export function readBookYaml(yaml: Yaml, text: string): ListedBook {
  const document = openYaml(yaml, text, BOOK_YAML);
  // Plain text of these keys is text, also where it looks like a number: a title of 007 is not 7.
  yaml.visit(document, {
    Pair(_, { key, value }) {
      if (yaml.isScalar(key) && TEXTUAL.has(String(key.value)) && yaml.isScalar(value)) asText(value);
    },
  });
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  if (value !== null && (typeof value !== "object" || Array.isArray(value))) {
    throw new BadRequest("book.yaml must hold keys and values: title, parts and chapters.");
  }
  return readListedBook(asKeys(value), BOOK_YAML);
}

const TEXTUAL = new Set(["title", "file", "folder"]);

function asText(scalar: { value: unknown; source?: string }): void {
  if (scalar.value !== null && typeof scalar.value !== "string")
    scalar.value = scalar.source ?? String(scalar.value);
}

/** Parses a file of YAML. Throws `BadRequest`, naming file and line, where it is none. */
function openYaml(yaml: Yaml, text: string, name: string): ReturnType<Yaml["parseDocument"]> {
  const document = yaml.parseDocument(text.replace(/^\ufeff/, ""));
  const fault = yamlFault(document);
  if (fault === undefined) return document;
  if (hasMergeMarks(text)) throw new BadRequest(`${name} ${MERGE_MARKS_LEFT}.`);
  throw new BadRequest(`${name} is not valid YAML: ${fault}.`);
}
