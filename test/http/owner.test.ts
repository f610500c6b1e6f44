import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { guide } from "../../src/contract/guide.ts";
import { ownerEndpoints } from "../../src/contract/index.ts";
import { openapi } from "../../src/contract/openapi.ts";
import { callOnce } from "../../src/http/server.ts";
import type { WorkerLike } from "../../src/http/worker.ts";
import { announceServer, readServer } from "../../src/service/account/sign-in.ts";
import { diagnose } from "../../src/service/health/doctor.ts";
import { VERSIONS } from "../../src/store/file/migrate.ts";
import { OWNER_HANDLERS } from "../../src/web/owner-handlers.ts";
import { leaveFree } from "../cli/leave-free.ts";
import { del, ins, r } from "../files/layouts/word/docx.ts";
import { secondWriter, serve, signedIn } from "../support/client.ts";

/** A worker without any work. */
const IDLE: WorkerLike = {
  answer: () => Promise.reject(new Error("nothing here is expensive")),
  restart: async () => {},
  close: async () => {},
};

describe("the owner's rows", () => {
  it("are refused to every API key, in words, and to nobody at all", async (t) => {
    const lab = await serve(t);
    for (const { method, path } of ownerEndpoints.filter(({ tier }) => tier === "owner")) {
      const at = path.replace(/\{\w+\}/g, "x_none");
      const refused = await lab.ask(method, at, { body: method === "GET" ? undefined : {} });
      assert.deepEqual([refused.status, refused.body.error], [403, "category_disabled"], `${method} ${path}`);
      assert.match(refused.body.message, /owner alone.*manuscript open/);
      assert.equal((await lab.ask(method, at, { key: null })).status, 401);
    }
  });

  it("stand in no document, and each has its operation", () => {
    const base = "http://127.0.0.1/api/v1";
    const documents = JSON.stringify(openapi(base)) + guide(base);
    assert.doesNotMatch(documents, /\/owner|\/session|mss_/);
    assert.deepEqual(ownerEndpoints.map(({ id }) => id).sort(), Object.keys(OWNER_HANDLERS).sort());
  });

  it("answer the owner's own command, which has no session", async (t) => {
    const lab = await serve(t);
    const ask = (method: string, path: string) =>
      callOnce(lab.manuscript, { method, path, headers: {} }).then(({ status }) => status);
    assert.equal(await ask("GET", "/owner/keys"), 200);
    assert.equal(await ask("GET", "/owner/sessions"), 200);
    assert.equal(await ask("DELETE", "/session"), 404);
  });
});

describe("keys", () => {
  it("are made, listed and revoked; the key is shown once", async (t) => {
    const { ask } = await signedIn(await serve(t));
    const expiresAt = "2030-01-01T00:00:00.000Z";
    const made = await ask("POST", "/owner/keys", { body: { name: "bot", allow: ["read"], expiresAt } });
    assert.deepEqual([made.status, made.body.allow, made.body.expiresAt], [201, ["read"], expiresAt]);
    assert.equal((await ask("GET", "/books", { key: made.body.key })).status, 200);
    const refused = await ask("POST", "/books", { key: made.body.key, body: { title: "x" } });
    assert.equal(refused.body.error, "category_disabled");
    const { body } = await ask("GET", "/owner/keys");
    assert.deepEqual([body.total, body.keys[1].name, body.keys[1].key], [2, "bot", undefined]);
    const revoked = await ask("DELETE", `/owner/keys/${made.body.id}`);
    assert.ok(revoked.body.revokedAt);
    assert.equal((await ask("GET", "/books", { key: made.body.key })).status, 401);
    assert.equal((await ask("DELETE", `/owner/keys/${made.body.id}`)).status, 404);
  });

  it("that cannot be are refused, and none is made", async (t) => {
    const { ask } = await signedIn(await serve(t));
    for (const body of [
      { allow: [] },
      { allow: ["all"] },
      { name: "\u0000" },
      { name: "x".repeat(201) },
      { name: "a\nb" },
      { expiresAt: "2020-01-01T00:00:00.000Z" },
      { expiresAt: "tomorrow" },
      { title: "x" },
    ])
      assert.equal((await ask("POST", "/owner/keys", { body })).status, 400, JSON.stringify(body));
    assert.equal((await ask("GET", "/owner/keys")).body.total, 1);
  });
});

