import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { type Lab, serve } from "../support/client.ts";
import { dump } from "../support/dump.ts";

interface Proposal {
  id: string;
  type: string;
  name: string;
  factId: string | null;
  occurrences: { blockId: string }[];
}

const PROSE =
  "Mara met Captain Orlov on the quay. “Wait,” said Orlov.\n\nLater Orlov and Mara went to Orlov’s boat. Mara laughed.\n";

/** A chapter with something to detect, and what is detected there. */
async function detected(t: TestContext) {
  const lab = await serve(t);
  const { bookId } = lab.sample;
  const { id } = (
    await lab.ask("POST", `/books/${bookId}/chapters`, { body: { title: "Quay", markdown: PROSE } })
  ).body;
  const detect = async () => (await lab.ask("POST", `/chapters/${id}/detect`)).body;
  const first = await detect();
  const accept = (proposals: object[], more: object = {}, query = "") =>
    lab.ask("POST", `/chapters/${id}/proposals${query}`, {
      body: { revision: first.revision, proposals, ...more },
    });
  return { lab, id, bookId, detect, accept, proposals: first.proposals as Proposal[] };
}

const factsOf = async (lab: Lab) => (await lab.ask("GET", `/books/${lab.sample.bookId}/facts`)).body.facts;

describe("POST /chapters/{chapterId}/proposals", () => {
  it("writes what was detected, as it came, in one act; the next detection proposes it no more", async (t) => {
    const { lab, id, detect, accept, proposals } = await detected(t);
    assert.ok(proposals.some(({ type }) => type === "new_fact"));
    assert.ok(proposals.some(({ type }) => type === "mention"));
    const before = dump(lab.manuscript.store);
    const dry = await accept(proposals, {}, "?dryRun=1");
    assert.deepEqual([dry.body.act, dump(lab.manuscript.store)], [null, before]);
    const headers = { "Idempotency-Key": "accept-1" };
    const send = () =>
      lab.ask("POST", `/chapters/${id}/proposals`, { body: { revision: 1, proposals }, headers });
    const done = await send();
    assert.equal(done.status, 200, done.text);
    assert.deepEqual(
      done.body.proposals,
      proposals.map(({ id }) => id),
    );
    assert.ok(done.body.mentions >= 5, done.text);
    assert.deepEqual((await send()).body, done.body);
    assert.ok((await factsOf(lab)).some(({ name }: { name: string }) => /Orlov/.test(name)));
    assert.deepEqual((await detect()).proposals, []);
    await lab.ask("POST", `/acts/${done.body.act}/undo`);
    assert.deepEqual(dump(lab.manuscript.store), before);
  });

  it("takes no more of them than it ever did", async (t) => {
    const { accept, proposals } = await detected(t);
    const [first] = proposals;
    const large = await accept([{ ...first, reason: "x".repeat(1024 * 1024) }]);
    assert.deepEqual([large.status, large.body.error], [413, "payload_too_large"]);
  });

  it("refuses what it cannot write, and changes nothing", async (t) => {
    const { lab, id, accept, proposals } = await detected(t);
    const [mention] = proposals.filter(({ type }) => type === "mention") as [Proposal];
    const [spot] = mention.occurrences as [{ blockId: string }];
    const before = dump(lab.manuscript.store);
    const REFUSED: readonly [proposal: object, status: number, message: RegExp][] = [
      [{ ...mention, factId: null }, 400, /\/proposals\/0\/factId must name the fact/],
      [{ ...mention, factId: "fa_none" }, 404, /fact in this book/],
      [{ ...mention, occurrences: [{ ...spot, from: 4, to: 999 }] }, 400, /occurrences/],
      [{ ...mention, occurrences: [{ ...spot, blockId: "b_none" }] }, 404, /paragraph/],
      [{ ...mention, type: "fact" }, 400, /type/],
      [{ ...mention, name: " " }, 400, /name/],
      [{ ...mention, nmae: "x" }, 400, /did you mean "name"/],
    ];
    for (const [proposal, status, message] of REFUSED) {
      const told = await accept([proposal]);
      assert.equal(told.status, status, told.text);
      assert.match(told.body.message, message);
    }
    assert.equal((await accept([])).status, 400);
    assert.equal((await accept([mention], { revision: 9 })).status, 409);
    assert.deepEqual(dump(lab.manuscript.store), before);
    await lab.ask("PATCH", `/chapters/${id}/paragraphs/${spot.blockId}`, { body: { markdown: "Gone." } });
    assert.equal((await accept([mention])).status, 409);
  });
});

describe("POST /books/{bookId}/dismissals", () => {
  it("keeps findings and proposals from coming back until it is undone", async (t) => {
    const { lab, bookId, detect, proposals } = await detected(t);
    const markdown = "Mara looked up, and her brown eyes were wet.\n";
    const { id } = (await lab.ask("POST", `/books/${bookId}/chapters`, { body: { title: "Slip", markdown } }))
      .body;
    const check = async () => (await lab.ask("POST", `/chapters/${id}/check`)).body.findings;
    const [finding] = await check();
    const [proposal] = proposals as [Proposal];
    const ids = [finding.id, proposal.id];
    const dismiss = (body: object, query = "") =>
      lab.ask("POST", `/books/${bookId}/dismissals${query}`, { body });
    assert.equal((await dismiss({ ids }, "?dryRun=1")).body.act, null);
    assert.equal((await check()).length, 1);
    const { body } = await dismiss({ ids });
    assert.deepEqual([body.bookId, body.dismissed], [bookId, ids]);
    assert.deepEqual(await check(), []);
    assert.deepEqual((await detect()).proposals, proposals.slice(1));
    await lab.ask("POST", `/acts/${body.act}/undo`);
    assert.equal((await check()).length, 1);
    assert.deepEqual((await detect()).proposals, proposals);
    for (const none of [{}, { ids: [] }, { ids: [""] }, { ids: [7] }])
      assert.equal((await dismiss(none)).status, 400);
    assert.equal((await lab.ask("POST", "/books/bk_none/dismissals", { body: { ids } })).status, 404);
  });
});
