import type { Document } from "yaml";
import { openYaml, plainValue, type Yaml, type YamlSource } from "./open.ts";

/** An object of JSON or YAML. */
export type Keys = Record<string, unknown>;

/** Returns the value if it is an object, else one without keys. */
export function asKeys(value: unknown): Keys {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Keys) : {};
}

/** Returns a value if it is text that is not blank, trimmed. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** Returns what a scalar says, a number or a date as it is written; null where it says nothing, undefined for a list or a mapping. */
export function textOf(document: Document, node: unknown): string | null | undefined {
  const found = isAlias(node) ? node.resolve(document) : node;
  if (found == null || typeof found === "string") return found ?? null;
  if (typeof found !== "object" || !("value" in found)) return undefined;
  const { value, source } = found as { value: unknown; source?: string };
  if (value === null || typeof value === "string") return value;
  return (source ?? String(value)).trim();
}

function isAlias(node: unknown): node is { resolve(document: Document): unknown } {
  return typeof node === "object" && node !== null && "resolve" in node;
}

// No list of chapters is longer.
const MOST_OF_INDEX = 256 * 1024;

/** Returns what the index of another program says, numbers as they are written. Throws `BadRequest`, naming index and line. */
export async function readIndexYaml(text: string, file: string, before = 0): Promise<Keys> {
  const yaml = await import("yaml");
  const source = { file, before, most: MOST_OF_INDEX };
  const isNumber = (value: unknown) => typeof value === "number";
  return asKeys(readWritten(yaml, openYaml(yaml, text, source), source, isNumber));
}

/** Returns what a document says; scalars that `isText` picks, by value and key, as texts: a title of 007 is not 7. */
export function readWritten(
  yaml: Yaml,
  document: Document,
  source: YamlSource,
  isText: (value: unknown, key: string | undefined) => boolean,
): unknown {
  yaml.visit(document, {
    Scalar(place, scalar, path) {
      if (place === "key") return;
      const pair = path.at(-1);
      const key = yaml.isPair(pair) && yaml.isScalar(pair.key) ? String(pair.key.value) : undefined;
      if (isText(scalar.value, key)) scalar.value = textOf(document, scalar);
    },
  });
  return plainValue(document, source);
}