describe("the account", () => {
  it("is shown and changed, also while no subscription runs", async (t) => {
    const { ask } = await signedIn(await serve(t));
    const change = { subscription: false, until: "2030-01-31", allowance: 5, credits: 7 };
    const { body } = await ask("PATCH", "/owner/account", { body: change });
    assert.deepEqual(body.subscription, { active: false, until: "2030-01-31" });
    assert.deepEqual([body.allowance.perMonth, body.credits], [5, 7]);
    assert.equal((await ask("POST", "/books", { body: { title: "x" } })).body.error, "subscription_required");
    await ask("PATCH", "/owner/account", { body: { subscription: true, until: null, allowance: null } });
    assert.equal((await ask("POST", "/books", { body: { title: "x" } })).status, 201);
    assert.deepEqual((await ask("GET", "/owner/account")).body.allowance.perMonth, null);
  });

  it("names the language model, with consent where prose would leave", async (t) => {
    const { ask } = await signedIn(await serve(t));
    const set = (llm: unknown) => ask("PATCH", "/owner/account", { body: { llm } });
    const { body } = await set({ url: "http://127.0.0.1:11434/v1", model: "llama3.1:8b" });
    assert.deepEqual([body.llm.model, body.llm.remote, body.llm.timeoutSeconds], ["llama3.1:8b", false, 120]);
    const remote = { url: "https://models.example/v1" };
    assert.match((await set(remote)).body.message, /your prose would be sent there/);
    assert.equal((await set({ ...remote, allowRemote: true })).body.llm.remote, true);
    assert.equal((await set({ url: "ftp://x" })).status, 400);
    assert.equal((await set(null)).body.llm, null);
    for (const none of [{}, { llm: {} }, { llm: 1 }, { credits: -1 }, { until: "2027-02-30" }])
      assert.equal((await ask("PATCH", "/owner/account", { body: none })).status, 400, JSON.stringify(none));
  });
});

describe("the file", () => {
  it("tells where it is and how large", async (t) => {
    const lab = await serve(t);
    const { body } = await (await signedIn(lab)).ask("GET", "/owner/file");
    assert.equal(body.versions.node, process.versions.node);
    assert.match(body.versions.manuscript, /^\d+\.\d+\.\d+$/);
    assert.equal(body.file, lab.manuscript.store.path);
    assert.ok(body.bytes > 0 && body.freeBytes > 0 && body.logBytes >= 0);
    assert.ok(body.historyBytes > 0 && body.historyBytes < body.bytes && body.unusedBytes >= 0);
    assert.deepEqual([body.format, body.refusal], [VERSIONS.length, null]);
  });
});

describe("the ledger", () => {
  it("lists calls and credits, newest first, by pages", async (t) => {
    const lab = await serve(t);
    const { ask } = await signedIn(lab);
    await ask("PATCH", "/owner/account", { body: { allowance: 1, credits: 5 } });
    for (const call of ["detect", "check"]) await ask("POST", `/chapters/${lab.sample.chapterId}/${call}`);
    const { body } = await ask("GET", "/owner/ledger");
    const told = body.entries.map((entry: Record<string, unknown>) => [
      entry.kind,
      entry.operation,
      entry.state,
      entry.fromAllowance,
      entry.fromCredits,
    ]);
    assert.deepEqual(told, [
      ["call", "checkConsistency", "charged", 0, 1],
      ["call", "detectMentions", "charged", 1, 0],
      ["grant", null, null, 0, -5],
    ]);
    assert.equal(body.entries[0].chapterId, lab.sample.chapterId);
    assert.ok(body.entries[0].chapterTitle);
    const second = await ask("GET", `/owner/ledger?limit=1&before=${body.entries[0].number}`);
    assert.deepEqual(second.body, { entries: [body.entries[1]], total: 3 });
    assert.equal((await ask("GET", "/owner/ledger?limit=0")).status, 400);
  });
});

