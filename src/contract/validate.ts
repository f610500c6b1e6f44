import type * as z from "zod";
import { BadRequest, type Detail } from "../refusals.ts";
import { counted, grouped } from "../text/columns.ts";
import { editDistance } from "../text/edit-distance.ts";

/**
 * The value as the schema reads it. Throws `BadRequest` with every fault and its JSON Pointer; a misspelt key is told
 * what it was probably meant to be. `where` names the thing in the message: "The body", "The query".
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: string,
): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const details = result.error.issues.flatMap((issue) => explain(issue, schema));
  // A misspelt key is why another is missing, and the guess at it is what helps, or all that there are.
  const first = details.find(({ message }) => message.includes(GUESS)) ??
    details.find(({ message }) => message.startsWith(UNKNOWN)) ??
    details[0] ?? { path: "", message: "is not what is asked for" };
  const message = `${where} is not valid: ${first.path === "" ? "" : `${first.path} `}${first.message}`;
  throw new BadRequest(message.endsWith("?") ? message : `${message}.`, details);
}

const UNKNOWN = "is not a key that is known here";
const GUESS = "; did you mean ";

type Issue = z.core.$ZodIssue;

function explain(issue: Issue, schema: z.ZodType, prefix: readonly PropertyKey[] = []): Detail[] {
  const path = [...prefix, ...issue.path];
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(key, path, schema));
  if (issue.code === "invalid_union") return explainUnion(issue, schema, path);
  return [{ path: pointer(path), message: inWords(issue) }];
}

/**
 * A fault as a sentence goes on behind its path: "is missing: it must be a string", "must be a number, got a string",
 * `must be "draft" or "done"`, "must have at most 500 characters". What a rule says in its own words stays.
 */
function inWords(issue: Issue): string {
  const { message } = issue;
  const must = issue.input === undefined ? "is missing: it must be" : "must be";
  const [, wanted, given = ""] = /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? [];
  if (wanted !== undefined) {
    const got = wanted === "int" && given === "number" ? String(issue.input) : withArticle(given);
    return `${must} ${withArticle(wanted)}${issue.input === undefined ? "" : `, got ${got}`}`;
  }
  if (issue.code === "invalid_value" && /^Invalid \w+: expected/.test(message))
    return `${must} ${oneOf(issue.values.map((value) => JSON.stringify(value)))}`;
  const [, verb, sign = "", bound, unit] =
    /^Too \w+: expected \w+ to (have|be) ([<>]=?|exactly )(-?[\d.]+)(?: (\w+))?$/.exec(message) ?? [];
  if (verb === undefined) return lower(message);
  const size = unit === undefined ? grouped(Number(bound)) : counted(Number(bound), UNITS[unit] ?? unit);
  return `must ${verb} ${BOUNDS[sign] ?? ""}${size}`;
}

function oneOf(values: readonly string[]): string {
  const last = values.at(-1) ?? "";
  return values.length < 2 ? last : `${values.slice(0, -1).join(", ")} or ${last}`;
}

const BOUNDS: Readonly<Record<string, string>> = {
  "<=": "at most ",
  ">=": "at least ",
  "<": "less than ",
  ">": "more than ",
};
const UNITS: Readonly<Record<string, string>> = { characters: "character", items: "entry", entries: "entry" };

const ARTICLES: Readonly<Record<string, string>> = {
  array: "a list",
  object: "an object",
  int: "a whole number",
  boolean: "true or false",
  null: "null",
};

function withArticle(type: string): string {
  return ARTICLES[type] ?? `a ${type}`;
}

/** Of a union, the faults of the alternative that comes nearest: the one with the fewest unknown and missing keys. */
function explainUnion(
  issue: Extract<Issue, { code: "invalid_union" }>,
  schema: z.ZodType,
  path: readonly PropertyKey[],
): Detail[] {
  const options = optionsOf(schema);
  const nearest = issue.errors
    .map((issues, index) => ({ issues, option: options[index] ?? schema }))
    .sort((a, b) => weight(a.issues) - weight(b.issues))[0];
  if (nearest === undefined || nearest.issues.length === 0)
    return [{ path: pointer(path), message: lower(issue.message) }];
  return nearest.issues.flatMap((inner) => explain(inner, nearest.option, path));
}

function weight(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);
}

function unknownKey(key: string, path: readonly PropertyKey[], schema: z.ZodType): Detail {
  const known = [...new Set(keysAt(schema, path))];
  const meant = nearestWord(key, known);
  const all = known.length === 0 ? "there are none" : `the keys are ${known.join(", ")}`;
  const hint = meant === undefined ? `; ${all}` : `${GUESS}"${meant}"?`;
  return { path: pointer([...path, beginningOf(key)]), message: UNKNOWN + hint };
}

const KEY_CHARACTERS = 32;

/** A key as errors tell of it: it may be anything, even prose, so a long one is told of by its beginning. */
export function beginningOf(key: string): string {
  return key.length <= KEY_CHARACTERS ? key : `${key.slice(0, KEY_CHARACTERS).toWellFormed()}…`;
}

/** The keys that an object may have at a path into a schema. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const inner = unwrap(schema);
  const options = optionsOf(inner);
  if (options.length > 0) return options.flatMap((option) => keysAt(option, path));
  const [first, ...rest] = path;
  if (inner instanceof Object && "shape" in inner) {
    const shape = inner.shape as Record<string, z.ZodType>;
    if (first === undefined) return Object.keys(shape);
    const field = shape[String(first)];
    return field === undefined ? [] : keysAt(field, rest);
  }
  if ("element" in inner) return keysAt(inner.element as z.ZodType, rest);
  return [];
}

function unwrap(schema: z.ZodType): z.ZodType {
  // A list unwraps to its entries, and then the path would be one step ahead.
  if ("element" in schema) return schema;
  return "unwrap" in schema ? unwrap((schema.unwrap as () => z.ZodType)()) : schema;
}

function optionsOf(schema: z.ZodType): readonly z.ZodType[] {
  return "options" in schema &&
    Array.isArray(schema.options) &&
    schema.options.every((option) => typeof option === "object")
    ? (schema.options as z.ZodType[])
    : [];
}

const SLIPS = 2;

/** The word that is at most two typing errors away and nearest; undefined if none is. */
function nearestWord(word: string, words: readonly string[]): string | undefined {
  const ranked = words
    .map((candidate) => ({
      candidate,
      distance: editDistance(word.toLowerCase(), candidate.toLowerCase(), SLIPS),
    }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.min(SLIPS, Math.max(1, word.length - 1))
    ? best.candidate
    : undefined;
}

/** A JSON Pointer (RFC 6901). */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");
}

function lower(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
