import { type FactFields, NO_FACT } from "../../book/book.ts";
import { isSame } from "../../book/match-entries.ts";
import { checkFact, type IncomingFactEntry } from "../../service/interchange/import-facts.ts";
import type { FactExport } from "../../service/interchange/read-annotations.ts";
import type { FACT_KEYS } from "../format/keys.ts";
import { withoutUndefined, type Yaml } from "../yaml/open.ts";
import { type EntryReader, readEntries } from "../yaml/read-entries.ts";
import type { EntryKeys } from "../yaml/write.ts";
import { FACTS_YAML } from "./annotation-texts.ts";

/** Reads `facts.yaml`. Throws `BadRequest`, naming file, entry and key. */
export function readFacts(yaml: Yaml, text: string): IncomingFactEntry[] {
  return readEntries<keyof typeof FACT_KEYS>(yaml, text, FACTS_YAML).map(readFact);
}

function readFact(entry: EntryReader<keyof typeof FACT_KEYS>): IncomingFactEntry {
  const id = entry.text("id");
  const name = entry.text("name") ?? "";
  const said = {
    name,
    kind: entry.text("kind"),
    aliases: entry.texts("aliases"),
    attributes: entry.pairs("attributes"),
    summary: entry.text("summary"),
  };
  const fields = checkFact(
    name.trim() === "" ? entry.what : `${entry.what} (${name})`,
    withoutUndefined(said),
  );
  return { ...(id === undefined ? {} : { id }), fields };
}

const NO_FILES: ReadonlyMap<string, string> = new Map();

/** Returns the fact with files in place of the chapters in its attributes. A chapter that is gone keeps its id. */
function withFiles(fact: FactFields, fileOf: ReadonlyMap<string, string>): FactFields {
  const attributes = fact.attributes.map(({ fromChapterId: from, ...attribute }) =>
    from === undefined ? attribute : { ...attribute, fromChapterId: fileOf.get(from) ?? from },
  );
  return { ...fact, attributes };
}

/** Returns a fact as an entry of the file. */
export function factKeys(
  { id, ...stored }: FactExport,
  fileOf: ReadonlyMap<string, string> = NO_FILES,
): EntryKeys {
  const fact = withFiles(stored, fileOf);
  const keys = (Object.keys(NO_FACT) as (keyof FactFields)[]).map(
    (key) => [key, writtenOf(fact, key)] as const,
  );
  return new Map<string, unknown>([["id", id], ...keys.filter(([, value]) => value !== undefined)]);
}

/** Returns the keys of an entry that have to change for it to describe the fact. */
export function changedFactKeys(
  { id, fields }: IncomingFactEntry,
  { id: known, ...stored }: FactExport,
  fileOf: ReadonlyMap<string, string> = NO_FILES,
): EntryKeys {
  const fact = withFiles(stored, fileOf);
  const keys = (Object.keys(NO_FACT) as (keyof FactFields)[]).filter(
    (key) => !isSame(fields[key] ?? NO_FACT[key], fact[key]),
  );
  return new Map<string, unknown>([
    ...(id === known ? [] : [["id", known] as const]),
    ...keys.map((key) => [key, writtenOf(fact, key)] as const),
  ]);
}

/** Returns a field's value as it is written; undefined if an entry leaves it out. */
function writtenOf(fact: FactFields, key: keyof FactFields): unknown {
  const value = fact[key];
  if (value.length === 0) return undefined;
  return key === "attributes" ? attributesOf(fact) : value;
}

/** Returns keys and values. A key that repeats, or holds from a chapter on, gets a list. */
function attributesOf({ attributes }: FactFields): unknown {
  const pairs = attributes.map(({ key, value }) => [key, value] as const);
  const map = new Map(pairs);
  if (map.size === pairs.length && attributes.every(({ fromChapterId }) => fromChapterId === undefined))
    return map;
  return attributes.map(
    ({ key, value, fromChapterId: from }) =>
      new Map([[key, value], ...(from === undefined ? [] : [["from", from] as const])]),
  );
}
