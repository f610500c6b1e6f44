import assert from "node:assert/strict";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { doc, h, li, p, quote, ul } from "../build.ts";
import { type Lab, serve } from "../support/client.ts";
import { MARKDOWN } from "../support/sample.ts";

const THREE = "One boat lay there.\n\nTwo men slept.\n\nThree bells rang.\n";

describe("ids of a native document", () => {
  it("an id is kept whatever its text became; a block without one is matched by text", async (t) => {
    const lab = await serve(t);
    const { path, ids } = await chapter(lab, THREE);
    const [one, two, three] = ids;
    const put = await lab.ask("PUT", `${path}/prose`, {
      body: { doc: doc(p(`#${one}`, "Nothing of the kind."), p("Two men slept."), p(`#${three}`, "Four.")) },
    });
    assert.deepEqual(statuses(put.body), [
      [one, "edited"],
      [two, "kept"],
      [three, "edited"],
    ]);
    assert.deepEqual([put.body.removed, put.body.warnings], [[], []]);
  });

  it("of a duplicate the first keeps the id, the other gets a new one and a warning", async (t) => {
    const lab = await serve(t);
    const { path, ids } = await chapter(lab, THREE);
    const put = await lab.ask("PUT", `${path}/prose`, {
      body: { doc: doc(p(`#${ids[0]}`, "One boat lay there."), p(`#${ids[0]}`, "One boat lay there.")) },
    });
    const [first, second] = put.body.blocks;
    assert.deepEqual([first.blockId, first.status, second.status], [ids[0], "kept", "new"]);
    assert.notEqual(second.blockId, ids[0]);
    assert.deepEqual(put.body.warnings, [`duplicate_id: ${ids[0]} became ${second.blockId}`]);
  });

  it("an id of another chapter and one that nobody had get new ones, with their warnings", async (t) => {
    const lab = await serve(t);
    const { path } = await chapter(lab, THREE);
    const foreign = lab.sample.blockId;
    const put = await lab.ask("PUT", `${path}/prose`, {
      body: { doc: doc(p(`#${foreign}`, "From elsewhere."), p("#b_mine", "My own.")) },
    });
    const [first, second] = put.body.blocks;
    assert.deepEqual(put.body.warnings, [
      `foreign_id: ${foreign} became ${first.blockId}`,
      `unknown_id: b_mine became ${second.blockId}`,
    ]);
    const there = await documentOf(lab, lab.sample.chapterId);
    assert.ok(JSON.stringify(there).includes(foreign), "the other chapter keeps its paragraph");
  });

  it("an id that the chapter once had comes back without a warning, and its marginalia with it", async (t) => {
    const lab = await serve(t);
    const { path, id, ids } = await chapter(lab, THREE);
    const note = await lab.ask("POST", `/books/${lab.sample.bookId}/snippets`, {
      body: { kind: "note", blockId: ids[1], text: "Names?" },
    });
    const whole = await documentOf(lab, id);
    const without = { ...whole, content: whole.content.toSpliced(1, 1) };
    const cut = await lab.ask("PUT", `${path}/prose`, { body: { doc: without } });
    assert.deepEqual(cut.body.snippetsDetached, [
      { id: note.body.id, kind: "note", blockId: ids[1], quote: "Two men slept." },
    ]);
    const back = await lab.ask("PUT", `${path}/prose`, { body: { doc: whole } });
    assert.deepEqual(back.body.warnings, []);
    assert.deepEqual(statuses(back.body), [
      [ids[0], "kept"],
      [ids[1], "new"],
      [ids[2], "kept"],
    ]);
    const { snippets } = (await lab.ask("GET", `/books/${lab.sample.bookId}/snippets?chapterId=${id}`)).body;
    assert.deepEqual([snippets[0].blockId, snippets[0].detached], [ids[1], null]);
  });
});

