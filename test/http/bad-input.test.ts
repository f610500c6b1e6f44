import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { LIMITS } from "../../src/contract/limits.ts";
import { type Ask, type Lab, serve } from "../support/client.ts";
import { dump } from "../support/dump.ts";
import { suite } from "../support/sandbox.ts";

const MIB = 1024 * 1024;
const json = { "Content-Type": "application/json" };
const markdown = { "Content-Type": "text/markdown" };
const deep = `${"[".repeat(1000)}${"]".repeat(1000)}`;

/** `[what, method, path, ask, status, code]`; braces stand for the sample's ids. */
type Row = [string, string, string, Ask, number, string];

const ROWS: readonly Row[] = [
  ["no key", "GET", "/books", { key: null }, 401, "unauthorized"],
  ["a malformed key", "GET", "/books", { key: "nonsense" }, 401, "unauthorized"],
  [
    "another scheme",
    "GET",
    "/books",
    { key: null, headers: { Authorization: "Basic eDp5" } },
    401,
    "unauthorized",
  ],
  ["no key on an unknown path", "GET", "/nowhere", { key: null }, 401, "unauthorized"],
  ["an unknown path", "GET", "/nowhere", {}, 404, "not_found"],
  ["an unknown method", "DELETE", "/books", {}, 405, "method_not_allowed"],
  [
    "a Host that is not this machine",
    "GET",
    "/books",
    { headers: { "X-Test-Host": "attacker.test" } },
    403,
    "forbidden_origin",
  ],
  [
    "another site's Origin",
    "GET",
    "/books",
    { headers: { Origin: "https://attacker.test" } },
    403,
    "forbidden_origin",
  ],
  [
    "another port's Origin",
    "GET",
    "/books",
    { headers: { Origin: "http://localhost:1" } },
    403,
    "forbidden_origin",
  ],
  ["a sandboxed page's Origin", "GET", "/books", { headers: { Origin: "null" } }, 403, "forbidden_origin"],
  [
    "another site's fetch",
    "GET",
    "/books",
    { headers: { "Sec-Fetch-Site": "cross-site" } },
    403,
    "forbidden_origin",
  ],
  [
    "malformed JSON",
    "POST",
    "/books/{bookId}/facts",
    { body: '{"name": ', headers: json },
    400,
    "bad_request",
  ],
  ["an empty body", "POST", "/books/{bookId}/facts", { body: "", headers: json }, 400, "bad_request"],
  ["a JSON array", "POST", "/books/{bookId}/facts", { body: [] }, 400, "bad_request"],
  ["a JSON null", "POST", "/books/{bookId}/facts", { body: null }, 415, "unsupported_media_type"],
  ["a wrong type", "POST", "/books/{bookId}/facts", { body: { name: 1 } }, 400, "bad_request"],
  ["a missing key", "POST", "/books/{bookId}/facts", { body: { kind: "place" } }, 400, "bad_request"],
  ["a blank name", "POST", "/books/{bookId}/facts", { body: { name: "  " } }, 400, "bad_request"],
  ["an unknown key", "POST", "/books/{bookId}/facts", { body: { name: "x", alias: [] } }, 400, "bad_request"],
  [
    "a control character",
    "POST",
    "/books/{bookId}/facts",
    { body: { name: "a\u0000b" } },
    400,
    "bad_request",
  ],
  [
    "half a surrogate pair",
    "POST",
    "/books/{bookId}/facts",
    { body: '{"name":"\\ud800"}', headers: json },
    400,
    "bad_request",
  ],
  ["attributes on PATCH", "PATCH", "/facts/{factId}", { body: { attributes: [] } }, 400, "bad_request"],
  ["an empty PATCH", "PATCH", "/facts/{factId}", { body: {} }, 400, "bad_request"],
  [
    "the same fact twice",
    "POST",
    "/facts/merge",
    { body: { keepId: "{factId}", dropId: "{factId}" } },
    400,
    "bad_request",
  ],
  [
    "an unknown status",
    "PUT",
    "/chapters/{chapterId}/status",
    { body: { status: "Done" } },
    400,
    "bad_request",
  ],
  [
    "a synopsis too long",
    "PUT",
    "/chapters/{chapterId}/synopsis",
    { body: { synopsis: "x".repeat(20_001) } },
    400,
    "bad_request",
  ],
  [
    "an unknown snippet kind",
    "POST",
    "/books/{bookId}/snippets",
    { body: { kind: "idea" } },
    400,
    "bad_request",
  ],
  [
    "items on a note",
    "POST",
    "/books/{bookId}/snippets",
    { body: { kind: "note", items: [] } },
    400,
    "bad_request",
  ],
  [
    "a control character in a url",
    "POST",
    "/books/{bookId}/snippets",
    { body: { kind: "note", url: "http://a/\u0000" } },
    400,
    "bad_request",
  ],
  [
    "half a surrogate pair in a url",
    "PATCH",
    "/snippets/{snippetId}",
    { body: '{"kind":"note","url":"http://a/\\ud800"}', headers: json },
    400,
    "bad_request",
  ],
  [
    "a script as url",
    "POST",
    "/books/{bookId}/snippets",
    { body: { kind: "note", url: "javascript:1" } },
    400,
    "bad_request",
  ],
  [
    "an unknown anchor",
    "POST",
    "/books/{bookId}/snippets",
    { body: { kind: "note", blockId: "b_x" } },
    404,
    "not_found",
  ],
  [
    "blank Markdown",
    "PUT",
    "/chapters/{chapterId}/prose",
    { body: " \n", headers: markdown },
    400,
    "bad_request",
  ],
  [
    "both markdown and doc",
    "PUT",
    "/chapters/{chapterId}/prose",
    { body: { markdown: "x", doc: {} } },
    400,
    "bad_request",
  ],
  ["neither", "PUT", "/chapters/{chapterId}/prose", { body: {} }, 400, "bad_request"],
  [
    "broken UTF-8",
    "PUT",
    "/chapters/{chapterId}/prose",
    { body: new Uint8Array([0x61, 0xff, 0x62]), headers: markdown },
    400,
    "bad_request",
  ],
  [
    "NUL in Markdown",
    "PUT",
    "/chapters/{chapterId}/prose",
    { body: "a\u0000b", headers: markdown },
    400,
    "bad_request",
  ],
  [
    "JSON 1,000 levels deep",
    "PUT",
    "/chapters/{chapterId}/prose",
    { body: `{"doc":${deep}}`, headers: json },
    400,
    "bad_request",
  ],
  [
    "quotes 5,000 levels deep",
    "PUT",
    "/chapters/{chapterId}/prose",
    { body: `${">".repeat(5000)} x`, headers: markdown },
    400,
    "bad_request",
  ],
  [
    "an unknown node",
    "PUT",
    "/chapters/{chapterId}/prose",
    { body: { doc: { type: "doc", content: [{ type: "poem" }] } } },
    400,
    "bad_request",
  ],
  [
    "a document of another root",
    "PUT",
    "/chapters/{chapterId}/prose",
    { body: { doc: { type: "paragraph" } } },
    400,
    "bad_request",
  ],
  [
    "4 MiB and one byte of Markdown",
    "PUT",
    "/chapters/{chapterId}/prose",
    { body: "x".repeat(4 * MIB + 1), headers: markdown },
    413,
    "payload_too_large",
  ],
  [
    "the same within JSON",
    "PUT",
    "/chapters/{chapterId}/prose",
    { body: { markdown: "x".repeat(4 * MIB + 1) } },
    413,
    "payload_too_large",
  ],
  [
    "a 17 MiB document",
    "PUT",
    "/chapters/{chapterId}/prose",
    { body: " ".repeat(17 * MIB), headers: json },
    413,
    "payload_too_large",
  ],
  [
    "a 2 MiB fact",
    "POST",
    "/books/{bookId}/facts",
    { body: { name: "x", summary: "x".repeat(2 * MIB) } },
    413,
    "payload_too_large",
  ],
  [
    "a picture as prose",
    "PUT",
    "/chapters/{chapterId}/prose",
    { body: "x", headers: { "Content-Type": "image/png" } },
    415,
    "unsupported_media_type",
  ],
  [
    "a form as JSON",
    "POST",
    "/books/{bookId}/facts",
    { body: "name=x", headers: { "Content-Type": "application/x-www-form-urlencoded" } },
    415,
    "unsupported_media_type",
  ],
  [
    "UTF-7",
    "PUT",
    "/chapters/{chapterId}/prose",
    { body: "x", headers: { "Content-Type": "text/markdown; charset=utf-7" } },
    415,
    "unsupported_media_type",
  ],
  [
    "a compressed body",
    "PUT",
    "/chapters/{chapterId}/prose",
    { body: "x", headers: { ...markdown, "Content-Encoding": "gzip" } },
    415,
    "unsupported_media_type",
  ],
  [
    "a misspelt dryRun",
    "PUT",
    "/chapters/{chapterId}/prose?dryrun=1",
    { body: "x", headers: markdown },
    400,
    "bad_request",
  ],
  ["broken percent-encoding in the query", "GET", "/books/{bookId}/search?q=%zz", {}, 400, "bad_request"],
  ["broken percent-encoding in the path", "GET", "/books/%zz", {}, 400, "bad_request"],
  ["an id with ../", "GET", "/chapters/..%2f..%2fetc", {}, 404, "not_found"],
  ["an id with NUL", "GET", "/chapters/a%00b", {}, 404, "not_found"],
  ["an id of 10,000 characters", "GET", `/chapters/${"x".repeat(10_000)}`, {}, 404, "not_found"],
  ["an unknown act", "POST", "/acts/act_none/undo", {}, 404, "not_found"],
  ["an unknown revision", "GET", "/chapters/{chapterId}?revision=99", {}, 404, "not_found"],
  [
    "offsets of an old revision",
    "POST",
    "/chapters/{chapterId}/mentions",
    { body: { revision: 9, mentions: [{ factId: "{factId}", blockId: "{blockId}", from: 0, to: 1 }] } },
    409,
    "conflict",
  ],
  [
    "a span outside its paragraph",
    "POST",
    "/chapters/{chapterId}/mentions",
    { body: { revision: 1, mentions: [{ factId: "{factId}", blockId: "{blockId}", from: 0, to: 9999 }] } },
    400,
    "bad_request",
  ],
];

