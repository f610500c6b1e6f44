import fc, { type Arbitrary } from "fast-check";
import { openapi } from "../../src/contract/openapi.ts";
import type { Ask } from "../../test/support/client.ts";
import type { Sample } from "../../test/support/sample.ts";

/** One request as the client sends it; `template` is its path in openapi.json. */
export interface GeneratedRequest {
  method: string;
  path: string;
  template: string;
  asked: Ask;
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minimum?: number;
  maximum?: number;
}

interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  schema: Schema;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: {
    content: Record<
      string,
      { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
    >;
  };
  responses: Record<string, unknown>;
}

const { paths, components } = openapi("http://127.0.0.1/api/v1") as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
};

/** The statuses that openapi.json names for a route; undefined if it does not know the method there. */
export function documented(template: string, method: string): readonly number[] | undefined {
  const operation = paths[template]?.[method.toLowerCase()];
  return operation === undefined ? undefined : Object.keys(operation.responses).map(Number);
}

const WORDS = [
  "Mara",
  "ferry",
  "",
  " ",
  "x".repeat(300),
  "\u0000",
  "\ud800",
  "é\u0301",
  "漢字",
  "__proto__",
  "../..",
  "<b>",
  "a\nb",
  "null",
  "%",
  '"',
];
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 2, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }) },
);
const MARKDOWN = [
  "# T\n\nMara came.\n",
  "- a\n- b\n",
  "> q\n",
  "```\nx",
  "[^1]\n\n[^1]: n\n",
  "* * *\n",
  "| a |\n|---|\n| b |\n",
  "<div>\n",
  "---\na: 1\n---\n",
  "*a **b* c**",
  "\\",
  "![](x)",
];
const markdown = fc
  .array(fc.oneof(fc.constantFrom(...MARKDOWN), text), { maxLength: 6 })
  .map((parts) => parts.join("\n\n"));

/** A value of a schema, an id of the sample wherever one is meant. */
function arbitraryOf(schema: Schema, name: string, sample: Sample, depth = 0): Arbitrary<unknown> {
  const resolved = schema.$ref === undefined ? schema : reference<Schema>(schema.$ref);
  const options = resolved.anyOf ?? resolved.oneOf ?? resolved.allOf;
  if (resolved.const !== undefined) return fc.constant(resolved.const);
  if (resolved.enum !== undefined) return fc.constantFrom(...resolved.enum);
  if (options !== undefined)
    return fc.oneof(...options.map((option) => arbitraryOf(option, name, sample, depth)));
  const types = [resolved.type ?? "object"].flat();
  return fc.oneof(...types.map((type) => arbitraryOfType(type, resolved, name, sample, depth)));
}

function arbitraryOfType(
  type: string,
  schema: Schema,
  name: string,
  sample: Sample,
  depth: number,
): Arbitrary<unknown> {
  if (type === "null") return fc.constant(null);
  if (type === "boolean") return fc.boolean();
  if (type === "integer" || type === "number")
    return fc.integer({ min: Math.max(schema.minimum ?? 0, -9), max: Math.min(schema.maximum ?? 60, 60) });
  if (type === "array") {
    const item = arbitraryOf(schema.items ?? {}, name, sample, depth + 1);
    return fc.array(item, { maxLength: 3 });
  }
  if (type === "string") return stringOf(name, sample);
  if (depth > 4) return fc.constant({});
  const { properties = {}, required = [] } = schema;
  const entries = Object.entries(properties).map(
    ([key, value]) => [key, arbitraryOf(value, key, sample, depth + 1)] as const,
  );
  return fc.record(Object.fromEntries(entries), { requiredKeys: required });
}

function stringOf(name: string, sample: Sample): Arbitrary<string> {
  const ids = Object.values(sample);
  if (/(?:Id|^act|^after)$/.test(name)) {
    const own =
      ids[Object.keys(sample).indexOf(name)] ?? (name === "keepId" ? sample.factId : sample.otherFactId);
    return fc.oneof(
      { weight: 5, arbitrary: fc.constant(own) },
      { weight: 2, arbitrary: fc.constantFrom(...ids) },
      { weight: 1, arbitrary: text },
    );
  }
  if (name === "markdown") return markdown;
  if (name === "url") return fc.constantFrom("https://example.org/x", "mailto:a@b.test", "javascript:1", "");
  if (name === "deadline") return fc.constantFrom("2026-06-30", "2026-02-30", "soon");
  return text;
}

/** What nobody means: another type, a key too many, one too few, any JSON at all. */
function spoilt(value: unknown): Arbitrary<unknown> {
  if (typeof value !== "object" || value === null) return fc.jsonValue({ maxDepth: 3 });
  const keys = Object.keys(value);
  return fc
    .tuple(fc.nat(Math.max(keys.length - 1, 0)), fc.nat(3), fc.jsonValue({ maxDepth: 3 }))
    .map(([at, how, other]) => {
      const key = keys[at];
      if (how === 0 || key === undefined) return { ...value, [`${key ?? "x"}s`]: other };
      if (how === 1) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
      if (how === 2) return { ...value, [key]: other };
      return [value];
    });
}

