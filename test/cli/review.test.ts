import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EXIT } from "../../src/contract/problems.ts";
import { type Shell, withBook } from "./shell.ts";

interface Comment {
  chapterId: string;
  blockId: string;
  quote: string;
  text: string;
}

/** What the file for readers says, and what a reader would save on its second and third paragraph. */
async function reviewed(sh: Shell): Promise<{ bookId: string; comments: Comment[] }> {
  await sh("export", "-f", "review", "-o", "r.review.html");
  const html = readFileSync(join(sh.cwd, "r.review.html"), "utf8");
  const bookId = /data-book="([^"]+)"/.exec(html)?.[1] ?? "";
  const chapterId = /data-chapter="([^"]+)"/.exec(html)?.[1] ?? "";
  const paragraphs = [...html.matchAll(/<p id="(b_[^"]+)"[^>]*>([^<]+)</g)].slice(0, 2);
  const comments = paragraphs.map(([, blockId = "", quote = ""], at) => ({
    ...{ chapterId, blockId, quote, text: `Comment ${at + 1}` },
  }));
  assert.equal(comments.length, 2);
  return { bookId, comments };
}

function save(sh: Shell, review: { bookId: string; comments: readonly Comment[] }, reader = "Ida"): void {
  const text = JSON.stringify({ manuscriptReview: 1, title: "x", reader, ...review }, null, 1);
  writeFileSync(join(sh.cwd, "ida.comments.json"), text);
}

describe("import FILE.comments.json", () => {
  it("puts each comment on its paragraph, once, and takes all back in one undo", async (t) => {
    const sh = await withBook(t);
    const review = await reviewed(sh);
    save(sh, review);
    const dry = await sh("import", "ida.comments.json", "--dry-run");
    assert.match(dry.stdout, /Would add 2 comments of Ida; 0 comments were here already/);
    const { act, notes } = (await sh("import", "ida.comments.json", "--json")).json<{
      act: string;
      notes: { status: string }[];
    }>();
    assert.deepEqual(
      notes.map(({ status }) => status),
      ["created", "created"],
    );
    const listed = (await sh("notes", "list", "--json")).json<{
      snippets: { blockId: string; author: string; text: string }[];
    }>();
    assert.deepEqual(
      listed.snippets.map(({ blockId, author, text }) => [blockId, author, text]),
      review.comments.map(({ blockId, text }) => [blockId, "Ida", text]),
    );
    assert.match(
      (await sh("import", "ida.comments.json")).stdout,
      /Added 0 comments of Ida; 2 comments were here/,
    );
    await sh("undo", act);
    assert.equal((await sh("notes", "list", "--json")).json<{ total: number }>().total, 0);
  });

  it("keeps two comments of the same words apart", async (t) => {
    const sh = await withBook(t);
    const { bookId, comments } = await reviewed(sh);
    save(sh, { bookId, comments: comments.map((one) => ({ ...one, text: "Typo?" })) });
    assert.match((await sh("import", "ida.comments.json")).stdout, /Added 2 comments/);
    assert.match(
      (await sh("import", "ida.comments.json")).stdout,
      /Added 0 comments of Ida; 2 comments were here/,
    );
  });

  it("finds a paragraph by its words if its id is gone, and says where neither is there", async (t) => {
    const sh = await withBook(t);
    const { bookId, comments } = await reviewed(sh);
    const [first, second] = comments.map((one, at) => ({ ...one, blockId: `b_gone${at}` }));
    save(sh, { bookId, comments: [first!, { ...second!, quote: "Nobody ever wrote this" }] }); // of two
    const { stderr } = await sh("import", "ida.comments.json");
    assert.match(stderr, /On its chapter, for no paragraph there says "Nobody ever wrote this"/);
    const listed = (await sh("notes", "list", "--json")).json<{ snippets: { blockId: string | null }[] }>();
    assert.deepEqual(
      listed.snippets.map(({ blockId }) => blockId).sort(),
      [comments[0]!.blockId, null].sort(), // of two
    );
  });

  it("refuses other books, other versions and halves of files, and changes nothing", async (t) => {
    const sh = await withBook(t);
    const { bookId, comments } = await reviewed(sh);
    const refused = async (text: string, said: RegExp) => {
      writeFileSync(join(sh.cwd, "ida.comments.json"), text);
      const { exit, stderr } = await sh("import", "ida.comments.json");
      assert.equal(exit, EXIT.usage);
      assert.match(stderr, said);
    };
    const whole = { manuscriptReview: 1, reader: "", bookId, comments };
    await refused(JSON.stringify({ ...whole, bookId: "bk_other" }), /a book that is not in .*--book/);
    await refused(
      JSON.stringify({ ...whole, manuscriptReview: 2 }),
      /no file of comments that this version knows/,
    );
    await refused(JSON.stringify({ ...whole, comments: [{}] }), /comments\/0\/chapterId/);
    await refused(JSON.stringify(whole).slice(0, -9), /is not whole/);
    save(sh, { bookId: "bk_other", comments });
    assert.equal((await sh("import", "ida.comments.json", "--split", "2")).exit, EXIT.usage);
    assert.equal((await sh("notes", "list", "--json")).json<{ total: number }>().total, 0);
    assert.equal((await sh("import", "ida.comments.json", "--book", "1")).exit, EXIT.done);
  });
});