describe("what became of each block", () => {
  it("Markdown gives kept, moved, edited and new, in the order of the text", async (t) => {
    const lab = await serve(t);
    const { path, ids } = await chapter(lab, `${THREE}\nFour gulls waited on the long wall.\n`);
    const put = await lab.ask("PUT", `${path}/prose`, {
      body: `Two men slept.\n\nThree bells rang.\n\nOne boat lay there.\n\nFour gulls waited on the low wall.\n\nQuite another thing entirely, said the harbour master.\n`,
      headers: { "Content-Type": "text/markdown" },
    });
    assert.deepEqual(
      put.body.blocks.map(({ status }: { status: string }) => status),
      ["kept", "kept", "moved", "edited", "new"],
    );
    assert.deepEqual(
      statuses(put.body)
        .slice(0, 4)
        .map(([blockId]) => blockId),
      [ids[1], ids[2], ids[0], ids[3]],
    );
  });

  it("a paragraph that absorbs another takes over its marginalia", async (t) => {
    const lab = await serve(t);
    const first = "The harbour lay quite still under the fog that morning.";
    const second = "Nobody had rung the bell since the wedding in June.";
    const { path, id, ids } = await chapter(lab, `${first}\n\n${second}\n`);
    const note = await lab.ask("POST", `/books/${lab.sample.bookId}/snippets`, {
      body: { kind: "note", blockId: ids[1], text: "Which wedding?" },
    });
    const put = await lab.ask("PUT", `${path}/prose`, { body: { markdown: `${first} ${second}\n` } });
    assert.deepEqual(put.body.snippetsDetached, []);
    assert.deepEqual(put.body.snippetsMoved, [{ id: note.body.id, from: ids[1], to: ids[0] }]);
    const { snippets } = (await lab.ask("GET", `/books/${lab.sample.bookId}/snippets?chapterId=${id}`)).body;
    assert.deepEqual([snippets[0].blockId, snippets[0].detached], [ids[0], null]);
  });
});

describe("the bytes of the prose", () => {
  const FORMS: readonly [string, string][] = [
    ["a byte order mark", "\ufeffOne.\n\nTwo.\n\nThree.\n"],
    ["CRLF", "One.\r\n\r\nTwo.\r\n\r\nThree.\r\n"],
    ["a byte order mark and CRLF", "\ufeffOne.\r\n\r\nTwo.\r\n\r\nThree."],
    ["mixed line ends", "One.\r\n\r\nTwo.\n\nThree.\r\n"],
    ["front matter", "---\ntitle: The Ferry\nx: [1,  2]\n---\n\nOne.\n\nTwo.\n\nThree.\n"],
    ["front matter and CRLF", "---\r\ntitle: The Ferry\r\n---\r\n\r\nOne.\r\n\r\nTwo.\r\n\r\nThree.\r\n"],
    ["blank lines at both ends", "\n\nOne.\n\n\n\nTwo.  \n\nThree.\n\n\n"],
  ];
  for (const [what, markdown] of FORMS) {
    it(`${what} comes back byte for byte, and a PATCH changes its paragraph only`, async (t) => {
      const lab = await serve(t);
      const path = `/chapters/${lab.sample.otherChapterId}`;
      const put = await lab.ask("PUT", `${path}/prose`, {
        body: markdown,
        headers: { "Content-Type": "text/markdown" },
      });
      assert.equal(put.status, 200, put.text);
      assert.equal(await markdownOf(lab, path), markdown);
      const bare = await fetch(`${lab.base}${path}`, {
        headers: { Authorization: `Bearer ${lab.key}`, Accept: "text/markdown" },
      });
      assert.deepEqual(Buffer.from(await bare.arrayBuffer()), Buffer.from(markdown));
      const whole = await documentOf(lab, lab.sample.otherChapterId);
      const two = whole.content.find(({ content }) => content?.[0]?.text === "Two.");
      const patched = await lab.ask("PATCH", `${path}/paragraphs/${two?.attrs?.blockId}`, {
        body: { markdown: "Zwei." },
      });
      assert.equal(patched.body.changed, true);
      assert.equal(await markdownOf(lab, path), markdown.replace("Two.", "Zwei."));
    });
  }
});

describe("bodies of prose", () => {
  for (const type of ["text/plain", "application/octet-stream", "application/x-www-form-urlencoded"]) {
    it(`${type} is read as Markdown`, async (t) => {
      const lab = await serve(t);
      const path = `/chapters/${lab.sample.otherChapterId}`;
      const put = await lab.ask("PUT", `${path}/prose`, {
        body: "a=b & *c*\n",
        headers: { "Content-Type": type },
      });
      assert.equal(put.status, 200);
      assert.equal(await markdownOf(lab, path), "a=b & *c*\n");
    });
  }

  it("a body without any type is read as Markdown", async (t) => {
    const lab = await serve(t);
    const path = `/chapters/${lab.sample.otherChapterId}`;
    assert.match(await putUntyped(lab, `${path}/prose`, "Plain *text*.\n"), /^HTTP\/1\.1 200 /);
    assert.equal(await markdownOf(lab, path), "Plain *text*.\n");
  });

  it('{"markdown": ""} clears a chapter on purpose', async (t) => {
    const lab = await serve(t);
    const path = `/chapters/${lab.sample.chapterId}`;
    const put = await lab.ask("PUT", `${path}/prose`, { body: { markdown: "" } });
    assert.deepEqual([put.status, put.body.wordCount, put.body.blocks], [200, 0, []]);
    assert.equal(await markdownOf(lab, path), "");
  });
});

