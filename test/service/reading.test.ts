import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { hostname } from "node:os";
import { describe, it } from "node:test";
import type { Reader } from "../../src/ai/reader.ts";
import { changeAccount, readAccount } from "../../src/service/account/account.ts";
import { draftSynopsis } from "../../src/service/ai/metered-call.ts";
import { createFact } from "../../src/service/annotations/facts.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { type Manuscript, openManuscript } from "../../src/service/manuscript.ts";
import { replaceProse } from "../../src/service/prose/replace-prose.ts";
import { enterHold, listOpenHolds } from "../../src/store/rows/ledger.ts";
import { type Lab, serve } from "../support/client.ts";
import { firstSaid } from "../support/first-said.ts";
import { OWNER, writeSample } from "../support/sample.ts";
import { manuscript, ticking } from "../support/sandbox.ts";

/** An engine that answers what it is told to; `answer` may take its time. */
function engine(answer: () => string | Promise<string>): Reader {
  return {
    engine: "test",
    synopsis: async ({ title }) => `${await answer()} ${title}`,
    detect: async ({ blocks }, { cast }) => [
      {
        id: "p1",
        type: "mention",
        factId: cast[0]?.id ?? null,
        name: cast[0]?.name ?? "",
        kind: "character",
        confidence: 0.9,
        reason: await answer(),
        occurrences: [
          { blockId: blocks[0]?.blockId ?? "", from: 0, to: 3, text: blocks[0]?.text.slice(0, 3) ?? "" },
        ],
      },
    ],
    check: async () => [],
  };
}

/** Every entry of the ledger: what it is, and what it takes. */
function ledger({ store }: Manuscript): string[] {
  const rows = store.all<{ kind: string; a: number; c: number }>(
    "SELECT kind, from_allowance AS a, from_credits AS c FROM ledger ORDER BY seq",
  );
  return rows.map(({ kind, a, c }) => `${kind} ${a} ${c}`);
}

const costOf = ({ headers }: { headers: Headers }) => headers.get("x-credits-cost");