describe("bad input", () => {
  let lab: Lab;
  let untouched: unknown;
  const scope = suite();
  after(scope.end);
  before(async () => {
    lab = await serve(scope);
    untouched = dump(lab.manuscript.store);
  });

  const fill = (text: string) =>
    text.replace(/\{(\w+Id)\}/g, (_, name: string) => lab.sample[name as keyof Lab["sample"]]);

  for (const [what, method, path, asked, status, code] of ROWS.filter(
    ([name]) => !name.startsWith("a Host"),
  )) {
    it(`${what} is ${status} ${code}, and nothing changes`, async () => {
      const isPlain =
        typeof asked.body === "object" && asked.body !== null && !(asked.body instanceof Uint8Array);
      const body = isPlain ? JSON.parse(fill(JSON.stringify(asked.body))) : (asked.body ?? undefined);
      const answer = await lab.ask(method, fill(path), { ...asked, body });
      assert.deepEqual([answer.status, answer.body.error], [status, code], answer.text.slice(0, 300));
      if (code === "bad_request") assert.ok(Array.isArray(answer.body.details), "details");
      assert.deepEqual(dump(lab.manuscript.store), untouched);
    });
  }

  it("JSON is read to four levels for each that a document may have, and no further", async () => {
    const most = 4 * LIMITS.depth + 1; // the outermost is level 0
    const nested = (levels: number) => `{"name":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    const ask = (levels: number) =>
      lab.ask("POST", `/books/${lab.sample.bookId}/facts`, { body: nested(levels), headers: json });
    const [read, refused] = [await ask(most), await ask(most + 1)];
    assert.deepEqual([read.status, refused.status], [400, 400]);
    assert.match(read.body.message, /name/);
    assert.match(refused.body.message, /nested more than 400 levels deep/);
  });

  it("a misspelt key is told what it was meant to be", async () => {
    const { body } = await lab.ask("POST", `/books/${lab.sample.bookId}/facts`, {
      body: { name: "x", sumary: "" },
    });
    assert.deepEqual(body.details, [
      { path: "/sumary", message: 'is not a key that is known here; did you mean "summary"?' },
    ]);
    const nested = await lab.ask("POST", `/books/${lab.sample.bookId}/snippets`, {
      body: { kind: "todo", items: [{ txt: "x", done: false }] },
    });
    assert.match(nested.body.message, /\/items\/0\/txt is not a key .* did you mean "text"\?$/);
    const missing = await lab.ask("POST", `/books/${lab.sample.bookId}/facts`, { body: { nmae: "x" } });
    assert.match(missing.body.message, /\/nmae is not a key that is known here; did you mean "name"\?$/);
    const asked = await lab.ask("GET", `/books/${lab.sample.bookId}/search?q=x&limt=3`);
    assert.match(asked.body.message, /\/limt is not a key .* did you mean "limit"\?$/);
  });

  it("a key given twice is 400 with its path, in any object, however it is written", async () => {
    const { bookId, factId, chapterId } = lab.sample;
    const fact = `/facts/${factId}`;
    const prose = `/chapters/${chapterId}/prose`;
    const TWICE: readonly [method: string, path: string, body: string, given: string][] = [
      ["PATCH", fact, '{"summary":"keep me","summary":""}', "/summary"],
      ["PATCH", fact, '{ "summary" : "\\"summary\\":" , "s\\u0075mmary" : "" }', "/summary"],
      [
        "PATCH",
        fact,
        '{"setAttributes":[{"key":"a","value":"b"},{"key":"a","value":"b","key":"c"}]}',
        "/setAttributes/1/key",
      ],
      ["POST", `/books/${bookId}/facts`, '{"name":"x","__proto__":{},"__proto__":{}}', "/__proto__"],
      ["POST", "/books", '{"title":"x","a/b":[[],{}],"a/b":1}', "/a~1b"],
      [
        "PUT",
        prose,
        '{"doc":{"type":"doc","content":[{"type":"paragraph","type":"heading"}]}}',
        "/doc/content/0/type",
      ],
      [
        "PUT",
        prose,
        `\ufeff{"markdown":"A.","${"k".repeat(99)}":1,"${"k".repeat(99)}":2}`,
        `/${"k".repeat(32)}…`,
      ],
    ];
    for (const [method, path, body, given] of TWICE) {
      const answer = await lab.ask(method, path, { body, headers: json });
      assert.equal(answer.status, 400, body);
      assert.deepEqual(answer.body.details, [{ path: given, message: "given twice" }], body);
    }
    assert.deepEqual(dump(lab.manuscript.store), untouched);
    const values = '{"summary":"summary","kind":"kind","aliases":["kind","kind"]}';
    const taken = await lab.ask("PATCH", `${fact}?dryRun=1`, { body: values, headers: json });
    assert.equal(taken.status, 200, taken.text);
  });

  it("a title or name with a line break or a tab is 400 with its path, in any field; blank ends are dropped", async () => {
    const { bookId, partId, chapterId, factId, blockId } = lab.sample;
    const proposal = { id: "1", type: "new_fact", name: "x", occurrences: [] };
    const NAMED: readonly [method: string, path: string, field: string, body: (name: string) => object][] = [
      ["POST", "/books", "/title", (title) => ({ title })],
      ["PATCH", `/books/${bookId}`, "/title", (title) => ({ title })],
      ["POST", `/books/${bookId}/parts`, "/title", (title) => ({ title })],
      ["PATCH", `/parts/${partId}`, "/title", (title) => ({ title })],
      ["POST", `/books/${bookId}/chapters`, "/title", (title) => ({ title })],
      ["PATCH", `/chapters/${chapterId}`, "/title", (title) => ({ title })],
      ["POST", `/chapters/${chapterId}/split`, "/title", (title) => ({ blockId, title })],
      ["POST", `/books/${bookId}/milestones`, "/name", (name) => ({ name })],
      ["POST", `/books/${bookId}/facts`, "/name", (name) => ({ name })],
      ["POST", `/books/${bookId}/facts`, "/aliases/0", (name) => ({ name: "x", aliases: [name] })],
      [
        "POST",
        `/books/${bookId}/facts`,
        "/attributes/0/key",
        (key) => ({ name: "x", attributes: [{ key, value: "a\nb" }] }),
      ],
      ["PATCH", `/facts/${factId}`, "/name", (name) => ({ name })],
      ["PATCH", `/facts/${factId}`, "/aliases/0", (name) => ({ aliases: [name] })],
      [
        "PATCH",
        `/facts/${factId}`,
        "/setAttributes/0/key",
        (key) => ({ setAttributes: [{ key, value: "a\nb" }] }),
      ],
      [
        "POST",
        `/chapters/${chapterId}/proposals`,
        "/proposals/0/name",
        (name) => ({ revision: 1, proposals: [{ ...proposal, name }] }),
      ],
    ];
    for (const [method, path, field, body] of NAMED) {
      for (const name of ["a\nb", "a\r\nb", "a\tb", "a\u2028b", "a\u0085b"]) {
        const answer = await lab.ask(method, path, { body: body(name) });
        assert.deepEqual([answer.status, answer.body.details?.[0].path], [400, field], answer.text);
        assert.match(answer.body.message, /holds a line break or a tab/);
      }
      const { status, text } = await lab.ask(method, `${path}?dryRun=1`, { body: body(" a b\n") });
      assert.ok(status < 300, text);
    }
    assert.deepEqual(dump(lab.manuscript.store), untouched);
  });

  it("a name that nobody knows is told of by its beginning, in a body, a query and twice in one", async () => {
    const name = "Call me Ishmael, some years ago ".repeat(9);
    const word = encodeURIComponent(name);
    for (const [method, path, body] of [
      ["GET", `/books?${word}=1`, undefined],
      ["GET", `/books?${word}=1&${word}=2`, undefined],
      ["GET", "/books?__proto__=1", undefined],
      ["POST", "/books", { title: "x", [name]: 1 }],
    ] as const) {
      const answer = await lab.ask(method, path, { body });
      assert.equal(answer.status, 400, path);
      assert.ok(answer.text.length < 400, answer.text);
    }
  });

  for (const [what, head, status] of [
    ["a Host that is not this machine", "GET /api/v1/books HTTP/1.1\r\nHost: attacker.test\r\n\r\n", 403],
    ["an allowed Host with a port", "GET /api/v1/llms.txt HTTP/1.1\r\nHost: localhost:99\r\n\r\n", 200],
    ["no Host", "GET /api/v1/books HTTP/1.0\r\n\r\n", 403],
    ["a method that HTTP does not know", "FROB /api/v1/books HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    ["what is not HTTP", "hello\r\n\r\n", 400],
    ["an address that is none", "GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    ["an address of this machine", "GET http://localhost/api/v1/llms.txt HTTP/1.1\r\nHost: x\r\n\r\n", 200],
    [
      "an address of another machine",
      "GET http://x/api/v1/llms.txt HTTP/1.1\r\nHost: localhost\r\n\r\n",
      403,
    ],
    ["headers without end", `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ] as const) {
    it(`${what} is ${status}, in JSON`, async () => {
      const text = await raw(new URL(lab.url).port, head);
      assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `));
      if (status >= 400) assert.match(text, /\r\n\r\n.*"error":"/s);
    });
  }

  it("more than ten failed keys a minute are 429, while a valid key is never limited", async (t) => {
    const own = await serve(t);
    for (let count = 0; count < 10; count++) {
      assert.equal((await own.ask("GET", "/books", { key: `msk_x_${count}` })).status, 401);
    }
    const limited = await own.ask("GET", "/books", { key: "msk_x_11" });
    assert.deepEqual([limited.status, limited.body.error], [429, "rate_limited"]);
    assert.ok(Number(limited.headers.get("retry-after")) >= 1);
    assert.equal((await own.ask("GET", "/books")).status, 200);
  });
});

function raw(port: string, head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(head));
    let text = "";
    socket.setTimeout(2000, () => socket.end());
    socket.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\r\n\r\n")) setTimeout(() => socket.end(), 20);
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
}
