import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { DOCUMENT } from "../../src/contract/documents/example.ts";
import type { JsonSchema } from "../../src/contract/documents/llms-schemas.ts";
import { BLOCK_STATUSES, DROP_REASONS } from "../../src/contract/enums.ts";
import { endpoints } from "../../src/contract/index.ts";
import { openapi } from "../../src/contract/openapi.ts";
import { readDocument } from "../../src/prose/document/read-document.ts";
import { schema } from "../../src/prose/document/schema.ts";
import { BASE_URL } from "../golden.ts";

const document = openapi(BASE_URL);
const { paths, components } = document;
const TYPED = ["type", "$ref", "anyOf", "allOf", "enum", "const"];
const OPEN = ["/openapi.json", "/llms.txt", "/docs"];

type Operation = NonNullable<NonNullable<(typeof paths)[string]>["get"]>;
type Response = (typeof components.responses)[string];

function operationOf(path: string, method: string): Operation {
  const found = paths[path]?.[method.toLowerCase() as "get"];
  assert.ok(found, `${method} ${path} is not in openapi.json`);
  return found;
}

/** What a `$ref` of the document leads to; anything else is itself. */
function resolve<Found>(value: Found | { $ref: string }): Found {
  if (typeof value !== "object" || value === null || !("$ref" in value)) return value as Found;
  let found: unknown = document;
  for (const key of value.$ref.slice(2).split("/")) found = (found as Record<string, unknown>)[key];
  assert.ok(found, `${value.$ref} leads nowhere`);
  return found as Found;
}

function responsesOf(operation: Operation): [string, Response][] {
  return Object.entries(operation.responses).map(([status, response]) => [status, resolve(response)]);
}

function parameterNames(operation: Operation): string[] {
  return (operation.parameters ?? []).map((parameter) => resolve(parameter).name);
}

const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, validateFormats: false });
ajv.addSchema({ $id: "contract", components: { schemas: components.schemas } } as object, "contract");
ajv.addKeyword("components");

function compile(schema: object) {
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"contract#/components')));
}

const operations = endpoints.map((row) => ({ row, operation: operationOf(row.path, row.method) }));

