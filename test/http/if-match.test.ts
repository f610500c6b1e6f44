import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Endpoint, endpoints, siblings } from "../../src/contract/index.ts";
import { countActsAfter } from "../../src/store/journal/acts.ts";
import { askedOf, fillWith, type Lab, serve } from "../support/client.ts";
import { dump } from "../support/dump.ts";
import { suite } from "../support/sandbox.ts";

const WRITES = [...endpoints, ...siblings].filter(({ method }) => method !== "GET");
/** Every record that can be read by itself. */
const READ = ["/books/{bookId}", "/chapters/{chapterId}", "/facts/{factId}", "/snippets/{snippetId}"];

describe("If-Match", () => {
  let lab: Lab;
  const scope = suite();
  after(scope.end);
  before(async () => {
    lab = await serve(scope);
  });

  async function send(row: Endpoint, held: string) {
    const asked = askedOf(lab, row);
    return lab.ask(row.method, asked.path, { ...asked, headers: { "If-Match": held } });
  }

  it("refuses every write for what is not there, and writes nothing", async () => {
    fillWith(lab)("{proposalId}"); // it is made when it is asked for
    const tags = await tagsOf(lab);
    const state = () => [dump(lab.manuscript.store), countActsAfter(lab.manuscript.store, 0)];
    const before = state();
    const stale = tags.map((tag) => tag.replace(/\.[^.]+/, ".1x"));
    for (const row of WRITES) {
      for (const held of [stale.join(", "), [...tags.map((tag) => `W/${tag}`), '""', 'W/"*"'].join(), ""]) {
        const refused = await send(row, held);
        assert.deepEqual([refused.status, refused.body.error], [412, "revision_conflict"], row.id + held);
        const isOfChapter = /^\/(chapters|proposals)\//.test(row.path);
        assert.equal(typeof refused.body.currentRevision, isOfChapter ? "number" : "undefined", row.id);
      }
    }
    assert.deepEqual(state(), before);
  });

  for (const any of [false, true]) {
    it(`lets every write through with ${any ? "*" : "the tag that was read, one of a list"}`, async () => {
      for (const row of WRITES.filter(({ id }) => !/^undoActs?$/.test(id) && (any || id !== "createBook"))) {
        const held = any ? " * " : `"other.1" , ${await tagOf(lab, fillWith(lab)(readerOf(row)))}`;
        const done = await send(row, held);
        assert.ok(done.status < 300, `${row.id} ${held}: ${done.text}`);
        if (done.body.act !== null) await lab.ask("POST", `/acts/${done.body.act}/undo`);
      }
    });
  }

  it("takes the tag that the write before answered", async (t) => {
    const own = await serve(t);
    const { bookId, factId, snippetId, partId, chapterId } = own.sample;
    for (const [path, bodies] of [
      [`/facts/${factId}`, [{ summary: "One." }, { summary: "Two." }, { kind: "ghost" }]],
      [
        `/snippets/${snippetId}`,
        [
          { kind: "note", text: "One." },
          { kind: "note", text: "Two." },
        ],
      ],
      [`/books/${bookId}`, [{ title: "One" }, { title: "Two" }]],
      [`/parts/${partId}`, [{ title: "One" }, { position: 2 }]],
      [`/chapters/${chapterId}`, [{ title: "One" }, { position: 1 }, { partId: null }]],
    ] as const) {
      let held = "*";
      const tags: string[] = [];
      for (const body of bodies) {
        const done = await own.ask("PATCH", path, { body, headers: { "If-Match": held } });
        assert.equal(done.status, 200, done.text);
        held = done.headers.get("etag") ?? "";
        tags.push(held);
      }
      assert.equal(new Set(tags).size, bodies.length, `${path}: ${tags}`);
      const late = await own.ask("PATCH", path, { body: bodies[0], headers: { "If-Match": tags[0]! } });
      assert.equal(late.status, 412, path);
    }
  });

  it("refuses no edit of a fact because it is mentioned more often, nor of a book's title for its prose", async (t) => {
    const own = await serve(t);
    const { bookId, chapterId, blockId, otherFactId } = own.sample;
    const fact = `/facts/${otherFactId}`;
    const [ofFact, ofBook] = [await tagOf(own, fact), await tagOf(own, `/books/${bookId}`)];
    const mention = { factId: otherFactId, blockId, from: 5, to: 9 };
    await own.ask("POST", `/chapters/${chapterId}/mentions`, { body: { revision: 1, mentions: [mention] } });
    await own.ask("PUT", `/chapters/${chapterId}/synopsis`, { body: { synopsis: "Else." } });
    assert.notEqual(await tagOf(own, fact), ofFact);
    assert.notEqual(await tagOf(own, `/books/${bookId}`), ofBook);
    const edit = (path: string, body: object, held: string) =>
      own.ask("PATCH", path, { body, headers: { "If-Match": held } });
    assert.equal((await edit(fact, { summary: "Old." }, ofFact)).status, 200);
    assert.equal((await edit(`/books/${bookId}`, { title: "Else" }, ofBook)).status, 200);
    const stale = { headers: { "If-Match": ofBook } };
    assert.equal(
      (await own.ask("DELETE", `/books/${bookId}`, stale)).status,
      412,
      "a book is more than its title",
    );
  });

  it("a merge takes the tag of either fact", async (t) => {
    const own = await serve(t);
    const { factId, otherFactId } = own.sample;
    for (const id of [factId, otherFactId]) {
      const headers = { "If-Match": await tagOf(own, `/facts/${id}`) };
      const body = { keepId: factId, dropId: otherFactId };
      const done = await own.ask("POST", "/facts/merge", { body, headers });
      assert.equal(done.status, 200, done.text);
      assert.match(done.headers.get("etag") ?? "", new RegExp(`^"${factId}\\.`));
      await own.ask("POST", `/acts/${done.body.act}/undo`);
    }
  });

  it("a read answers 304 for the tag that it gave, and no dry run has one", async () => {
    for (const path of READ) {
      const filled = fillWith(lab)(path);
      const etag = await tagOf(lab, filled);
      const again = await lab.ask("GET", filled, { headers: { "If-None-Match": `"x", W/${etag}` } });
      assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag], path);
    }
    const dry = await lab.ask("PATCH", `/books/${lab.sample.bookId}?dryRun=1`, { body: { title: "Dry" } });
    assert.equal(dry.headers.get("etag"), null);
  });
});

/** Where what a row writes to is read. */
function readerOf({ path }: Endpoint): string {
  const [, name] = path.split("/");
  if (name === "proposals") return "/chapters/{chapterId}";
  return READ.find((one) => one.startsWith(`/${name}/`)) ?? "/books/{bookId}";
}

async function tagOf(lab: Lab, path: string): Promise<string> {
  return (await lab.ask("GET", path)).headers.get("etag") ?? "";
}

/** The tags of every record of the sample that can be read, and of the other fact. */
async function tagsOf(lab: Lab): Promise<string[]> {
  const fill = fillWith(lab);
  return Promise.all([...READ, "/facts/{otherFactId}"].map((path) => tagOf(lab, fill(path))));
}
