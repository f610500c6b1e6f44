import { SNIPPET_KINDS, STATUSES } from "../enums.ts";
import { type JsonSchema, recordName } from "./llms-schemas.ts";

/** Sets of words that many types name, by the names that the guide gives them. */
export const WORD_SETS: Readonly<Record<string, readonly string[]>> = {
  Status: STATUSES,
  Kind: SNIPPET_KINDS,
};

/**
 * A schema as a type that people and language models read at a glance, on one line: `{id, title, position: int}`.
 * The act of a write is left out.
 */
export function terse(schema: JsonSchema): string {
  const { act: _, ...properties } = schema.properties ?? {};
  return notation(schema.properties === undefined ? schema : { ...schema, properties })
    .replace(/\binteger\b/g, "int")
    .replace(/: string(?=[,}])/g, "")
    .replace(/"\w+"(?: \| "\w+")+/g, (words) => nameOf(words) ?? words);
}

function notation(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return recordName(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return anyOf(schema.enum);
  const shared = splitUnion(schema);
  if (shared !== undefined)
    return `${notation(shared.common)} & (${shared.options.map(notation).join(" | ")})`;
  if (schema.anyOf !== undefined) return schema.anyOf.map(notation).join(" | ");
  if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(notation).join(", ")}]`;
  if (typeof schema.items === "object") return `[${notation(schema.items)}]`;
  if (schema.properties !== undefined) {
    const keys = Object.entries(schema.properties).map(
      ([key, value]) => `${key}${schema.required?.includes(key) ? "" : "?"}: ${notation(value)}`,
    );
    return `{${keys.join(", ")}}`;
  }
  if (schema.format !== undefined) return FORMATS[schema.format] ?? "string";
  return [schema.type ?? "any"].flat().join(" | ");
}

const FORMATS: Readonly<Record<string, string>> = { "date-time": "time", date: "day", uri: "url" };

function nameOf(words: string): string | undefined {
  return Object.keys(WORD_SETS).find((name) => words === anyOf(WORD_SETS[name] ?? []));
}

/** A choice of words, as types write it: `"draft" | "done"`. */
export function anyOf(words: readonly unknown[]): string {
  return words.map((word) => JSON.stringify(word)).join(" | ");
}

/** Splits a union of objects into the keys that all of them have and the rest of each; undefined for any other schema. */
function splitUnion({ anyOf }: JsonSchema): { common: JsonSchema; options: JsonSchema[] } | undefined {
  const first = anyOf?.[0]?.properties;
  if (anyOf === undefined || first === undefined) return undefined;
  const isCommon = (key: string) =>
    anyOf.every(({ properties }) => JSON.stringify(properties?.[key]) === JSON.stringify(first[key]));
  const keys = Object.keys(first).filter(isCommon);
  if (keys.length === 0) return undefined;
  const options = anyOf.map((option) => pick(option, (key) => !keys.includes(key)));
  return { common: pick(anyOf[0] ?? {}, (key) => keys.includes(key)), options };
}

function pick(schema: JsonSchema, isWanted: (key: string) => boolean): JsonSchema {
  const entries = Object.entries(schema.properties ?? {}).filter(([key]) => isWanted(key));
  return { ...schema, properties: Object.fromEntries(entries) };
}

/** A schema's bounds as words: "1 to 50, default 20"; "" if it has none. */
export function bounds({ minimum, maximum, maxLength, default: preset }: JsonSchema): string {
  const range = maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`;
  return [
    maxLength === undefined ? "" : `at most ${maxLength} characters`,
    minimum === undefined ? "" : range,
    preset === undefined ? "" : `default ${JSON.stringify(preset)}`,
  ]
    .filter(Boolean)
    .join(", ");
}
