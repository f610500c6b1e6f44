import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { respond } from "../../src/http/answers/answer.ts";
import { Conflict, NotFound } from "../../src/refusals.ts";
import { setStatus } from "../../src/service/books/chapter-fields.ts";
import { listActs } from "../../src/service/history/acts.ts";
import { undoActs } from "../../src/service/history/undo.ts";
import { replaceParagraph } from "../../src/service/prose/replace-paragraph.ts";
import { dump } from "../support/dump.ts";
import { OWNER, writeSample } from "../support/sample.ts";
import { manuscript } from "../support/sandbox.ts";

const MINUTE_MS = 60_000;

/** The sample half a day later, and ways to write its first paragraph at a moment; the acts before are not listed. */
function desk(t: TestContext) {
  let now = Date.UTC(2026, 2, 1, 6);
  const own = manuscript(t, { clock: () => now });
  const { chapterId, otherChapterId, blockId } = writeSample(own);
  const start = String(listActs(own, { limit: 1 }).acts[0]?.id);
  now += 12 * 60 * MINUTE_MS;
  const after = (minutes: number) => {
    now += minutes * MINUTE_MS;
  };
  const type = (markdown: string, caller: object = {}) =>
    String(replaceParagraph(own, { chapterId, blockId }, { markdown }, { source: "page", ...caller }).act);
  const sittings = (range: object = { after: start }) =>
    listActs(own, { group: "sitting", ...range }).acts.map(({ id, source, sitting }) => {
      assert.equal(sitting?.acts.at(-1), id);
      assert.equal(sitting.first, sitting.acts[0]);
      assert.equal(sitting.count, sitting.acts.length);
      return { source, acts: sitting.acts, words: [sitting.added, sitting.removed] };
    });
  return { own, chapterId, otherChapterId, start, after, type, sittings };
}

describe("sittings", () => {
  it("hold what one hand wrote in one chapter until it paused for more than ten minutes", (t) => {
    const { own, chapterId, after, type, sittings } = desk(t);
    const one = type("One.");
    after(10);
    const two = type("One two three.");
    const script = type("One two three four.", { source: "api" });
    const status = String(setStatus(own, chapterId, { status: "done" }, { source: "page" }).act);
    after(10);
    const three = type("One two.");
    after(10.1);
    const late = type("One two five.");
    assert.deepEqual(sittings(), [
      { source: "api", acts: [script], words: [1, 0] },
      { source: "page", acts: [status], words: [0, 0] },
      { source: "page", acts: [one, two, three], words: [2, 15] },
      { source: "page", acts: [late], words: [1, 0] },
    ]);
    assert.equal(listActs(own, {}).acts[0]?.sitting, undefined);
  });

  it("come in pages, each a stretch of the history: the newest, those before an act, those after one", (t) => {
    const { own, after, start, type, sittings } = desk(t);
    const made = Array.from({ length: 6 }, (_, at) => {
      after(at % 2 === 0 ? 31 : 1);
      return type(`Number ${at}.`);
    });
    const pairs = [made.slice(0, 2), made.slice(2, 4), made.slice(4)];
    const acts = (range: object) => sittings(range).map((sitting) => sitting.acts);
    assert.deepEqual(acts({ limit: 2 }), pairs.slice(1));
    assert.deepEqual(acts({ limit: 1, before: made[2] }), [pairs[0]]);
    assert.deepEqual(acts({ limit: 2, after: start }), pairs.slice(0, 2));
    assert.deepEqual(acts({ after: made[4] }), [[made[5]]]);
    assert.equal(listActs(own, { group: "sitting", after: start }).total, 6);
    assert.throws(() => sittings({ after: "act_none" }), NotFound);
  });

  it("are undone in one request, newest first, to the byte, and redone by undoing that; what is undone is apart", (t) => {
    const { own, type, sittings } = desk(t);
    const before = dump(own.store);
    const made = [type("One."), type("One two."), type("Three.")];
    const done = dump(own.store);
    const dry = undoActs(own, { since: made[0]! }, { ...OWNER, dryRun: true });
    assert.deepEqual([dry.undone, dry.acts, dry.act], [made.toReversed(), [], null]);
    assert.deepEqual(dump(own.store), done);
    const undone = undoActs(own, { acts: made }, OWNER);
    assert.deepEqual(undone.undone, made.toReversed());
    assert.deepEqual(dump(own.store), before);
    const last = type("Four.");
    assert.deepEqual(
      sittings().map(({ acts }) => acts),
      [made, undone.acts, [last]],
    );
    undoActs(own, { acts: [last] }, OWNER);
    undoActs(own, { acts: undone.acts }, OWNER);
    assert.deepEqual(dump(own.store), done);
  });

  it("are undone all or none: one that was written over since refuses", (t) => {
    const { own, type } = desk(t);
    const [one, two] = [type("One."), type("Two.")];
    type("Three.", { source: "api" });
    const before = dump(own.store);
    assert.throws(() => undoActs(own, { acts: [one, two] }, OWNER), Conflict);
    assert.throws(() => undoActs(own, { acts: [one, "act_none"] }, OWNER), NotFound);
    assert.deepEqual(dump(own.store), before);
  });
});

it("what a signed-in page writes says so, what comes with a key does not", async (t) => {
  const { own, chapterId } = desk(t);
  const body = { bytes: Buffer.from('{"status":"done"}'), isMarkdown: false };
  const asked = {
    id: "setStatus",
    params: { chapterId },
    url: "/",
    headers: {},
    wantsMarkdown: false,
    body,
  } as const;
  for (const [sessionId, source] of [
    ["s", "page"],
    [undefined, "api"],
  ] as const) {
    await respond(own, { ...asked, keyId: null, ownOnly: false, sessionId }, undefined);
    assert.equal(listActs(own, { limit: 1 }).acts[0]?.source, source);
  }
});