describe("the AI tier", () => {
  it("answers through the engine, in the contract's shapes, at the price of the chapter's words", async (t) => {
    const lab = await serve(t);
    Object.assign(lab.manuscript, { reader: engine(() => "About") });
    changeAccount(lab.manuscript, { allowance: 1, credits: 2 });
    const path = `/chapters/${lab.sample.chapterId}`;
    const synopsis = await lab.ask("POST", `${path}/synopsis`);
    assert.deepEqual(synopsis.body, { synopsis: "About The Ferry" });
    assert.deepEqual(
      ["cost", "remaining"].map((name) => synopsis.headers.get(`x-credits-${name}`)),
      ["1", "2"],
    );
    assert.equal(synopsis.headers.get("x-ai-engine"), "test");
    assert.equal((await lab.ask("POST", `${path}/detect`)).body.proposals[0].name, "Mara");
    assert.deepEqual((await lab.ask("POST", `${path}/check`)).body.findings, []);
    const short = await lab.ask("POST", `/chapters/${lab.sample.otherChapterId}/check`);
    assert.deepEqual([short.status, short.body.required, short.body.available], [402, 1, 0]);
    assert.deepEqual(readAccount(lab.manuscript).allowance, { perMonth: 1, used: 1 });
    assert.equal(readAccount(lab.manuscript).credits, 0);
    assert.deepEqual(ledger(lab.manuscript), [
      "grant 0 -2",
      ...["hold 1 0", "settle 0 0", "hold 0 1", "settle 0 0", "hold 0 1", "settle 0 0"],
    ]);
  });

  it("gives the price back where the engine fails", async (t) => {
    const lab = await serve(t, { write: () => {} });
    const broken = engine(() => {
      throw new Error("the engine broke");
    });
    Object.assign(lab.manuscript, { reader: broken });
    changeAccount(lab.manuscript, { allowance: 0, credits: 5 });
    const failed = await lab.ask("POST", `/chapters/${lab.sample.chapterId}/synopsis`);
    assert.deepEqual([failed.status, failed.body.error], [500, "internal"]);
    assert.doesNotMatch(failed.text, /the engine broke/);
    assert.equal(readAccount(lab.manuscript).credits, 5);
    assert.deepEqual(ledger(lab.manuscript), ["grant 0 -5", "hold 0 1", "refund 0 -1"]);
  });

  it("counts the allowance only while the subscription is active", async (t) => {
    const lab = await serve(t);
    Object.assign(lab.manuscript, { reader: engine(() => "About") });
    changeAccount(lab.manuscript, { subscription: false, allowance: 100, credits: 1 });
    const ask = (id: string) => lab.ask("POST", `/chapters/${id}/synopsis`);
    assert.equal((await ask(lab.sample.chapterId)).status, 200);
    assert.equal((await ask(lab.sample.otherChapterId)).status, 402);
  });

  it("begins a new allowance with the calendar month; the old one is not kept", async (t) => {
    let now = new Date(2026, 2, 31, 23).getTime();
    const own = manuscript(t, { clock: () => now, reader: engine(() => "About") });
    const { chapterId, otherChapterId } = writeSample(own);
    changeAccount(own, { allowance: 1 });
    await draftSynopsis(own, chapterId);
    await assert.rejects(draftSynopsis(own, otherChapterId), { code: "insufficient_credits" });
    now = new Date(2026, 3, 1, 1).getTime();
    assert.deepEqual(readAccount(own).allowance, { perMonth: 1, used: 0 });
    assert.equal((await draftSynopsis(own, otherChapterId)).spent.remaining, 0);
  });

  it("costs nothing again while chapter, cast and engine are the same, and is never stale", async (t) => {
    const lab = await serve(t);
    let asked = 0;
    Object.assign(lab.manuscript, { reader: engine(() => `Answer ${++asked} about`) });
    changeAccount(lab.manuscript, { allowance: 0, credits: 10 });
    const ask = () => lab.ask("POST", `/chapters/${lab.sample.chapterId}/synopsis`);
    const cost = async () => costOf(await ask());
    assert.equal(await cost(), "1");
    const again = await ask();
    assert.deepEqual([costOf(again), again.headers.get("x-credits-remaining"), asked], ["0", "9", 1]);
    const markdown = "# The Lamp\n\nTobit lit it.\n";
    replaceProse(lab.manuscript, lab.sample.otherChapterId, { markdown }, OWNER);
    assert.deepEqual([await cost(), asked], ["0", 2], "another chapter: free, and asked anew");
    createFact(lab.manuscript, lab.sample.bookId, { name: "Bell" }, OWNER);
    assert.equal(await cost(), "1");
    replaceProse(lab.manuscript, lab.sample.chapterId, { markdown }, OWNER);
    assert.equal(await cost(), "1");
    changeAccount(lab.manuscript, { credits: 0 });
    assert.equal(await cost(), "0", "what is paid for is answered with nothing left");
  });

  it("answers an empty chapter with nothing, for nothing", async (t) => {
    const lab = await serve(t);
    Object.assign(lab.manuscript, { reader: engine(() => assert.fail("the engine was asked")) });
    changeAccount(lab.manuscript, { allowance: 0 });
    const { id } = createChapter(
      lab.manuscript,
      lab.sample.bookId,
      { title: "Empty", markdown: "* * *\n" },
      OWNER,
    );
    const answers = [];
    for (const operation of ["synopsis", "detect", "check"]) {
      const answer = await lab.ask("POST", `/chapters/${id}/${operation}`);
      assert.equal(costOf(answer), "0");
      answers.push(answer.body.synopsis ?? answer.body.proposals ?? answer.body.findings);
    }
    assert.deepEqual(answers, ["", [], []]);
  });
});

