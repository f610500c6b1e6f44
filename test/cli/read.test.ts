import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ENDPOINTS } from "../../src/contract/index.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { FERRY, type Shell, withBook } from "./shell.ts";

describe("reading commands", () => {
  const made = withBook({ after });
  let sh: Shell;
  let bookId: string;
  let chapterId: string;
  before(async () => {
    sh = await made;
    bookId = (await sh("books", "--json")).json<{ books: { id: string }[] }>().books[0]!.id; // the book was made
    chapterId = (await sh("outline", bookId, "--json")).json<{ chapters: { id: string }[] }>().chapters[0]!
      .id; // as above
  });

  it("answer with the API's own body", async () => {
    for (const [argv, path] of [
      [["books"], "/books"],
      [["outline", "1"], `/books/${bookId}`],
      [["show", "1"], `/chapters/${chapterId}`],
      [["show", "The Ferry", "--format", "doc"], `/chapters/${chapterId}?format=doc`],
      [["show", chapterId, "--format", "markdown"], `/chapters/${chapterId}?format=markdown`],
      [["search", "1", "ferry"], `/books/${bookId}/search?q=ferry`],
      [["facts", "list"], `/books/${bookId}/facts`],
      [["notes", "list"], `/books/${bookId}/snippets`],
      [["history", "1"], `/chapters/${chapterId}/revisions`],
      [["history", "--limit", "2"], "/acts?limit=2"],
    ] as const) {
      const own = await sh(...argv, "--json");
      assert.equal(own.exit, EXIT.done, own.stderr);
      assert.deepEqual(own.json(), (await sh("api", "GET", path)).json(), argv.join(" "));
    }
  });

  it("a book or chapter is named by id, title in any case, or number", async () => {
    for (const book of [bookId, "The Ferry Book", "the ferry book", "1"]) {
      assert.equal((await sh("outline", book, "--json")).json().id, bookId, book);
    }
    for (const chapter of [chapterId, "The Ferry", "the ferry", "1"]) {
      assert.equal((await sh("show", chapter, "--json")).json().id, chapterId, chapter);
    }
  });

  it("show prints the text, the very bytes of the Markdown, or the document", async () => {
    assert.match((await sh("show", "1")).stdout, /^The Ferry\n\nMara came down to the ferry before light/);
    assert.equal((await sh("show", "1", "--format", "markdown")).stdout, FERRY);
    assert.equal((await sh("show", "1", "--format", "doc")).json().type, "doc");
  });

  it("show reads an older revision", async () => {
    const { revision } = (await sh("show", "2", "--json")).json();
    await sh.with({ stdin: "Another text.\n" })(
      "api",
      "PUT",
      `/chapters/${await idOf(sh, "2")}/prose`,
      "--input",
      "-",
    );
    assert.equal((await sh("show", "2")).stdout, "Another text.\n");
    assert.match((await sh("show", "2", "--revision", String(revision))).stdout, /Mara lit the lamp/);
  });

  it("outline, books, search and history are readable without --json", async () => {
    assert.match((await sh("books")).stdout, /1 {2}bk_\w+ {2}The Ferry Book {2}2 chapters {2}\d+ words\n/);
    assert.match(
      (await sh("outline", "1")).stdout,
      /The Ferry Book {2}2 chapters.*\n1 {2}ch_\w+ {2}The Ferry {2}draft/,
    );
    assert.match(
      (await sh("search", "1", "tobit")).stdout,
      /The Ferry {2}1 match\n {2}b_\w+ {2}“You are late,” said old Tobit\.\n/,
    );
    assert.equal((await sh("search", "1", "zebra")).stdout, "Nothing found.\n");
    assert.match((await sh("history")).stdout, /import {2}imported the book +1 book: [^;]+; 1 chapter: /);
    assert.match(
      (await sh("history", "1")).stdout,
      /1 {2}act_\w+ .* import {2}imported the book {2}\d+ words/,
    );
  });

  it("diff shows what changed, word by word", async () => {
    const { stdout } = await sh("show", "2", "--format", "markdown");
    const markdown = stdout.replace("text", "word");
    assert.notEqual(markdown, stdout);
    const put = sh.with({ stdin: JSON.stringify({ markdown }) });
    const { chapters } = (await sh("outline", "1", "--json")).json<{ chapters: { id: string }[] }>();
    await put("api", "PUT", `/chapters/${chapters[1]!.id}/prose`, "--input", "-"); // the book has two
    assert.match(
      (await sh("diff", "2")).stdout,
      /: 1 word added, 1 word removed\n\nb_\w+ {2}edited\nAnother \[-text-\]\{\+word\+\}\.\n$/,
    );
    assert.equal((await sh("diff", "2", "99")).exit, EXIT.notFound);
    assert.equal((await sh("diff", "2", "x")).exit, EXIT.notFound);
  });

  it("synopsis prints what is saved", async () => {
    await sh("synopsis", "1", "Mara is late.");
    assert.equal((await sh("synopsis", "1")).stdout, "Mara is late.\n");
    assert.deepEqual((await sh("synopsis", "1", "--json")).json(), {
      id: chapterId,
      synopsis: "Mara is late.",
    });
    await sh("synopsis", "1", "");
    assert.equal((await sh("synopsis", "1")).stdout, "\n");
  });

  it("a refusal names the command that helps, not the endpoint", async () => {
    assert.match(
      (await sh("undo", "act_nope")).stderr,
      /^manuscript: No such act; "manuscript history" lists them all\.\n$/,
    );
    assert.match((await sh("notes", "delete", "sn_nope")).stderr, /^manuscript: No such note/);
    assert.equal(
      (await sh("undo", "act_nope", "--json")).json<{ message: string }>().message,
      'No such act; "manuscript history" lists them all.',
    );
    assert.match(
      (await sh("facts", "add")).stderr,
      /argument 'name'; see "manuscript facts add --help"\.\n$/,
    );
    assert.match((await sh("show", "1", "2")).stderr, /got 2; see "manuscript show --help"\.\n$/);
  });

  it("a title that several have is refused with the candidates", async () => {
    await sh.with({ stdin: "# The Lamp\n\nAnother.\n" })("import", "-", "--book", "1");
    const { exit, stderr } = await sh("show", "The Lamp");
    assert.equal(exit, EXIT.usage);
    assert.match(stderr, /may be any of 2: ch_\w+ \(The Lamp\), ch_\w+ \(The Lamp\)/);
    await sh.with({ stdin: "Text.\n" })("import", "-", "--title", "Second");
    assert.match(
      (await sh("show", "1")).stderr,
      /has 2 books; name one with --book: bk_\w+ \(The Ferry Book\), bk_\w+ \(Second\)/,
    );
    assert.equal((await sh("show", "1", "--book", "Second")).stdout, "Text.\n");
  });

  it("the answers fit the contract's schemas", async () => {
    for (const [argv, id] of [
      [["books"], "listBooks"],
      [["outline", "1"], "readOutline"],
      [["search", "1", "mara"], "searchBook"],
      [["history"], "listActs"],
      [["diff", "2", "--book", "1"], "compareRevisions"],
    ] as const) {
      assert.ok(ENDPOINTS[id].answer.safeParse((await sh(...argv, "--json")).json()).success, id);
    }
  });
});

async function idOf(sh: Shell, chapter: string): Promise<string> {
  return (await sh("show", chapter, "--json")).json<{ id: string }>().id;
}
