import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CHAPTER_ROOM } from "../../src/prose/document/room.ts";
import { mayOpenTag, tagEnd } from "../../src/prose/markdown/rules/inlines.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { serve } from "../support/client.ts";
import { suite } from "../support/sandbox.ts";

const scope = suite();
const { ask, sample, manuscript } = await serve(scope);
const { chapterId, bookId } = sample;

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const quoted = (depth: number, node: object): object =>
  depth === 0 ? node : quoted(depth - 1, { type: "blockquote", content: [node] });
const docOf = (...content: unknown[]) => ({ doc: { type: "doc", content } });
const LONG = "a\n\n".repeat(10_001);
/** As many as a chapter takes, each with the whole address: 32 MB. */
const BOMB = `[r]: /${"u".repeat(32_000)}\n\n${"[r]\n\n".repeat(1000)}`;
/** The same in one paragraph, 15 GB. */
const ONE_LINE_BOMB = `[r]: /${"u".repeat(240 * 1024)}\n\n${"[r] ".repeat(61_440)}`;

/** A new chapter, and its leaves in order. */
async function full(markdown: string): Promise<{ id: string; blocks: string[] }> {
  const { body } = await ask("POST", `/books/${bookId}/chapters`, { body: { title: "Full", markdown } });
  const leaves =
    "SELECT l.id FROM leaves l JOIN blocks b ON b.id = l.row_id WHERE b.chapter_id = ? ORDER BY b.rank";
  return { id: body.id, blocks: manuscript.store.list<string>(leaves, body.id) };
}

describe("chapter limits", { concurrency: false }, () => {
  it("refuse what would be too much of a chapter, name the remedy, and change nothing", async () => {
    const path = `/chapters/${chapterId}/prose`;
    const before = (await ask("GET", `/chapters/${chapterId}?format=markdown`)).body;
    const cases: [name: string, body: unknown, says: RegExp][] = [
      ["10,001 paragraphs", { markdown: LONG }, /10,000 paragraphs.*split the chapter/],
      ["one definition, used again and again", { markdown: BOMB }, /native document.*16 MiB.*shorten/],
      ["… in one paragraph", { markdown: ONE_LINE_BOMB }, /native document.*16 MiB.*shorten/],
      ["lines in 95 quotes", docOf(quoted(95, paragraph(`${"a\n".repeat(30_000)}a`))), /Markdown.*4 MiB/],
      ["more text than Markdown may have", docOf(paragraph("a".repeat(4_200_000))), /Markdown.*4 MiB/],
      ["lists in lists", docOf([Array(1_700_000).fill([])]), /objects and lists/],
    ];
    for (const [name, body, says] of cases) {
      const answer = await ask("PUT", path, { body });
      assert.equal(answer.status, 413, name);
      assert.match(answer.body.message, says, name);
    }
    assert.deepEqual((await ask("GET", `/chapters/${chapterId}?format=markdown`)).body, before);
  });

  it("are those of every way to write a chapter", async () => {
    const body = { title: "Long", after: null, markdown: LONG };
    assert.equal(
      (await ask("POST", `/books/${bookId}/chapters`, { body: { ...body, after: undefined } })).status,
      413,
    );
    const { markdown, after } = body;
    assert.equal(
      (await ask("POST", `/chapters/${chapterId}/paragraphs`, { body: { after, markdown } })).status,
      413,
    );
    assert.equal(manuscript.store.list("SELECT count(*) FROM chapters")[0], 2);
  });

  it("hold for paragraphs of some letters, one after the other, and leave those open that become smaller", async () => {
    const markdown = `${`${"a".repeat(2_096_000)}\n\n`.repeat(2)}b\n\nc`;
    const { id, blocks } = await full(markdown);
    const patch = (at: number, text: string) =>
      ask("PATCH", `/chapters/${id}/paragraphs/${blocks[at]}`, { body: { markdown: text } });
    assert.equal((await patch(2, "b".repeat(2000))).status, 200);
    const refused = await patch(3, "c".repeat(1000));
    assert.equal(refused.status, 413);
    assert.match(refused.body.message, /4 MiB.*Split the chapter/);
    assert.equal((await patch(2, "b")).status, 200);
  });

  it("name at most 20 blocks that are no nodes", async () => {
    const { status, body } = await ask("PUT", `/chapters/${chapterId}/prose`, {
      body: docOf(...Array(1000).fill([])),
    });
    assert.equal(status, 400);
    assert.equal(body.details.length, 20);
    assert.deepEqual(body.details[1], {
      path: "/doc/content/1",
      message: "must be a node: an object with a type",
    });
  });

  it("count what marks make of a text", () => {
    const room = { ...CHAPTER_ROOM, nodes: 7 };
    assert.equal(parseMarkdown("*a* *b*\n\nc *d*", "", room).blocks.length, 2);
    assert.throws(() => parseMarkdown("*a* *b*\n\nc *d* e", "", room), /nodes/);
  });

  it("count the entries of a list", () => {
    const room = { ...CHAPTER_ROOM, leaves: 3 };
    assert.equal(parseMarkdown("-\n- a\n-\n", "", room).blocks.length, 1);
    assert.throws(() => parseMarkdown("-\n- a\n-\n-\n", "", room), /paragraphs/);
  });

  it("take a tag of any number of attributes", () => {
    const tag = `<a${" b=c".repeat(200_000)}>`;
    assert.equal(tagEnd(tag, 0), tag.length);
    assert.equal(tagEnd(tag, 1), -1);
    assert.ok(mayOpenTag(tag, 0));
    assert.equal(parseMarkdown(`x ${tag}`).blocks[0]?.node.content?.[1]?.type, "raw_inline");
    assert.equal(parseMarkdown(tag).blocks[0]?.node.type, "raw_block");
    assert.equal(parseMarkdown(tag.slice(0, -1)).blocks[0]?.node.type, "paragraph");
  });

  it("end with the suite", scope.end);
});