describe("the engine", () => {
  it("is named and tried; a model that does not answer is told so", async (t) => {
    const { ask } = await signedIn(await serve(t));
    assert.deepEqual((await ask("GET", "/owner/engine")).body, { engine: "embedded", llm: null });
    const { body } = await ask("POST", "/owner/engine/test");
    assert.deepEqual([body.engine, body.ok, body.failure], ["embedded", true, null]);
    const asked: string[] = [];
    const model = createServer((request, response) => {
      request.on("data", (chunk) => asked.push(String(chunk)));
      request.on("end", () => response.writeHead(500).end("{}"));
    });
    await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
    t.after(() => model.close());
    const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
    await ask("PATCH", "/owner/account", { body: { llm: { url, model: "m" } } });
    assert.equal((await ask("GET", "/owner/engine")).body.engine, "llm/m");
    for (const tries of [1, 2]) {
      const failed = (await ask("POST", "/owner/engine/test")).body;
      assert.deepEqual([failed.engine, failed.ok, typeof failed.failure], ["embedded", false, "string"]);
      assert.ok(asked.length >= tries, "each test asks the model");
    }
    assert.match(asked.join(""), /ferry/);
    assert.equal((await ask("GET", "/owner/ledger")).body.total, 0);
  });
});

describe("the file's state", () => {
  it("is looked through as the doctor does", async (t) => {
    const { ask } = await signedIn(await serve(t));
    const { body } = await ask("POST", "/owner/file/check");
    assert.ok(body.checks.some(({ name }: { name: string }) => name === "integrity"));
    assert.ok(body.checks.every(({ status }: { status: string }) => status !== "fail"));
  });
});

describe("copies", () => {
  it("are made, listed and put back, while the server has the file", async (t) => {
    let letGo = 0;
    const worker = { ...IDLE, restart: async () => void letGo++ };
    const lab = await serve(t, { worker }, { reader: null });
    const page = await signedIn(lab);
    const { ask } = page;
    announceServer(lab.manuscript, lab.url);
    const made = await ask("POST", "/owner/backups");
    assert.equal(made.body.isNew, true);
    const later = (await ask("POST", "/books", { body: { title: "Later" } })).body.id;
    const { body } = await ask("GET", "/owner/backups");
    assert.deepEqual(
      body.copies.map(({ path, kind }: Record<string, string>) => [path, kind]),
      [[made.body.copy, "by hand"]],
    );
    const copy = made.body.copy;
    const plan = await ask("POST", "/owner/backups/restore?dryRun=1", { body: { copy } });
    assert.deepEqual([plan.body.written, plan.body.books, plan.body.before.books], [false, 1, 2]);
    assert.equal((await ask("GET", `/books/${later}`)).status, 200);
    const { status, body: restored } = await ask("POST", "/owner/backups/restore", { body: { copy } });
    assert.deepEqual([status, restored.written, restored.books, restored.before.books], [200, true, 1, 2]);
    assert.equal((await ask("GET", `/books/${later}`)).status, 404);
    assert.equal((await lab.ask("POST", "/books", { body: { title: "After" } })).status, 201, "keys go on");
    assert.equal(readServer(lab.manuscript)?.url, lab.url);
    assert.equal(letGo, 2);
    const back = await ask("POST", "/owner/backups/restore", { body: { copy: restored.aside } });
    assert.equal(back.body.books, 2);
    assert.equal((await ask("GET", `/books/${later}`)).status, 200);
  });

  it("that are none, or of another manuscript, are not put back", async (t) => {
    const lab = await serve(t);
    const { ask } = await signedIn(lab);
    const other = secondWriter(t).manuscript.store.path;
    const { folder } = (await ask("GET", "/owner/backups")).body;
    mkdirSync(folder);
    const copy = join(folder, "test-2026-01-01T00-00-00Z.backup");
    copyFileSync(other, copy);
    for (const [body, status] of [
      [{ copy: other }, 404],
      [{ copy: "../test.manuscript" }, 404],
      [{ copy }, 400],
      [{}, 400],
    ] as const)
      assert.equal((await ask("POST", "/owner/backups/restore", { body })).status, status);
    writeFileSync(copy, "no manuscript");
    assert.equal((await ask("POST", "/owner/backups/restore", { body: { copy } })).status, 503);
    assert.equal((await ask("GET", "/books")).body.total, 1);
  });
});