describe("openapi", () => {
  it("names its version, its one server and the key", () => {
    assert.equal(document.openapi, "3.1.0");
    assert.equal(document.info.version, "1.0.0");
    assert.deepEqual(
      document.servers.map(({ url }) => url),
      [BASE_URL],
    );
    assert.deepEqual(document.security, [{ bearerAuth: [] }]);
  });

  it("has every row at its own template, the documents of the API, and nothing else", () => {
    const named = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
    );
    const rows = endpoints.map(({ id, method, path }) => `${id} ${method.toLowerCase()} ${path}`);
    assert.deepEqual(
      named.filter((name) => !OPEN.some((path) => name.endsWith(` get ${path}`))).sort(),
      rows.sort(),
    );
    assert.equal(named.length, rows.length + OPEN.length);
  });

  it("describes every operation beyond its summary", () => {
    for (const methods of Object.values(paths))
      for (const { operationId, summary, description = "" } of Object.values(methods))
        assert.ok(/\w.*\.$/s.test(description) && !description.startsWith(summary), operationId);
  });

  it("gives every key a type that clients can be made of", () => {
    const seen = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      const { anyOf = [], properties = {} } = value as JsonSchema;
      const types = anyOf.map(({ type }) => type);
      assert.ok(!(types.includes("array") && types.includes("integer")), `${path} is a list or a number`);
      for (const [key, schema] of Object.entries(properties))
        assert.ok(
          Object.keys(schema).some((word) => TYPED.includes(word)),
          `${path}/${key} is anything`,
        );
      for (const [key, child] of Object.entries(value))
        if (!/^examples?$/.test(key)) seen(child, `${path}/${key}`);
    };
    seen(document, "");
  });

  it("needs no key for the documents alone", () => {
    for (const path of OPEN) assert.deepEqual(operationOf(path, "GET").security, []);
    for (const { operation } of operations) assert.equal(operation.security, undefined);
  });

  it("has no reference that leads nowhere", () => {
    const refs = new Set(JSON.stringify(document).match(/"#\/components\/[^"]+"/g));
    assert.ok(refs.size > 40, `${refs.size} references`);
    for (const ref of refs) resolve({ $ref: JSON.parse(ref) });
  });

  it("takes every example of a body, and refuses it with an unknown key", () => {
    let count = 0;
    for (const { row, operation } of operations) {
      const json = operation.requestBody?.content["application/json"];
      assert.equal(json !== undefined, row.body !== undefined, row.id);
      if (json === undefined) continue;
      const validate = compile(json.schema);
      for (const { value } of Object.values(json.examples ?? {})) {
        count++;
        assert.ok(validate(value), `${row.id}: ${ajv.errorsText(validate.errors)}`);
        assert.equal(
          row.body?.json.safeParse(value).success,
          true,
          `${row.id}: its own schema refuses its example`,
        );
        assert.ok(!validate({ ...(value as object), unknown: 1 }), `${row.id} takes an unknown key`);
      }
    }
    assert.ok(count >= endpoints.filter(({ body }) => body !== undefined).length);
  });

  it("has an example of a document that a PUT takes and a GET gives", () => {
    assert.deepEqual(readDocument(DOCUMENT), DOCUMENT.content);
  });

  it("describes every node and mark of the prose with its attributes", () => {
    const description = components.schemas.Document?.description ?? "";
    for (const { name, spec } of [...Object.values(schema.nodes), ...Object.values(schema.marks)]) {
      const attributes = new RegExp(`\`${name}\`([^\`]*)`).exec(description)?.[1] ?? assert.fail(name);
      for (const attribute of Object.keys(spec.attrs ?? {}))
        assert.match(attributes, new RegExp(`\\b${attribute}\\b`), `${name} lacks ${attribute}`);
    }
  });

  it("explains the words of what became of a paragraph, and why a mention was dropped", () => {
    const { ProseWrite, MentionDropped } = components.schemas;
    const blocks = ProseWrite?.properties?.blocks?.items;
    const fields = [
      [BLOCK_STATUSES, typeof blocks === "object" ? blocks.properties?.status : undefined],
      [DROP_REASONS, MentionDropped?.properties?.reason],
    ] as const;
    for (const [words, field] of fields)
      for (const word of words) assert.ok(field?.description?.includes(`${word}: `), word);
  });

  it("names every key that an error adds", () => {
    const { properties = {}, description = "" } = components.schemas.Problem ?? {};
    for (const { content = {} } of Object.values(components.responses))
      for (const { value } of Object.values(content["application/json"]?.examples ?? {}))
        for (const key of Object.keys(value as object))
          assert.ok(key in properties || description.includes(`\`${key}\``), key);
  });

  it("lets answers gain keys", () => {
    const answers = operations.map(({ operation }) => Object.values(operation.responses));
    assert.ok(!JSON.stringify([components.schemas, answers]).includes('"additionalProperties":false'));
  });

  it("names every parameter of a path, and describes every parameter", () => {
    for (const { row, operation } of operations) {
      const parameters = (operation.parameters ?? []).map((parameter) => resolve(parameter));
      const inPath = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
      assert.deepEqual(
        inPath,
        [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      );
      for (const { name, description } of parameters)
        assert.ok(description, `${row.id} does not describe ${name}`);
    }
  });

  it("has the bounds and defaults of the limits", () => {
    const limitOf = (path: string) =>
      operationOf(path, "GET")
        .parameters?.map((parameter) => resolve(parameter))
        .find(({ name }) => name === "limit");
    const bounds = { type: "integer", minimum: 1 };
    assert.deepEqual(limitOf("/books/{bookId}/search")?.schema, { ...bounds, maximum: 50, default: 20 });
    assert.deepEqual(limitOf("/acts")?.schema, { ...bounds, maximum: 500, default: 50 });
  });

  it("tells the headers of requests", () => {
    assert.ok(parameterNames(operationOf("/chapters/{chapterId}", "GET")).includes("If-None-Match"));
    for (const id of ["replaceProse", "replaceParagraph", "restoreRevision"]) {
      const found = operations.find(({ row }) => row.id === id);
      assert.ok(found, id);
      const names = parameterNames(found.operation);
      assert.ok(names.includes("If-Match"), `${id}: ${names.join(", ")}`);
    }
    for (const { row, operation } of operations) {
      const names = parameterNames(operation);
      assert.equal(names.includes("dryRun"), row.tier === "write" || row.tier === "propose", row.id);
      assert.equal(names.includes("If-Match"), row.method !== "GET", row.id);
      assert.equal(names.includes("Idempotency-Key"), row.method === "POST", row.id);
    }
  });

  it("tells the headers of answers", () => {
    for (const { row, operation } of operations) {
      for (const [status, { headers }] of responsesOf(operation)) {
        const names = Object.keys(headers);
        assert.ok(names.includes("X-Request-Id"), `${row.id} ${status}`);
        assert.equal(names.includes("Location"), status === "201", `${row.id} ${status}`);
        const isPaid = row.tier === "ai" && status === "200";
        assert.equal(
          names.includes("X-Credits-Cost") && names.includes("X-Credits-Remaining"),
          isPaid,
          row.id,
        );
        const isTagged = row.hasEntityTag === true || row.tagged !== undefined;
        assert.equal(names.includes("ETag"), isTagged && /^[23]/.test(status), `${row.id} ${status}`);
        const isOnce = row.method === "POST" && status.startsWith("2");
        assert.equal(names.includes("Idempotent-Replayed"), isOnce, `${row.id} ${status}`);
        if (status === "401") assert.ok(names.includes("WWW-Authenticate"));
        if (status === "429") assert.ok(names.includes("Retry-After"));
      }
      assert.equal(row.created !== undefined, operation.responses["201"] !== undefined, row.id);
    }
  });

  it("answers a chapter as JSON, as Markdown and as 304", () => {
    const { responses } = operationOf("/chapters/{chapterId}", "GET");
    const content = resolve(responses["200"] as Response).content ?? {};
    assert.deepEqual(Object.keys(content), ["application/json", "text/markdown"]);
    assert.equal(resolve(responses["304"] as Response).content, undefined);
  });

  it("takes prose as Markdown of every type that curl may send", () => {
    const types = [
      "text/markdown",
      "text/plain",
      "application/octet-stream",
      "application/x-www-form-urlencoded",
    ];
    for (const [path, method] of [
      ["/chapters/{chapterId}/prose", "PUT"],
      ["/chapters/{chapterId}/paragraphs/{blockId}", "PATCH"],
    ] as const) {
      const content = operationOf(path, method).requestBody?.content ?? {};
      assert.deepEqual(Object.keys(content), [...types, "application/json"]);
    }
  });

  it("tells every refusal of a row and of its tier, each with an example of its own shape", () => {
    for (const { row, operation } of operations) {
      const told = new Map(
        responsesOf(operation).flatMap(([status, { content = {} }]) =>
          Object.entries(content["application/json"]?.examples ?? {}).map(([code, { value }]) => [
            code,
            { status, value },
          ]),
        ),
      );
      const isGated = row.tier === "write" || row.sibling?.row.tier === "write";
      const gates = isGated ? ["subscription_required"] : [];
      const body = row.body === undefined ? [] : ["unsupported_media_type", "payload_too_large"];
      const always = [
        "unauthorized",
        "category_disabled",
        "forbidden_origin",
        "rate_limited",
        "bad_request",
        "internal",
      ];
      for (const code of [...row.refusals, ...gates, ...body, ...always])
        assert.ok(told.has(code), `${row.id}: ${code}`);
      assert.equal(told.has("subscription_required"), isGated, row.id);
      assert.ok(!told.has("would_lose"), "a code of the command line alone");
    }
    for (const [name, { content = {} }] of Object.entries(components.responses)) {
      const json = content["application/json"];
      assert.ok(json, name);
      const validate = compile(json.schema);
      for (const [code, { value }] of Object.entries(json.examples ?? {})) {
        assert.equal((value as { error: string }).error, code);
        assert.ok(validate(value), `${name}: ${ajv.errorsText(validate.errors)}`);
      }
    }
  });
});
