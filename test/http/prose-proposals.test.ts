import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { leafIds } from "../../src/prose/document/leaves.ts";
import { changeAccount } from "../../src/service/account/account.ts";
import { createKey } from "../../src/service/account/keys.ts";
import { undoAct } from "../../src/service/history/undo.ts";
import { readBundle } from "../../src/service/interchange/bundle.ts";
import { type Answer, type Lab, serve } from "../support/client.ts";
import { dump } from "../support/dump.ts";
import { OWNER } from "../support/sample.ts";
import { suite } from "../support/sandbox.ts";

const MARKDOWN = `# The Quay

The red house stood near the quay.

Nobody came down before noon.

The bell rang twice, then fell silent.
`;

describe("proposals for prose", () => {
  let lab: Lab;
  let chapterId: string;
  let ids: string[];
  const scope = suite();
  after(scope.end);
  before(async () => {
    lab = await serve(scope);
  });
  beforeEach(async () => {
    const made = await lab.ask("POST", `/books/${lab.sample.bookId}/chapters`, {
      body: { title: "The Quay", markdown: MARKDOWN },
    });
    chapterId = made.body.id;
    ids = await leaves();
  });

  const doc = async () => (await lab.ask("GET", `/chapters/${chapterId}?format=doc`)).body;
  const leaves = async (): Promise<string[]> => leafIds([{ node: (await doc()).doc }]).map(String);
  const markdown = async (): Promise<string> =>
    (await lab.ask("GET", `/chapters/${chapterId}?format=markdown`)).body.markdown;
  const propose = (body: object, asked: object = {}): Promise<Answer> =>
    lab.ask("POST", `/chapters/${chapterId}/proposals`, { body: { revision: 1, ...body }, ...asked });
  const replace = (at: number, text: string) => ({ op: "replace", blockId: ids[at], markdown: text });
  const patch = (at: number, text: string) =>
    lab.ask("PATCH", `/chapters/${chapterId}/paragraphs/${ids[at]}`, { body: { markdown: text } });
  const read = async (id: string) => (await lab.ask("GET", `/proposals/${id}`)).body;
  const accept = (id: string, body: object = {}) => lab.ask("POST", `/proposals/${id}/accept`, { body });

  it("change nothing when made; accepted, they are one act, which undo takes back", async () => {
    const before = await markdown();
    const made = await propose({
      reason: "Tighter.",
      edits: [
        replace(1, "The blue house stood near the quay."),
        { op: "insert_after", blockId: null, markdown: "Fog.\n\nMore fog." },
        { op: "insert_after", blockId: ids[2], markdown: "Then a gull." },
        { op: "delete", blockId: ids[3] },
      ],
    });
    assert.equal(made.status, 201);
    assert.equal(made.headers.get("location"), `/api/v1/proposals/${made.body.id}`);
    assert.equal(await markdown(), before);
    const { proposal } = made.body;
    assert.deepEqual(
      [proposal.status, proposal.reason, proposal.author, proposal.counts.open],
      ["open", "Tighter.", "test", 4],
    );
    assert.deepEqual(
      proposal.edits[0].changes.filter(({ op }: { op: string }) => op !== "same"),
      [
        { op: "removed", text: "red" },
        { op: "added", text: "blue" },
      ],
    );
    const state = dump(lab.manuscript.store);
    const done = await accept(made.body.id);
    assert.equal(done.status, 200, done.text);
    assert.deepEqual(done.body.accepted, [0, 1, 2, 3]);
    assert.equal(done.body.proposal.status, "accepted");
    assert.equal(
      await markdown(),
      "Fog.\n\nMore fog.\n\n# The Quay\n\nThe blue house stood near the quay.\n\nNobody came down before noon.\n\nThen a gull.\n",
    );
    undoAct(lab.manuscript, done.body.act, OWNER);
    assert.deepEqual(dump(lab.manuscript.store), state);
  });

  it("merge with what was written meanwhile in other words, and are stale where both changed the same", async () => {
    const { id } = (
      await propose({
        edits: [
          replace(1, "The blue house stood near the quay."),
          replace(2, "Nobody came down before dawn."),
          { op: "delete", blockId: ids[3] },
        ],
      })
    ).body;
    await patch(1, "The red house stood near the old harbour.");
    await patch(2, "Nobody came down before evening.");
    const now = await read(id);
    assert.deepEqual(
      now.edits.map(({ status, why }: { status: string; why: string }) => [status, why]),
      [
        ["open", null],
        ["stale", "changed"],
        ["open", null],
      ],
    );
    const state = dump(lab.manuscript.store);
    const refused = await accept(id);
    assert.deepEqual([refused.status, refused.body.stale, refused.body.edits], [409, [1], [0, 2]]);
    assert.match(refused.body.message, /edit 1 \(its paragraph has changed\).*\[0, 2\]/);
    assert.deepEqual(dump(lab.manuscript.store), state);
    assert.equal((await accept(id, { edits: [0, 2] })).status, 200);
    assert.match(
      await markdown(),
      /The blue house stood near the old harbour\.\n\nNobody came down before evening\.\n$/,
    );
    assert.equal((await read(id)).status, "stale");
    const own = await accept(id, { edits: [1], markdown: "Nobody came down at all." });
    assert.equal(own.body.proposal.status, "accepted");
    assert.match(await markdown(), /Nobody came down at all\.\n$/);
  });

  it("come alive again when what made them stale is undone", async () => {
    const { id } = (await propose({ edits: [replace(2, "Everybody came down before noon.")] })).body;
    const { act } = (await lab.ask("DELETE", `/chapters/${chapterId}/paragraphs/${ids[2]}`)).body;
    assert.deepEqual([(await read(id)).status, (await read(id)).edits[0].why], ["stale", "gone"]);
    undoAct(lab.manuscript, act, OWNER);
    assert.equal((await read(id)).status, "open");
  });

  it("put insertions behind one paragraph in the order proposed, whichever is accepted first", async () => {
    const insert = (text: string) => ({ op: "insert_after", blockId: ids[1], markdown: text });
    const one = (await propose({ edits: [insert("First."), insert("Second.\n\nSecond still.")] })).body.id;
    const other = (await propose({ edits: [insert("Third.")] })).body.id;
    const all = /quay\.\n\nFirst\.\n\nSecond\.\n\nSecond still\.\n\nThird\.\n\nNobody/;
    const [first, second, third] = [
      [one, 0],
      [one, 1],
      [other, 0],
    ] as const;
    for (const order of [
      [first, second, third],
      [first, third, second],
      [second, first, third],
      [second, third, first],
      [third, first, second],
      [third, second, first],
    ]) {
      const acts = [];
      for (const [id, index] of order) {
        assert.equal((await read(id)).edits[index].why, null);
        const done = await accept(id, { edits: [index] });
        assert.equal(done.status, 200, done.body.message);
        acts.unshift(done.body.act);
      }
      assert.match(await markdown(), all);
      for (const act of acts) undoAct(lab.manuscript, act, OWNER);
    }
    const start = [1, 2].map((at) => ({ op: "insert_after", blockId: null, markdown: `Start ${at}.` }));
    const starting = (await propose({ edits: start })).body.id;
    for (const index of [1, 0]) assert.equal((await accept(starting, { edits: [index] })).status, 200);
    assert.match(await markdown(), /^Start 1\.\n\nStart 2\.\n\n#/);
    await accept(one, { edits: [0], markdown: "In other words." });
    assert.equal((await accept(one)).status, 200);
    assert.match(await markdown(), /quay\.\n\nIn other words\.\n\nSecond\.\n\nSecond still\.\n\nNobody/);
  });

  it("never insert where somebody has written something else", async () => {
    const edits = [{ op: "insert_after", blockId: ids[1], markdown: "Second." }];
    const { id } = (await propose({ edits })).body;
    const text = (await markdown()).replace("quay.\n", "quay.\n\nFirst.\n");
    await lab.ask("PUT", `/chapters/${chapterId}/prose`, { body: { markdown: text } });
    assert.equal((await accept(id)).status, 409);
    assert.equal((await read(id)).edits[0].why, "crowded");
    assert.equal((await accept(id, { edits: [0], markdown: "Second." })).status, 200);
    assert.match(await markdown(), /quay\.\n\nSecond\.\n\nFirst\./);
  });

  it("guess no order of two entries of a list, one behind an entry and one behind the last in it", async () => {
    const made = await lab.ask("POST", `/books/${lab.sample.bookId}/chapters`, {
      body: { title: "A list", markdown: "- one\n  1. in it\n- two\n" },
    });
    chapterId = made.body.id;
    ids = await leaves();
    const insert = (at: number, text: string) =>
      propose({ edits: [{ op: "insert_after", blockId: ids[at], markdown: text }] });
    const [one, other] = [await insert(0, "- first"), await insert(1, "- second")];
    for (const [sooner, later] of [
      [one, other],
      [other, one],
    ] as const) {
      const { act } = (await accept(sooner.body.id)).body;
      assert.equal((await read(later.body.id)).edits[0].why, "crowded");
      undoAct(lab.manuscript, act, OWNER);
    }
    assert.equal((await accept(one.body.id)).status, 200);
    assert.equal(await markdown(), "- one\n  1. in it\n- first\n- two\n");
  });

  it("take a whole chapter as Markdown or as a document, and make edits of what differs", async () => {
    const whole = `${MARKDOWN.replace("red", "blue").replace("Nobody came down before noon.\n\n", "")}\nThe end.\n`;
    const made = await propose({ markdown: whole });
    assert.deepEqual(
      made.body.proposal.edits.map(({ op, blockId }: { op: string; blockId: string }) => [op, blockId]),
      [
        ["replace", ids[1]],
        ["insert_after", ids[3]],
        ["delete", ids[2]],
      ],
    );
    assert.equal((await accept(made.body.id)).status, 200);
    assert.equal(await markdown(), whole);
    assert.deepEqual((await leaves()).slice(0, 3), [ids[0], ids[1], ids[3]]);
    const native = await doc();
    native.doc.content[1].content[0].text = "The green house stood near the quay.";
    const next = await propose({ revision: native.revision, doc: native.doc });
    assert.deepEqual(next.body.proposal.edits.length, 1, next.text);
    const nothing = await propose({ revision: native.revision, markdown: await markdown() });
    assert.deepEqual([nothing.status, nothing.body.error], [400, "bad_request"]);
    assert.match(nothing.body.message, /nothing to propose/);
  });

  it("are listed by state and by chapter", async () => {
    const [one, other] = [
      await propose({ edits: [replace(1, "One.")] }),
      await propose({ edits: [replace(2, "Two.")] }),
    ];
    await lab.ask("POST", `/proposals/${other.body.id}/reject`, { body: {} });
    const list = async (query: string) =>
      (
        await lab.ask("GET", `/books/${lab.sample.bookId}/proposals?chapterId=${chapterId}${query}`)
      ).body.proposals.map(({ id }: { id: string }) => id);
    assert.deepEqual(await list(""), [one.body.id, other.body.id]);
    assert.deepEqual(await list("&status=open"), [one.body.id]);
    assert.deepEqual(await list("&status=rejected"), [other.body.id]);
    assert.deepEqual(await list("&status=stale"), []);
    const heads = (await lab.ask("GET", `/books/${lab.sample.bookId}/proposals?chapterId=${chapterId}`)).body
      .proposals;
    const { edits } = (await lab.ask("GET", `/proposals/${one.body.id}`)).body;
    assert.deepEqual(
      heads.map(({ blockIds }: { blockIds: string[] }) => blockIds),
      [[edits[0].blockId], []],
    );
  });

  it("go with their paragraphs when chapters are split and joined, and find each by its id", async () => {
    const before = await lab.ask("POST", `/books/${lab.sample.bookId}/chapters`, {
      body: { title: "Before", position: 1, markdown: "Before.\n" },
    });
    chapterId = (
      await lab.ask("POST", `/books/${lab.sample.bookId}/chapters`, {
        body: { title: "The Quay", position: 2, markdown: MARKDOWN },
      })
    ).body.id;
    ids = await leaves();
    const insert = (at: number | null, text: string) => ({
      op: "insert_after",
      blockId: at === null ? null : ids[at],
      markdown: text,
    });
    const [first, last, all, start] = [
      await propose({ edits: [replace(1, "The blue house.")] }),
      await propose({ edits: [replace(3, "No bell."), insert(3, "The end.")] }),
      await propose({ edits: [replace(1, "The red house burnt."), { op: "delete", blockId: ids[2] }] }),
      await propose({ edits: [insert(null, "Once.")] }),
    ].map(({ body }) => body.id);
    const state = dump(lab.manuscript.store);
    const split = await lab.ask("POST", `/chapters/${chapterId}/split`, { body: { blockId: ids[2] } });
    const homes = async () =>
      Promise.all([first, last, all, start].map(async (id) => (await read(id)).chapterId));
    assert.deepEqual(await homes(), [chapterId, split.body.id, chapterId, chapterId]);
    const own = (await accept(last)).body;
    assert.equal(own.chapters.length, 1);
    const both = (await accept(all)).body;
    assert.deepEqual(
      both.chapters.map(({ id }: { id: string }) => id),
      [chapterId, split.body.id],
    );
    const rest = await lab.ask("GET", `/chapters/${split.body.id}?format=markdown`);
    assert.equal(rest.body.markdown, "No bell.\n\nThe end.\n");
    for (const { act } of [both, own, split.body]) undoAct(lab.manuscript, act, OWNER);
    assert.deepEqual(dump(lab.manuscript.store), state);
    await lab.ask("POST", `/chapters/${before.body.id}/join`, { body: {} });
    assert.deepEqual(await homes(), [before.body.id, before.body.id, before.body.id, before.body.id]);
    assert.deepEqual((await read(start)).edits[0].why, "crowded", "the start of a chapter is none any more");
    assert.equal((await accept(last)).status, 200);
    assert.equal((await accept(first)).status, 200);
    const joined = await lab.ask("GET", `/chapters/${before.body.id}?format=markdown`);
    assert.equal(
      joined.body.markdown,
      "Before.\n\n# The Quay\n\nThe blue house.\n\nNobody came down before noon.\n\nNo bell.\n\nThe end.\n",
    );
  });

  it("go into a bundle, and are no fault to the doctor", async () => {
    await propose({ edits: [replace(1, "One.")], reason: "Because." });
    const { bundle, flaw } = readBundle(lab.manuscript);
    assert.equal(flaw, undefined);
    assert.ok(bundle.tables.proposals?.some((row) => row.includes("Because.")));
  });

  it("refuse what cannot be, and write nothing", async () => {
    await lab.ask("POST", `/chapters/${chapterId}/paragraphs`, {
      body: { after: ids[3], markdown: "- one\n- two" },
    });
    ids = await leaves();
    const inList = ids.length - 2;
    const insert = (at: number, text: string) => ({ op: "insert_after", blockId: ids[at], markdown: text });
    const { id } = (await propose({ revision: 2, edits: [replace(1, "One."), replace(2, "Two.")] })).body;
    await lab.ask("POST", `/proposals/${id}/reject`, { body: { edits: [1] } });
    const state = dump(lab.manuscript.store);
    const many = Array.from({ length: 1001 }, () => ({ op: "insert_after", blockId: null, markdown: "A." }));
    for (const [body, status, message] of [
      [{ edits: [] }, 400, /edits/],
      [{ edits: many }, 400, /edits/],
      [{ edits: [{ op: "replace", blockId: lab.sample.blockId, markdown: "A." }] }, 404, /paragraph/],
      [{ edits: [{ op: "replace", blockId: "b_none", markdown: "A." }] }, 404, /paragraph/],
      [{ edits: [replace(1, "A.")], revision: 99 }, 404, /revision/],
      [{ edits: [replace(1, "A."), replace(1, "B.")] }, 400, /edits\/1/],
      [{ edits: [replace(1, "A.\n\nB.")] }, 400, /edits\/0.*exactly one/],
      [{ edits: [replace(1, " ")] }, 400, /edits\/0 needs markdown/],
      [{ edits: [replace(1, "The red house stood near the quay.")] }, 400, /changes nothing/],
      [{ edits: [{ op: "delete", blockId: null }] }, 400, /needs the blockId/],
      [{ edits: [{ op: "delete", blockId: ids[1], markdown: "A." }] }, 400, /takes no markdown/],
      [{ edits: [{ op: "insert_after", blockId: ids[1] }] }, 400, /needs markdown/],
      [{ edits: [{ op: "delete", blockId: ids[1], before: "Else." }] }, 400, /before is not what/],
      [{ edits: [replace(1, "A."), insert(2, "[a]: http://a")] }, 400, /edits\/1: .*no paragraph/],
      [{ edits: [insert(1, "A."), insert(inList, "B."), insert(2, "C.")] }, 400, /edits\/1: .*bullet_list/],
      [{ edits: [{ op: "move", blockId: ids[1] }] }, 400, /op/],
      [{ edits: [replace(1, "*a ".repeat(333_334))] }, 413, /1,000,036 characters.*several proposals/],
      [{ markdown: "*a ".repeat(333_334) }, 413, /1,000,002 characters.*several proposals/],
      [{ markdown: "" }, 400, /blank/],
      [{ markdown: "---\na: b\n---\n\nA." }, 400, /Front matter/],
    ] as const) {
      const refused = await propose({ revision: 2, ...body });
      assert.equal(refused.status, status, `${JSON.stringify(body).slice(0, 200)} ${refused.text}`);
      assert.match(refused.body.message, message);
    }
    for (const [path, body, status] of [
      ["accept", { edits: [1] }, 409],
      ["accept", { edits: [2] }, 400],
      ["accept", { edits: [] }, 400],
      ["accept", { markdown: "A." }, 400],
      ["accept", { edits: [0], markdown: " " }, 400],
      ["accept", { edits: [0], markdown: "A.\n\nB." }, 400],
      ["accept", { edits: [0], ifRevision: 7 }, 412],
      ["reject", { edits: [1] }, 409],
      ["reject", { edits: [-1] }, 400],
    ] as const) {
      const refused = await lab.ask("POST", `/proposals/${id}/${path}`, { body });
      assert.equal(refused.status, status, `${path} ${JSON.stringify(body)} ${refused.text}`);
    }
    assert.equal((await accept("prop_none")).status, 404);
    assert.deepEqual(dump(lab.manuscript.store), state);
    assert.equal((await accept(id)).status, 200);
    for (const path of ["accept", "reject"])
      assert.equal((await lab.ask("POST", `/proposals/${id}/${path}`, { body: {} })).status, 409, path);
  });

  it("are off on a server that does not take them", async (t) => {
    const own = await serve(t, { disable: ["propose"] });
    const path = `/chapters/${own.sample.chapterId}/proposals`;
    const edits = [{ op: "delete", blockId: own.sample.blockId }];
    const refused = await own.ask("POST", path, { body: { revision: 1, edits } });
    assert.deepEqual([refused.status, refused.body.error], [403, "category_disabled"]);
    assert.match(refused.body.message, /--disable propose/);
  });

  it("need a key that may propose or write, and no subscription; accepting and the old body need more", async () => {
    const { key } = createKey(lab.manuscript, { name: "Ada the editor", allow: ["read", "propose"] });
    const { key: reader } = createKey(lab.manuscript, { allow: ["read"] });
    const edits = [replace(1, "One.")];
    changeAccount(lab.manuscript, { subscription: false });
    try {
      const made = await propose({ edits }, { key });
      assert.equal(made.status, 201, made.text);
      assert.equal(made.body.proposal.author, "Ada the editor");
      assert.equal((await propose({ edits })).status, 201);
      const accepted = await lab.ask("POST", `/proposals/${made.body.id}/accept`, { key, body: {} });
      const detected = await propose({ proposals: [] }, { key });
      const patched = await lab.ask("PATCH", `/chapters/${chapterId}/paragraphs/${ids[1]}`, {
        key,
        body: { markdown: "A." },
      });
      for (const refused of [accepted, detected, patched, await propose({ edits }, { key: reader })])
        assert.deepEqual([refused.status, refused.body.error], [403, "category_disabled"]);
      const unpaid = await propose({ proposals: [] });
      assert.deepEqual([unpaid.status, unpaid.body.error], [403, "subscription_required"]);
    } finally {
      changeAccount(lab.manuscript, { subscription: true });
    }
  });
});