describe("a compaction", () => {
  it("is shown first, and then gives back free pages while the server goes on", async (t) => {
    let letGo = 0;
    const lab = await serve(t, { worker: { ...IDLE, restart: async () => void letGo++ } });
    const { ask } = await signedIn(lab);
    const { path } = lab.manuscript.store;
    leaveFree(path);
    const { unusedBytes } = (await ask("GET", "/owner/file")).body;
    assert.ok(unusedBytes > 1_000_000);
    lab.manuscript.store.checkpoint();
    const whole = readFileSync(path);
    const plan = await ask("POST", "/owner/file/compact?dryRun=1", { body: {} });
    assert.deepEqual([plan.status, plan.body.written, plan.body.aside, letGo], [200, false, null, 0]);
    assert.deepEqual([plan.body.before.unusedBytes, plan.body.after.unusedBytes], [unusedBytes, 0]);
    assert.deepEqual(readFileSync(path), whole);
    const { status, body } = await ask("POST", "/owner/file/compact", { body: {} });
    assert.deepEqual([status, body.written, body.after], [200, true, plan.body.after]);
    const PAGE_BYTES = 4096; // the first has the mode of the log, which the file set aside has no more
    assert.deepEqual(readFileSync(body.aside).subarray(PAGE_BYTES), whole.subarray(PAGE_BYTES));
    assert.deepEqual([statSync(path).size, letGo], [body.after.bytes, 2]);
    assert.equal((await lab.ask("POST", "/books", { body: { title: "After" } })).status, 201, "keys go on");
    assert.equal((await ask("POST", "/owner/file/compact")).body.written, false, "nothing is left to give");
    assertSound(path);
    assert.deepEqual(partsBeside(path), []);
  });

  it("is refused where something was written since the copy, and loses nothing", async (t) => {
    const lab = await serve(t, { worker: { ...IDLE, restart: () => save() } });
    const { ask } = await signedIn(lab);
    const save = async () => void (await lab.ask("POST", "/books", { body: { title: "Meanwhile" } }));
    const { path } = lab.manuscript.store;
    leaveFree(path);
    const { ino } = statSync(path);
    const refused = await ask("POST", "/owner/file/compact", { body: {} });
    assert.equal(refused.status, 503);
    assert.match(refused.body.message, /was written while it was copied\. Nothing was changed/);
    const { books } = (await ask("GET", "/books")).body;
    assert.ok(books.some(({ title }: { title: string }) => title === "Meanwhile"));
    assert.equal((await lab.ask("POST", "/books", { body: { title: "After" } })).status, 201);
    assert.equal(statSync(path).ino, ino);
    assert.deepEqual(partsBeside(path), []);
  });

  it("folds the saves of old sittings, but not of the last days", async (t) => {
    let now = Date.UTC(2026, 4, 3, 12);
    const lab = await serve(t, {}, { clock: () => now });
    const { ask } = await signedIn(lab);
    const at = `/chapters/${lab.sample.chapterId}/paragraphs/${lab.sample.blockId}`;
    for (const markdown of ["One.", "One two.", "One two three."])
      await ask("PATCH", at, { body: { markdown } });
    const recent = await ask("POST", "/owner/file/compact", { body: { olderThan: "2026-05-04" } });
    assert.deepEqual([recent.status, recent.body.error], [409, "would_lose"]);
    for (const body of [{ keep: "days" }, { olderThan: "1y" }, { olderThan: "2026-01-01", keep: "weeks" }])
      assert.equal((await ask("POST", "/owner/file/compact", { body })).status, 400);
    now += 400 * 86_400_000;
    const page = await signedIn(lab);
    const { body } = await page.ask("POST", "/owner/file/compact", { body: { olderThan: "2026-05-04" } });
    assert.deepEqual([body.written, body.before.saves - body.after.saves], [true, 2]);
    const { revisions } = (await page.ask("GET", `/chapters/${lab.sample.chapterId}/revisions`)).body;
    const { act } = revisions.at(-1);
    assert.equal((await page.ask("POST", `/acts/${act}/undo`)).status, 200);
    assertSound(lab.manuscript.store.path);
  });
});

function assertSound(path: string): void {
  assert.deepEqual(
    diagnose(path).checks.filter(({ status }) => status === "fail"),
    [],
  );
}

/** What a compaction has left in the file's folder. */
function partsBeside(path: string): string[] {
  return readdirSync(dirname(path)).filter((name) => name.endsWith(".part"));
}