const json = { "Content-Type": "application/json" };
const HEADERS: readonly Record<string, string>[] = [
  ...[{}, {}, {}, {}, {}],
  { "If-Match": '"ch_x.1.1.text"' },
  { "If-Match": "*" },
  { "If-Match": "nonsense" },
  { "If-None-Match": "*" },
  { Accept: "text/markdown" },
  { Accept: "image/png;q=x, */*;q=0" },
  { "Idempotency-Key": "one" },
  { "Content-Encoding": "identity" },
  { "Content-Range": "bytes 0-1/2" },
  { Range: "bytes=0-1" },
  { "X-HTTP-Method-Override": "DELETE" },
  { "Sec-Fetch-Site": "cross-site" },
];

/** Any request that openapi.json gives reason to send: as it says, nearly so, and not at all so. */
export function anyRequest(sample: Sample): Arbitrary<GeneratedRequest> {
  const operations = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => requestOf(template, method, operation, sample)),
  );
  return fc.oneof(...operations);
}

function requestOf(
  template: string,
  method: string,
  operation: Operation,
  sample: Sample,
): Arbitrary<GeneratedRequest> {
  const parameters = (operation.parameters ?? []).map((one) =>
    one.$ref === undefined ? one : reference<Parameter>(one.$ref),
  );
  const inPath = parameters.filter((one) => one.in === "path");
  const inQuery = parameters.filter((one) => one.in === "query");
  const ids = fc.tuple(...inPath.map(({ name }) => stringOf(name, sample)));
  const known = fc.record(
    Object.fromEntries(inQuery.map(({ name, schema }) => [name, queryValue(name, schema, sample)])),
    { requiredKeys: [] },
  );
  const query = fc.oneof(
    { weight: 6, arbitrary: known },
    { weight: 1, arbitrary: fc.dictionary(text, text, { maxKeys: 2 }) },
  );
  const verb = fc.oneof(
    { weight: 30, arbitrary: fc.constant(method.toUpperCase()) },
    { weight: 1, arbitrary: fc.constantFrom("HEAD", "OPTIONS", "PATCH", "PUT", "DELETE") },
  );
  const key = fc.oneof(
    { weight: 60, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(null, "msk_x_y", "nonsense") },
  );
  return fc
    .tuple(verb, ids, query, bodyOf(operation, sample), fc.constantFrom(...HEADERS), key)
    .map(([verb, ids, query, body, headers, key]) => {
      let at = 0;
      const path = template.replace(/\{\w+\}/g, () => segmentOf(ids[at++]));
      const asked = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      ).toString();
      const bodiless = verb === "GET" || verb === "HEAD";
      return {
        ...{ method: verb, template, path: path + (asked && `?${asked}`) },
        asked: {
          ...(bodiless ? {} : body),
          headers: { ...(bodiless ? {} : body.headers), ...headers },
          ...(key === undefined ? {} : { key }),
        },
      };
    });
}

function queryValue(name: string, schema: Schema, sample: Sample): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: arbitraryOf(schema, name, sample) },
    { weight: 1, arbitrary: text },
    { weight: 1, arbitrary: fc.constantFrom(-1, 0, 1e9, 0.5) },
  );
}

function bodyOf({ requestBody }: Operation, sample: Sample): Arbitrary<Ask> {
  const content = requestBody?.content["application/json"];
  const nothing = fc.constantFrom<Ask>({}, {}, {}, { body: "{}", headers: json }, { body: "x" });
  if (content === undefined) return nothing;
  const known = Object.values(content.examples ?? {}).map(({ value }) => filled(value, sample));
  const valid = fc.oneof(
    arbitraryOf(content.schema, "body", sample),
    ...known.map((value) => fc.constant(value)),
  );
  const wholly = valid.map((body): Ask => ({ body: JSON.stringify(body), headers: json }));
  const nearly = valid.chain(spoilt).map((body): Ask => ({ body: JSON.stringify(body), headers: json }));
  const bare = markdown.map((body): Ask => ({ body, headers: { "Content-Type": "text/markdown" } }));
  const broken = fc.constantFrom<Ask>(
    { body: "{", headers: json },
    { body: "", headers: json },
    { body: new Uint8Array([0xff, 0xfe]), headers: json },
    { body: `{"a":${"[".repeat(500)}${"]".repeat(500)}}`, headers: json },
    { body: "x", headers: { "Content-Type": "image/png" } },
    { body: '{"__proto__":{"x":1},"constructor":1}', headers: json },
  );
  return fc.oneof(
    { weight: 6, arbitrary: wholly },
    { weight: 4, arbitrary: nearly },
    { weight: 2, arbitrary: bare },
    { weight: 1, arbitrary: broken },
    { weight: 1, arbitrary: nothing },
  );
}

function filled(value: unknown, sample: Sample): unknown {
  const name = (id: string) => sample[id as keyof Sample] ?? "x_none";
  return JSON.parse(JSON.stringify(value).replace(/\{(\w+Id)\}/g, (_, id: string) => name(id)));
}

function reference<Kind>(ref: string): Kind {
  const [, , kind = "", name = ""] = ref.split("/");
  return components[kind]?.[name] as Kind;
}

/** A parameter as a segment of a path. One that is empty or made of dots alone would be another path. */
function segmentOf(value: string | undefined): string {
  const text = value?.toWellFormed() ?? "";
  return /^\.{0,2}$/.test(text) ? "x" : encodeURIComponent(text);
}