describe("PATCH of what is not a plain paragraph", () => {
  it("a scene break and a raw block are 400 and point to PUT", async (t) => {
    const lab = await serve(t);
    const { path, ids } = await chapter(lab, "One.\n\n* * *\n\n<div>\nraw\n</div>\n");
    for (const blockId of ids.slice(1)) {
      const { status, body } = await lab.ask("PATCH", `${path}/paragraphs/${blockId}`, {
        body: { markdown: "Text." },
      });
      assert.deepEqual([status, body.error], [400, "bad_request"]);
      assert.match(body.message, /PUT/);
    }
  });

  it("plain text keeps a heading's level; a heading of another level changes it", async (t) => {
    const lab = await serve(t);
    const { path, ids } = await chapter(lab, "## The Storm\n\nIt came.\n");
    await lab.ask("PATCH", `${path}/paragraphs/${ids[0]}`, { body: { markdown: "1. The Calm" } });
    assert.equal(await markdownOf(lab, path), "## 1. The Calm\n\nIt came.\n");
    await lab.ask("PATCH", `${path}/paragraphs/${ids[0]}`, { body: { markdown: "### After" } });
    assert.equal(await markdownOf(lab, path), "### After\n\nIt came.\n");
  });

  it("a code block takes its text as it is", async (t) => {
    const lab = await serve(t);
    const { path, ids } = await chapter(lab, "```js\nlet a;\n```\n");
    const patched = await lab.ask("PATCH", `${path}/paragraphs/${ids[0]}`, {
      body: { markdown: "let *b*;\n\nlet c;" },
    });
    assert.deepEqual([patched.status, patched.body.blockId], [200, ids[0]]);
    assert.equal(await markdownOf(lab, path), "```js\nlet *b*;\n\nlet c;\n```\n");
  });

  it("a list where a paragraph stands is 400", async (t) => {
    const lab = await serve(t);
    const { path, ids } = await chapter(lab, THREE);
    const { status } = await lab.ask("PATCH", `${path}/paragraphs/${ids[0]}`, {
      body: { markdown: "- rope" },
    });
    assert.equal(status, 400);
    assert.equal(await markdownOf(lab, path), THREE);
  });
});

it("a document of blocks within blocks becomes the Markdown that it says", async (t) => {
  const lab = await serve(t);
  const path = `/chapters/${lab.sample.chapterId}`;
  const put = await lab.ask("PUT", `${path}/prose`, {
    body: { doc: doc(h(2, "Out"), quote(p("The tide.")), ul(li("rope"), li("lamp"))) },
  });
  assert.deepEqual([put.body.blocks.length, put.body.warnings], [4, []]);
  assert.equal(await markdownOf(lab, path), "## Out\n\n> The tide.\n\n- rope\n- lamp\n");
  const restored = await lab.ask("POST", `${path}/restore`, { body: { revision: 1 } });
  assert.equal(restored.status, 200);
  assert.equal(await markdownOf(lab, path), MARKDOWN);
});

interface Node {
  type: string;
  attrs?: { blockId?: string };
  content?: Node[];
  text?: string;
}

async function documentOf(lab: Lab, id: string): Promise<{ type: string; content: Node[] }> {
  return (await lab.ask("GET", `/chapters/${id}?format=doc`)).body.doc;
}

/** A new chapter of these top-level blocks, with their ids. */
async function chapter(lab: Lab, markdown: string): Promise<{ id: string; path: string; ids: string[] }> {
  const { body } = await lab.ask("POST", `/books/${lab.sample.bookId}/chapters`, {
    body: { title: "New", markdown },
  });
  const { content } = await documentOf(lab, body.id);
  return {
    id: body.id,
    path: `/chapters/${body.id}`,
    ids: content.map(({ attrs }) => String(attrs?.blockId)),
  };
}

async function markdownOf(lab: Lab, path: string): Promise<string> {
  return (await lab.ask("GET", `${path}?format=markdown`)).body.markdown;
}

function statuses({ blocks }: { blocks: { blockId: string; status: string }[] }): [string, string][] {
  return blocks.map(({ blockId, status }) => [blockId, status]);
}

/** The answer to a PUT without Content-Type, which fetch always sends. */
function putUntyped(lab: Lab, path: string, body: string): Promise<string> {
  const { port, pathname } = new URL(lab.base);
  const head = `PUT ${pathname}${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${lab.key}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(head + body));
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
}