describe("an import", () => {
  const files = [
    { path: "salt/01-one.md", text: "# One\n\nThe ferry left.\n" },
    { path: "salt/02-two.md", base64: Buffer.from("# Two\n\nNobody saw it.\n").toString("base64") },
    { path: "salt/cover.png", base64: "AAAA" },
  ];

  it("is planned and done, as one act, and leaves no file behind", async (t) => {
    const { ask } = await signedIn(await serve(t));
    const before = leftovers();
    const plan = await ask("POST", "/owner/import?dryRun=1", { body: { files } });
    assert.equal(plan.status, 200, plan.text);
    assert.deepEqual([plan.body.title, plan.body.layout, plan.body.act], ["salt", "folder", null]);
    assert.equal((await ask("GET", "/books")).body.total, 1);
    const { body } = await ask("POST", "/owner/import", { body: { files } });
    assert.deepEqual(
      body.chapters.map(({ title }: { title: string }) => title),
      ["One", "Two"],
    );
    assert.deepEqual(body.skipped, [{ file: "cover.png", reason: "not Markdown" }]);
    const changed = [{ path: "01-one.md", text: "# One\n\nThe ferry left early.\n" }];
    const again = await ask("POST", "/owner/import", { body: { files: changed, bookId: body.bookId } });
    assert.equal(again.status, 200, again.text);
    await ask("POST", `/acts/${again.body.act}/undo`);
    assert.equal((await ask("POST", `/acts/${body.act}/undo`)).status, 200);
    assert.equal((await ask("GET", "/books")).body.total, 1);
    assert.deepEqual(leftovers(), before);
  });

  it("under an Idempotency-Key is done once", async (t) => {
    const { ask } = await signedIn(await serve(t));
    const headers = { "Idempotency-Key": "one import" };
    const first = await ask("POST", "/owner/import", { body: { files }, headers });
    const again = await ask("POST", "/owner/import", { body: { files }, headers });
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    assert.equal((await ask("GET", "/books")).body.total, 2);
    const other = await ask("POST", "/owner/import", { body: { files: files.slice(1) }, headers });
    assert.equal(other.status, 409);
    const keys = await Promise.all(
      [1, 2].map(() => ask("POST", "/owner/keys", { body: {}, headers: { "Idempotency-Key": "key" } })),
    );
    assert.notEqual(keys[0]?.body.key, keys[1]?.body.key, "a key's answer is kept nowhere");
  });

  it("takes one file, and cuts it", async (t) => {
    const { ask } = await signedIn(await serve(t));
    const one = [{ path: "whole.md", text: "## A\n\nFirst.\n\n## B\n\nSecond.\n" }];
    const { body } = await ask("POST", "/owner/import", { body: { files: one, split: 2, title: "Whole" } });
    assert.deepEqual([body.title, body.chapters.length], ["Whole", 2]);
  });

  it("of a Word document that comes back, its tracked changes are proposed, accepted or rejected", async (t) => {
    const lab = await serve(t);
    const { ask } = await signedIn(lab);
    const { chapterId } = lab.sample;
    await ask("PUT", `/chapters/${chapterId}/prose`, { body: { markdown: "The lamp went out at nine.\n" } });
    const sent = await fetch(`${lab.base}/books/${lab.sample.bookId}/export?format=docx`, {
      headers: { Authorization: `Bearer ${lab.key}` },
    });
    const parts = unzipSync(new Uint8Array(await sent.arrayBuffer()));
    const document = "word/document.xml";
    const tracked = r("The lamp went out at ") + del("nine") + ins("ten") + r(".");
    const whole = /<w:r>(?:<w:rPr>.*?<\/w:rPr>)?<w:t[^>]*>The lamp went out at nine\.<\/w:t><\/w:r>/;
    parts[document] = strToU8(strFromU8(parts[document]!).replace(whole, tracked)); // every document has it
    const files = [{ path: "Salt.docx", base64: Buffer.from(zipSync(parts)).toString("base64") }];
    for (const [changes, edits, status] of [
      [undefined, 1, "same"],
      ["propose", 1, "same"],
      ["reject", undefined, "same"],
      ["accept", undefined, "updated"],
    ] as const) {
      const { body } = await ask("POST", "/owner/import?dryRun=1", { body: { files, changes } });
      const chapter = body.chapters.find(({ id }: { id: string }) => id === chapterId);
      assert.deepEqual(
        [body.bookId, body.proposals[0]?.edits, chapter.status],
        [lab.sample.bookId, edits, status],
      );
    }
    const { body } = await ask("POST", "/owner/import", { body: { files, changes: "accept" } });
    const read = await ask("GET", `/chapters/${chapterId}?format=markdown`);
    assert.match(read.text, /out at ten\./);
    assert.equal((await ask("POST", `/acts/${body.act}/undo`)).status, 200);
  });

  it("of readers' comments puts each on its paragraph, once, and undoes them together", async (t) => {
    const lab = await serve(t);
    const { ask } = await signedIn(lab);
    const { bookId, chapterId, blockId } = lab.sample;
    const saved = (reader: string, book = bookId) => ({
      path: `${reader}.comments.json`,
      text: JSON.stringify({
        ...{ manuscriptReview: 1, title: "x", bookId: book, reader },
        comments: [{ chapterId, blockId, quote: "", text: "Lovely" }],
      }),
    });
    const files = [saved("Ida"), saved("Tom")];
    const { total } = (await ask("GET", `/books/${bookId}/snippets`)).body;
    const plan = (await ask("POST", "/owner/import?dryRun=1", { body: { files } })).body;
    assert.deepEqual([plan.layout, plan.why, plan.act, plan.notes.length], ["comments", "Ida, Tom", null, 2]);
    const headers = { "Idempotency-Key": "comments" };
    const { body } = await ask("POST", "/owner/import", { body: { files }, headers });
    assert.deepEqual((await ask("POST", "/owner/import", { body: { files }, headers })).body, body);
    const { snippets } = (await ask("GET", `/books/${bookId}/snippets`)).body;
    const made = snippets.filter(({ text }: { text: string }) => text === "Lovely");
    assert.deepEqual(
      made.map((note: { blockId: string; author: string }) => [note.blockId, note.author]).sort(),
      [
        [blockId, "Ida"],
        [blockId, "Tom"],
      ],
    );
    assert.equal((await ask("POST", "/owner/import", { body: { files } })).body.act, null);
    await ask("POST", `/acts/${body.act}/undo`);
    assert.equal((await ask("GET", `/books/${bookId}/snippets`)).body.total, total);
    for (const refused of [
      { files: [saved("Ida", "bk_none")] },
      { files: [saved("Ida"), saved("Tom", "bk_none")] },
      { files, title: "T" },
      { files: [{ ...saved("Ida"), text: saved("Ida").text.slice(0, -3) }] },
    ])
      assert.equal((await ask("POST", "/owner/import", { body: refused })).status, 400);
    const named = { files: [saved("Ida", "bk_none")], bookId };
    assert.equal((await ask("POST", "/owner/import?dryRun=1", { body: named })).body.bookId, bookId);
  });

  it("of what leads out of its folder, or cannot be read, changes nothing and names no folder of ours", async (t) => {
    const { ask } = await signedIn(await serve(t));
    const before = leftovers();
    const text = "# One\n\nText.\n";
    const given = (...paths: string[]) => ({ files: paths.map((path) => ({ path, text })) });
    for (const body of [
      given("../x.md"),
      given("/etc/x.md"),
      given("a/../../x.md"),
      given("a\\..\\x.md"),
      given("C:/x.md"),
      given("a//x.md"),
      given("."),
      given("x.md", "X.md"),
      given("x.md", "x.md/y.md"),
      given(`${"x".repeat(300)}.md`),
      given(),
      { files: [{ path: "x.md", base64: "%%" }] },
      { files: [{ path: "x.md", base64: "/w==" }] },
      { files: [{ path: "x.md", text: "" }] },
      { ...given("x.md"), layout: "poem" },
      { ...given("x.md"), layout: "longform" },
      { files: [{ path: "ferry.yw7", text: "<YWRITER7></YWRITER7>" }] },
      { files: [{ path: "plan.json", text: '{"nodes": []}' }] },
      { ...given("x.md"), title: "T", bookId: "bk_none" },
      { ...given("x.md", "y.md"), split: 2 },
    ]) {
      const refused = await ask("POST", "/owner/import", { body });
      assert.equal(refused.status, 400, `${JSON.stringify(body)}: ${refused.text}`);
      assert.doesNotMatch(refused.text, /manuscript-import-/);
    }
    assert.equal(
      (await ask("POST", "/owner/import", { body: { ...given("x.md"), bookId: "bk_x" } })).status,
      404,
    );
    assert.equal((await ask("GET", "/books")).body.total, 1);
    assert.deepEqual(leftovers(), before);
  });
});

it("the sample is added as a book", async (t) => {
  const { ask } = await signedIn(await serve(t));
  const { body } = await ask("POST", "/owner/sample");
  assert.equal((await ask("GET", `/books/${body.bookId}`)).body.chapters.length, 14);
});

function leftovers(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith("manuscript-import-"));
}
