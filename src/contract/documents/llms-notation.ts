import { groupBy } from "../../text/group-by.ts";
import { SNIPPET_KINDS, STATUSES } from "../enums.ts";
import { type JsonSchema, recordName, type Term, WIDTH } from "./llms-schemas.ts";

const STEP = "  ";

/**
 * A schema as a type that people and language models read at a glance: `{id: string, title: string}`; on one line
 * if it fits in 96 characters, else one key a line.
 */
export function notation(schema: JsonSchema): string {
  return write(schema, "");
}

function write(schema: JsonSchema, indent: string): string {
  const flat = flatten(schema);
  if (indent.length + flat.length <= WIDTH) return flat;
  const within = indent + STEP;
  const shared = splitUnion(schema);
  if (shared !== undefined) {
    const options = shared.options.map((option) => write(option, within)).join(`\n${within}| `);
    return `${write(shared.common, indent)} & (\n${within}${options}\n${indent})`;
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map((option) => write(option, indent)).join(" | ");
  if (typeof schema.items === "object") return `[${write(schema.items, indent)}]`;
  if (schema.properties === undefined) return flat;
  const lines = keysOf(schema).map(([key, value]) => `${within}${key}: ${write(value, within)}`);
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

function flatten(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return recordName(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const shared = splitUnion(schema);
  if (shared !== undefined) return `${flatten(shared.common)} & (${shared.options.map(flatten).join(" | ")})`;
  if (schema.anyOf !== undefined) return schema.anyOf.map(flatten).join(" | ");
  if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(flatten).join(", ")}]`;
  if (typeof schema.items === "object") return `[${flatten(schema.items)}]`;
  if (schema.properties !== undefined) {
    return `{${keysOf(schema)
      .map(([key, value]) => `${key}: ${flatten(value)}`)
      .join(", ")}}`;
  }
  if (schema.format !== undefined) return FORMATS[schema.format] ?? "string";
  return [schema.type ?? "any"].flat().join(" | ");
}

const FORMATS: Readonly<Record<string, string>> = { "date-time": "time", date: "day", uri: "url" };

function keysOf({ properties = {}, required = [] }: JsonSchema): [string, JsonSchema][] {
  return Object.entries(properties).map(([key, value]) => [required.includes(key) ? key : `${key}?`, value]);
}

/** Sets of words that many types name, by the names that the short guide gives them. */
export const WORD_SETS: Readonly<Record<string, readonly string[]>> = {
  Status: STATUSES,
  Kind: SNIPPET_KINDS,
};

/** The type of a schema in the short guide, on one line, without the act of a write. */
export function terse(schema: JsonSchema): string {
  const { act: _, ...properties } = schema.properties ?? {};
  return flatten(schema.properties === undefined ? schema : { ...schema, properties })
    .replace(/\binteger\b/g, "int")
    .replace(/: string(?=[,}])/g, "")
    .replace(/"\w+"(?: \| "\w+")+/g, (words) => nameOf(words) ?? words);
}

function nameOf(words: string): string | undefined {
  return Object.keys(WORD_SETS).find((name) => words === anyOf(WORD_SETS[name] ?? []));
}

/** Words of which one stands there, as types write them. */
export function anyOf(words: readonly string[]): string {
  return words.map((word) => JSON.stringify(word)).join(" | ");
}

/** Of a union of objects, the keys that all of them have and what each has besides; undefined for any other schema. */
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

function pick(schema: JsonSchema, wanted: (key: string) => boolean): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).filter(([key]) => wanted(key)),
  );
  return { ...schema, properties };
}

/**
 * What the type cannot say of a schema's keys at any depth: their meaning and their bounds. Names are paths such as
 * `aliases[]` or `evidence[].from`; keys of other records are left to these; equal remarks are one.
 */
export function remarks(schema: JsonSchema): Term[] {
  const byName = new Map<string, Set<string>>();
  collect(schema, "", (name, text) => byName.set(name, (byName.get(name) ?? new Set()).add(text)));
  const byText = groupBy(byName, ([, texts]) => [...texts].join(" "));
  return [...byText].map(([text, named]) => ({ names: named.map(([name]) => name), text }));
}

function collect(schema: JsonSchema, path: string, add: (name: string, text: string) => void): void {
  const text = remark(schema);
  if (path !== "" && text !== "") add(path, text);
  for (const [key, value] of Object.entries(schema.properties ?? {})) {
    collect(value, path === "" ? key : `${path}.${key}`, add);
  }
  for (const option of schema.anyOf ?? []) collect(option, path, add);
  if (typeof schema.items === "object") collect(schema.items, `${path}[]`, add);
}

/** A schema's description and bounds as sentences: "Words at most. 1 to 50, default 20."; "" if it has neither. */
export function remark(schema: JsonSchema): string {
  const { description, default: preset } = schema;
  const bounds = [
    range(schema.minimum, schema.maximum, ""),
    range(schema.minLength, schema.maxLength, " characters"),
    schema.prefixItems === undefined ? range(schema.minItems, schema.maxItems, " entries") : "",
    preset === undefined ? "" : `default ${JSON.stringify(preset)}`,
  ].filter(Boolean);
  const sentence = bounds.length === 0 ? "" : `${bounds.join(", ")}.`;
  return [description, sentence.charAt(0).toUpperCase() + sentence.slice(1)].filter(Boolean).join(" ");
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (most !== undefined) {
    const words = most.toLocaleString("en-GB");
    return least === undefined ? `at most ${words}${unit}` : `${least} to ${words}${unit}`;
  }
  return least === undefined || least === 0 ? "" : `at least ${least}${unit}`;
}
