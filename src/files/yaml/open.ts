import type { Document } from "yaml";
import { BadRequest } from "../../refusals.ts";
import { CONFLICT_MARKERS_LEFT, hasConflictMarkers } from "../../text/clean-text.ts";

/** The package, loaded only where a file has YAML to read or to change. */
export type Yaml = typeof import("yaml");

/** Source of a YAML text, for messages. */
export interface YamlSource {
  file: string;
  /** Name of the text's part of the file in sentences: "front matter". */
  part?: string;
  /** Number of the file's lines above the text. */
  before?: number;
  /** Limit in characters, if lower than a file's, with the reason. */
  most?: number;
  hint?: string;
}

/** Quotes words that other YAML readers would misread. */
export const FOR_ALL_READERS = { compat: "yaml-1.1", logLevel: "error" } as const;

/** Limit of an alias's expansion. The package counts, and throws. */
const MOST_ALIASES = 100;

/**
 * Parses YAML without faults. Throws `BadRequest`, naming file, line and fault. `most` bounds the text, because the
 * package's time grows with the square of the number of keys.
 */
export function openYaml(
  yaml: Yaml,
  text: string,
  source: YamlSource,
  options: Parameters<Yaml["parseDocument"]>[1] = {},
): Document {
  const { most = Infinity, hint = "", before = 0 } = source;
  if (text.length > most) {
    throw new BadRequest(
      `${nameOf(source)} has ${text.length} characters, and at most ${most} are read.${hint}`,
    );
  }
  const document = attempt(source, () => yaml.parseDocument(text.replace(/^\ufeff/, ""), options));
  const [error] = document.errors;
  if (error === undefined) return document;
  if (hasConflictMarkers(text)) throw new BadRequest(`${source.file} ${CONFLICT_MARKERS_LEFT}.`);
  throw refusal(source, error, (error.linePos?.[0].line ?? 1) + before);
}

/**
 * Parses YAML that may be faulty; the first of two equal keys counts. Returns a description of the fault if it cannot
 * be read. Throws `BadRequest` only for conflicts of git.
 */
export function tryYaml(yaml: Yaml, text: string, source: YamlSource): Document | string {
  try {
    return openYaml(yaml, text, source, { uniqueKeys: false });
  } catch (error) {
    if (!(error instanceof BadRequest) || hasConflictMarkers(text)) throw error;
    return error.message.slice(nameOf(source).length).replace(/\.$/, "").trim();
  }
}

/** Returns the one entry of a list that has but one, any other node itself. */
export function asSingle(node: unknown): unknown {
  const { items } = asKeys(node);
  return Array.isArray(items) && items.length === 1 && !isPair(items[0]) ? items[0] : node;
}

function isPair(node: unknown): boolean {
  return typeof node === "object" && node !== null && "key" in node;
}

/**
 * Returns a document's value as JSON has it. Throws `BadRequest` for aliases that stand for nothing or unfold without
 * end.
 */
export function plainValue(document: Document, source: YamlSource): unknown {
  return attempt(source, () => document.toJS({ maxAliasCount: MOST_ALIASES }));
}

function attempt<Result>(source: YamlSource, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw refusal(source, error);
  }
}

/**
 * Returns the refusal for an error of the package. It exhausts the stack on deep nesting, and quotes the text with
 * most faults.
 */
function refusal(source: YamlSource, error: unknown, line?: number): BadRequest {
  const message = error instanceof Error ? error.message : String(error);
  if (/call stack/.test(message)) return new BadRequest(`${nameOf(source)} is nested too deep to be read.`);
  const fault = message.replace(/ at line [\s\S]*$/, "");
  const where = line === undefined ? "" : ` in line ${line}`;
  return new BadRequest(`${nameOf(source)} is not valid YAML: ${fault}${where}.`);
}

function nameOf({ file, part }: YamlSource): string {
  return part === undefined ? file : `${file}: its ${part}`;
}

/** An object of JSON or YAML. */
export type Keys = Record<string, unknown>;

/** Returns the value if it is an object, else one without keys. */
export function asKeys(value: unknown): Keys {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Keys) : {};
}

/** Returns the keys that have a value. */
export function withoutUndefined<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof withoutUndefined<Fields>
  >;
}

/** Returns a value if it is text that is not blank, trimmed. */
export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** Returns a scalar's text, a number or a date as written; null if it is empty, undefined for a list or a mapping. */
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

// Limit of an index in characters. No list of chapters is longer.
const MOST_OF_INDEX = 256 * 1024;

/** Reads another program's index, numbers as they are written. Throws `BadRequest`, naming index and line. */
export async function readIndexYaml(text: string, file: string, before = 0): Promise<Keys> {
  const yaml = await import("yaml");
  const source = { file, before, most: MOST_OF_INDEX };
  const isNumber = (value: unknown) => typeof value === "number";
  return asKeys(readWritten(yaml, openYaml(yaml, text, source), source, isNumber));
}

/** Returns a document's value. Scalars that `isText` picks, by value and key, stay texts: a title of 007 is not 7. */
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
