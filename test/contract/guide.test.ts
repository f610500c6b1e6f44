import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { bodies, curl, DOCUMENT, problemExample } from "../../src/contract/documents/example.ts";
import { WORD_SETS } from "../../src/contract/documents/llms-notation.ts";
import {
  type JsonSchema,
  jsonSchema,
  recordName,
  records,
} from "../../src/contract/documents/llms-schemas.ts";
import { SNIPPET_KINDS, STATUSES } from "../../src/contract/enums.ts";
import { fullGuide, guide } from "../../src/contract/guide.ts";
import { ENDPOINTS, endpoints } from "../../src/contract/index.ts";
import { LIMITS } from "../../src/contract/limits.ts";
import { BESIDE_API, PROBLEMS } from "../../src/contract/problems.ts";
import { readDocument } from "../../src/prose/document/read-document.ts";
import { schema } from "../../src/prose/document/schema.ts";
import { once } from "../../src/text/once.ts";
import { BASE_URL } from "../golden.ts";

const text = fullGuide(BASE_URL);
const short = guide(BASE_URL);

/** The text under a heading, up to the next one. */
function isBeside(code: string): boolean {
  return (BESIDE_API as readonly string[]).includes(code);
}

function under(heading: string): string {
  const start = text.indexOf(`\n${heading}\n`);
  assert.ok(start >= 0, `there is no heading ${heading}`);
  return text.slice(start + 1).split(/\n#{2,3} /)[0] ?? "";
}

/** Every key of a schema at any depth; of other records their names. */
function wordsOf(found: JsonSchema): string[] {
  if (found.$ref !== undefined) return [recordName(found.$ref)];
  const keys = Object.entries(found.properties ?? {}).flatMap(([key, value]) => [key, ...wordsOf(value)]);
  const words = (found.enum ?? []).map(String);
  const inner = typeof found.items === "object" ? wordsOf(found.items) : [];
  return [...keys, ...words, ...inner, ...(found.anyOf ?? []).flatMap(wordsOf)];
}

function assertWords(place: string, words: readonly string[]): void {
  const section = under(place);
  for (const word of words)
    assert.match(section, new RegExp(`(?<!\\w)${word}(?!\\w)`), `${place} lacks ${word}`);
}

describe("the whole guide", () => {
  it("has the shape of llmstxt.org: a title, a quote, text, then sections", () => {
    const lines = text.split("\n").filter((line) => line !== "");
    assert.match(lines[0] ?? "", /^# \S/);
    assert.match(lines[1] ?? "", /^> \S/);
    assert.doesNotMatch(lines[2] ?? "", /^#/);
    assert.equal(text.match(/^# /gm)?.length, 1);
    for (const path of ["/openapi.json", "/llms.txt", "/llms-full.txt", "/docs"])
      assert.ok(under("## Documents").includes(`(${BASE_URL}${path})`));
  });

  it("prints every path verbatim, with its operation, its tier and its summary", () => {
    for (const { id, method, path, tier, summary } of endpoints) {
      const section = under(`### ${method} ${path}`);
      assert.ok(section.includes(`\`${id}\`, ${tier} tier`), id);
      assert.ok(section.includes(summary), id);
    }
    assert.equal(text.match(/^### (GET|POST|PUT|PATCH|DELETE) /gm)?.length, endpoints.length);
  });

  it("names every parameter, every key of a body and every key of an answer", () => {
    for (const { method, path, params, query, body, answer } of endpoints) {
      const asked = [jsonSchema(params, "input"), jsonSchema(query, "input")];
      const sent = body === undefined ? [] : [jsonSchema(body.json, "input")];
      assertWords(
        `### ${method} ${path}`,
        [...asked, ...sent, jsonSchema(answer, "output")].flatMap(wordsOf),
      );
    }
  });

  it("lists every record with its keys", () => {
    assert.ok(Object.keys(records()).length > 12);
    for (const [name, record] of Object.entries(records())) assertWords(`### ${name}`, wordsOf(record));
  });

  it("lists every error of the API with its status and what comes with it", () => {
    const section = under("## Errors");
    for (const [code, { status }] of Object.entries({ ...PROBLEMS, internal: { status: 500 } })) {
      const line = section.split("\n").find((row) => row.startsWith(`| ${status} | \`${code}\` |`));
      if (isBeside(code)) {
        assert.equal(line, undefined, "a code that no documented route answers with");
        continue;
      }
      assert.ok(line, `the table lacks ${status} ${code}`);
      const { body, headers } = problemExample(
        code as Exclude<keyof typeof PROBLEMS, (typeof BESIDE_API)[number]>,
      );
      const extras = Object.keys(body).filter((key) => key !== "error" && key !== "message");
      for (const word of [...extras, ...headers])
        assert.ok(line.includes(`\`${word}\``), `${code} lacks ${word}`);
      for (const key of extras)
        assert.match(section, new RegExp(`^- .*\`${key}\`.*: `, "m"), `${key} is not explained`);
    }
  });

  it("lists every limit", () => {
    const rows = under("## Limits")
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .slice(2);
    assert.equal(rows.length, Object.keys(LIMITS).length);
    assert.match(rows[0] ?? "", /^\| 4 MiB \| Markdown/);
  });

  it("has an example of a document that a PUT takes and a GET gives", () => {
    assert.deepEqual(readDocument(DOCUMENT), DOCUMENT.content);
    const block = /```\n(\{\n {2}"type": "doc"[\s\S]*?)\n```/.exec(under("## The forms of a chapter"))?.[1];
    assert.deepEqual(JSON.parse(block ?? ""), DOCUMENT);
  });

  it("lists every node and mark of the prose with its attributes", () => {
    const rows = under("## The forms of a chapter")
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    const real = [...Object.values(schema.nodes), ...Object.values(schema.marks)];
    const names = rows.map((row) => /^\| `(\w+)`/.exec(row)?.[1]);
    assert.deepEqual(names.sort(), real.map(({ name }) => name).sort());
    for (const { name, spec } of real) {
      const row = rows.find((line) => line.startsWith(`| \`${name}\` |`)) ?? "";
      for (const attribute of Object.keys(spec.attrs ?? {})) {
        assert.match(
          row.split(" | ")[1] ?? "",
          new RegExp(`(^|, )${attribute}\\b`),
          `${name} lacks ${attribute}`,
        );
      }
    }
  });

  it("says what a write of prose costs", () => {
    assertWords("## Prose writes and what they cost", [
      "mentionsDropped",
      "snippetsDetached",
      "mentions=keep",
      "dryRun=1",
      "reanchor",
      "404",
    ]);
  });
});

/** The routes of a line of names: `PATCH|DELETE /parts/{partId}` are two. */
function routesIn(line: string): string[] {
  return Array.from(line.matchAll(/`([A-Z|]+) ([^`]*\/)([^`/]+)`/g)).flatMap(
    ([, methods = "", parent, last = ""]) =>
      methods.split("|").flatMap((method) => last.split("|").map((word) => `${method} ${parent}${word}`)),
  );
}

describe("the short guide", () => {
  const SHORT_BYTES = 16_000;

  it("is at most 16 kB, less than a quarter of the whole, and leads to it", () => {
    const bytes = Buffer.byteLength(short);
    assert.ok(bytes <= SHORT_BYTES, `llms.txt has ${bytes} bytes; leave out what llms-full.txt says`);
    assert.ok(bytes * 4 < Buffer.byteLength(text));
    assert.ok(short.includes(`(${BASE_URL}/llms-full.txt)`));
  });

  it("tells of every route of the specification with its body and its answer, and names every other", () => {
    const named = new Set(Array.from(short.matchAll(/^Besides: .*$/gm), ([line]) => routesIn(line)).flat());
    for (const { id, method, path, beyond, query, body, answer } of endpoints) {
      if (beyond) {
        assert.ok(named.delete(`${method} ${path}`), id);
        continue;
      }
      const section = short.split(`\n### ${method} ${path}\n`)[1]?.split(/\n#{2,3} /)[0] ?? assert.fail(id);
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
    const under = short.split("\n## Records\n")[1] ?? "";
    const types = Array.from(short.matchAll(/^(?:Body|Answer|- `).*$/gm), ([line]) => line).join("\n");
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
      assert.equal(short.includes(`${status} \`${code}\``), !isBeside(code), code);
  });
});

it("no guide names a page of settings, which there is none of", () => {
  for (const guideText of [text, short]) assert.doesNotMatch(guideText, /settings page|account page/i);
});

describe("curl", () => {
  const PRINT = `curl() { printf '%s\\0' "$@"; }\n`;
  const ids = {
    bookId: "bk_1",
    partId: "pt_1",
    chapterId: "ch_1",
    blockId: "b_1",
    factId: "fa_1",
    otherFactId: "fa_2",
  };
  const env = {
    ...ids,
    snippetId: "sn_1",
    proposalId: "prop_1",
    milestoneId: "ms_1",
    act: "act_1",
    path: "images/map.png",
    KEY: "msk_x",
    PATH: process.env.PATH ?? "",
  };
  const fill = (template: string) =>
    template.replace(
      /\{(\w+)\}/g,
      (_, name: string) => env[name as keyof typeof env] ?? assert.fail(`no ${name}`),
    );

  it("sends text as it is, whatever a shell makes of its signs", () => {
    const markdown = 'It can\'t be $HOME, `date` or \\n; 100%! "so"\n';
    const row = { ...ENDPOINTS.replaceProse, example: { markdown } };
    const { stdout } = spawnSync("sh", ["-euc", PRINT + curl(row, BASE_URL)], { encoding: "utf8", env });
    assert.equal(stdout.split("\0").at(-2), markdown);
  });

  /** What each row's line calls curl with: one shell runs them all, for starting one takes longer than the test. */
  const called = once((): Map<string, string[]> => {
    const lines = endpoints.map((row) => `${curl(row, BASE_URL)}\nprintf '\\1'`);
    const { status, stdout, stderr } = spawnSync("sh", ["-euc", PRINT + lines.join("\n")], {
      encoding: "utf8",
      env,
    });
    assert.equal(status, 0, stderr);
    const calls = stdout.split("\u0001").map((call) => call.split("\0").slice(0, -1));
    return new Map(endpoints.map(({ id }, index) => [id, calls[index] ?? []]));
  });

  for (const row of endpoints) {
    it(`calls ${row.id} from a shell`, () => {
      const line = curl(row, BASE_URL);
      assert.ok(text.includes(`\`\`\`\n${line}\n\`\`\``), "it is not in the guide");
      const words = called().get(row.id) ?? [];
      const after = (flag: string) =>
        words.flatMap((word, index) => (words[index - 1] === flag ? [word] : []));
      const query = new URLSearchParams(row.example.query).toString();
      assert.ok(
        words.includes(BASE_URL + fill(row.path) + (query === "" ? "" : `?${query}`)),
        words.join(" "),
      );
      assert.deepEqual(after("-X"), row.method === "GET" ? [] : [row.method]);
      assert.ok(after("-H").includes("Authorization: Bearer msk_x"));
      const [sent] = after("--data-binary");
      if (row.example.markdown !== undefined) assert.equal(sent, row.example.markdown);
      else if (row.body !== undefined)
        assert.deepEqual(JSON.parse(sent ?? ""), JSON.parse(fill(JSON.stringify(bodies(row).example))));
      else assert.equal(sent, undefined);
    });
  }
});
