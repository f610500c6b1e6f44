import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WORD_SETS } from "../../src/contract/documents/llms-notation.ts";
import {
  type JsonSchema,
  jsonSchema,
  recordName,
  records,
} from "../../src/contract/documents/llms-schemas.ts";
import { SNIPPET_KINDS, STATUSES } from "../../src/contract/enums.ts";
import { guide } from "../../src/contract/guide.ts";
import { endpoints } from "../../src/contract/index.ts";
import { BESIDE_API, PROBLEMS } from "../../src/contract/problems.ts";
import { BASE_URL } from "../golden.ts";

const text = guide(BASE_URL);

/** Every key of a schema at any depth; of other records their names. */
function wordsOf(found: JsonSchema): string[] {
  if (found.$ref !== undefined) return [recordName(found.$ref)];
  const keys = Object.entries(found.properties ?? {}).flatMap(([key, value]) => [key, ...wordsOf(value)]);
  const words = (found.enum ?? []).map(String);
  const inner = typeof found.items === "object" ? wordsOf(found.items) : [];
  return [...keys, ...words, ...inner, ...(found.anyOf ?? []).flatMap(wordsOf)];
}

/** The routes of a line of names: `PATCH|DELETE /parts/{partId}` are two. */
function routesIn(line: string): string[] {
  return Array.from(line.matchAll(/`([A-Z|]+) ([^`]*\/)([^`/]+)`/g)).flatMap(
    ([, methods = "", parent, last = ""]) =>
      methods.split("|").flatMap((method) => last.split("|").map((word) => `${method} ${parent}${word}`)),
  );
}

describe("the guide", () => {
  it("has the shape of llmstxt.org: a title, a quote, text, then sections", () => {
    const lines = text.split("\n").filter((line) => line !== "");
    assert.match(lines[0] ?? "", /^# \S/);
    assert.match(lines[1] ?? "", /^> \S/);
    assert.doesNotMatch(lines[2] ?? "", /^#/);
    assert.equal(text.match(/^# /gm)?.length, 1);
    for (const path of ["/openapi.json", "/llms.txt", "/docs"])
      assert.ok(text.includes(`- [GET ${path}](${BASE_URL}${path})`));
  });

  it("is at most 16 kB", () => {
    const bytes = Buffer.byteLength(text);
    assert.ok(bytes <= 16_000, `llms.txt has ${bytes} bytes; let openapi.json say some of it`);
  });

  it("says what a write of prose costs", () => {
    const section = text.split("\n## Prose writes and what they cost\n")[1]?.split("\n## ")[0] ?? "";
    for (const word of ["mentionsDropped", "snippetsDetached", "mentions=keep", "reanchor"])
      assert.ok(section.includes(word), word);
  });

  it("tells of every route of the specification with its body and its answer, and names every other", () => {
    const named = new Set(Array.from(text.matchAll(/^Besides: .*$/gm), ([line]) => routesIn(line)).flat());
    for (const { id, method, path, beyond, query, body, answer } of endpoints) {
      if (beyond) {
        assert.ok(named.delete(`${method} ${path}`), id);
        continue;
      }
      const section = text.split(`\n### ${method} ${path}\n`)[1]?.split(/\n#{2,3} /)[0] ?? assert.fail(id);
      const keys = [jsonSchema(query, "input"), jsonSchema(answer, "output")].concat(
        body === undefined ? [] : [jsonSchema(body.json, "input")],
      );
      // Of writes it says once what all take and answer; sets of words have names there.
      const common = ["act", "dryRun", "1", "0", "true", "false", ...STATUSES, ...SNIPPET_KINDS];
      for (const word of keys.flatMap(wordsOf).filter((key) => !common.includes(key)))
        assert.match(section, new RegExp(`(?<!\\w)${word}(?!\\w)`), `${id} lacks ${word}`);
    }
    assert.deepEqual([...named], [], "no such route");
  });

  it("explains every record that it names, with all its keys, and every set of words", () => {
    const under = text.split("\n## Records\n")[1] ?? "";
    const types = Array.from(text.matchAll(/^(?:Body|Answer|- `).*$/gm), ([line]) => line).join("\n");
    const names = [...Object.keys(records()), ...Object.keys(WORD_SETS)];
    const named = new Set(names.filter((name) => new RegExp(`(?<![\\w"])${name}(?![\\w"])`).test(types)));
    for (const name of named) {
      const line = under.split("\n").find((row) => row.startsWith(`- \`${name}\`: `)) ?? assert.fail(name);
      const record = records()[name];
      for (const word of record === undefined
        ? []
        : Object.keys(record.properties ?? {}).filter((key) => key !== "act"))
        assert.match(line, new RegExp(`(?<!\\w)${word}(?!\\w)`), `${name} lacks ${word}`);
    }
    assert.ok(["Chapter", "Snippet", "Outline", "Status", "Kind"].every((name) => named.has(name)));
  });

  it("lists every error of the API", () => {
    for (const [code, { status }] of Object.entries(PROBLEMS))
      assert.equal(
        text.includes(`${status} \`${code}\``),
        !(BESIDE_API as readonly string[]).includes(code),
        code,
      );
  });

  it("names no page of settings, for there is none", () => {
    assert.doesNotMatch(text, /settings page|account page/i);
  });
});