describe("credits", { timeout: 600_000 }, () => {
  it("N calls at once with credit for k are k times 200, and 402 for the others", async (t) => {
    const lab = await serve(t);
    const { go, reader } = held();
    Object.assign(lab.manuscript, { reader });
    changeAccount(lab.manuscript, { allowance: 3, credits: 4 });
    const ids = Array.from({ length: 20 }, (_, index) => newChapter(lab, `Chapter ${index}`));
    const asked = ids.map((id) => lab.ask("POST", `/chapters/${id}/synopsis`));
    const refused = await Promise.race(asked);
    assert.equal(refused.status, 402, "seven are at work and none is answered");
    assert.deepEqual([refused.body.required, refused.body.available], [1, 0]);
    go();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 7);
    assert.equal(statuses.filter((status) => status === 402).length, 13);
    assert.deepEqual(
      [readAccount(lab.manuscript).credits, readAccount(lab.manuscript).allowance.used],
      [0, 3],
    );
  });

  it("a client that leaves before the answer pays nothing", async (t) => {
    let closed = () => {};
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const lab = await serve(t, { log: "line", write: closed });
    const { go, started, reader } = held();
    Object.assign(lab.manuscript, { reader });
    changeAccount(lab.manuscript, { allowance: 0, credits: 1 });
    const url = `${lab.base}/chapters/${lab.sample.chapterId}/synopsis`;
    const headers = { Authorization: `Bearer ${lab.key}` };
    const asking = request(url, { method: "POST", headers, agent: false }).on("error", () => {});
    asking.end();
    await started;
    assert.equal(readAccount(lab.manuscript).credits, 0);
    asking.destroy();
    await isClosed; // the server has noticed
    go();
    while (listOpenHolds(lab.manuscript.store).length > 0) await new Promise(setImmediate);
    assert.equal(readAccount(lab.manuscript).credits, 1);
  });

  it("kill -9 between hold and settle gives the price back when the account is next looked at, and not before", async (t) => {
    const own = manuscript(t);
    const { chapterId } = writeSample(own);
    changeAccount(own, { allowance: 0, credits: 3 });
    const script = `
      const { openManuscript } = await import(${JSON.stringify(import.meta.resolve("../../src/service/manuscript.ts"))});
      const { draftSynopsis } = await import(${JSON.stringify(import.meta.resolve("../../src/service/ai/metered-call.ts"))});
      const synopsis = () => new Promise(() => process.stdout.write("held"));
      const m = openManuscript(process.argv[1], { clock: () => Number(process.argv[3]), reader: { engine: "test", synopsis } });
      setInterval(() => {}, 1000);
      await draftSynopsis(m, process.argv[2]);`;
    const now = String(own.store.clock());
    const args = ["--import", "tsx", "--input-type=module", "-e", script, own.store.path, chapterId, now];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => child.kill("SIGKILL"));
    const credits = () => {
      const opened = openManuscript(own.store.path, { clock: own.store.clock });
      try {
        return readAccount(opened).credits;
      } finally {
        opened.close();
      }
    };
    await firstSaid(child);
    assert.equal(credits(), 2, "a living process works on it");
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.equal(credits(), 3);
    assert.deepEqual(ledger(own), ["grant 0 -3", "hold 0 1", "refund 0 -1"]);
    assert.deepEqual(listOpenHolds(own.store), []);
  });

  it("a server that stays open gives it back when credit is next asked for", async (t) => {
    const own = manuscript(t, { reader: engine(() => "About") });
    const { chapterId } = writeSample(own);
    changeAccount(own, { allowance: 0, credits: 1 });
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const at = own.store.clock();
    const call = { id: "call_dead", operation: "draftSynopsis", chapterId, words: 9, engine: "test" };
    const drawn = { month: "2026-03", fromAllowance: 0, fromCredits: 1 };
    const worker = { machine: hostname(), pid, started: at, until: at + 3_600_000 };
    const elsewhere = { ...worker, machine: "elsewhere" };
    own.store.setAside(() => enterHold(own.store, { at, call, drawn, worker: elsewhere }));
    await assert.rejects(draftSynopsis(own, chapterId), { code: "insufficient_credits" });
    own.store.setAside(() => own.store.run("UPDATE holds SET machine = ?", worker.machine));
    assert.deepEqual((await draftSynopsis(own, chapterId)).spent, { cost: 1, remaining: 0 });
    assert.deepEqual(ledger(own).slice(1), ["hold 0 1", "refund 0 -1", "hold 0 1", "settle 0 0"]);
  });

  it("a hold whose time is over is given back, and the answer that comes after all is free", async (t) => {
    const clock = ticking();
    let later = 0;
    const { go, started, reader } = held();
    const own = manuscript(t, { clock: () => clock() + later, reader });
    const { chapterId } = writeSample(own);
    changeAccount(own, { allowance: 0, credits: 1 });
    const asked = draftSynopsis(own, chapterId);
    await started;
    const other = openManuscript(own.store.path, { clock: own.store.clock });
    assert.equal(readAccount(other).credits, 0, "its own process is at work");
    other.close();
    later = 10 * 60_000;
    openManuscript(own.store.path, { clock: own.store.clock }).close();
    assert.equal(readAccount(own).credits, 1);
    go();
    assert.deepEqual((await asked).spent, { cost: 0, remaining: 1 });
    assert.deepEqual(ledger(own), ["grant 0 -1", "hold 0 1", "refund 0 -1"]);
  });

  it("no entry of the ledger is ever changed or deleted, and together they are the balance", async (t) => {
    const own = manuscript(t, { reader: engine(() => "About") });
    const { chapterId } = writeSample(own);
    changeAccount(own, { allowance: 0, credits: 9 });
    await draftSynopsis(own, chapterId);
    changeAccount(own, { credits: 5 });
    assert.deepEqual(ledger(own), ["grant 0 -9", "hold 0 1", "settle 0 0", "expire 0 3"]);
    for (const sql of ["DELETE FROM ledger", "UPDATE ledger SET from_credits = 0"])
      assert.throws(() => own.store.run(sql), /only appended to/);
    const sum = own.store.get<{ sum: number }>("SELECT -sum(from_credits) AS sum FROM ledger");
    assert.deepEqual([sum?.sum, readAccount(own).credits], [5, 5]);
  });
});

/** An engine that is at work until `go`; `started` resolves when it is first asked. */
function held(): { go: () => void; started: Promise<void>; reader: Reader } {
  let go = () => {};
  let begun = () => {};
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const answer = async () => {
    begun();
    await gate;
    return "About";
  };
  return { go, started, reader: engine(answer) };
}

function newChapter({ manuscript: own, sample }: Lab, title: string): string {
  return createChapter(own, sample.bookId, { title, markdown: `# ${title}\n\nIt began.\n` }, OWNER).id;
}
