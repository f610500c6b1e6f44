import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { type Desk, desk } from "../desk.ts";
import { comment, del, docx, end, h1, ins, p, r } from "./docx.ts";

const SALT = {
  "1.md": [
    "# One",
    "",
    "It had rained *all* day on the quay.[^1]",
    "",
    "The ferry was late, as  ever: __very__ late.",
    "",
    "* * *",
    "",
    "> A letter came\\",
    "> from Tobit.",
    "",
    "- rope",
    "- oil, and [a lamp](https://example.org/lamp)",
    "",
    "| Day | Tide |",
    "|-----|------|",
    "| one | low  |",
    "",
    "<div>raw</div>",
    "",
    "Nobody waited at the end of the pier that evening.",
    "",
    "[^1]: As the *almanac* has it.",
  ],
  "2.md": ["# Two", "", "The lamp went out at nine.", "", "She counted the steps twice."],
};

/** A book that was exported to Word, and what edits its text part, given to Word's XML. */
async function away(t: TestContext, files: Record<string, readonly string[]> = SALT) {
  const at = await desk(t, files);
  const { bookId, chapters } = await at.take();
  const file = join(at.sh.cwd, "Salt.docx");
  assert.equal((await at.sh("export", bookId, "-f", "docx", "-o", file)).exit, 0);
  const edit = (change: (xml: string) => string, part = "word/document.xml") => {
    const parts = unzipSync(readFileSync(file));
    parts[part] = strToU8(change(strFromU8(parts[part]!)));
    writeFileSync(file, zipSync(parts));
  };
  const back = (...options: string[]) => at.take(options, file);
  return { ...at, bookId, chapters, file, edit, back };
}

const same = async ({ prose, bookId }: Pick<Desk, "prose"> & { bookId: string }, expected: string[]) =>
  assert.deepEqual(await prose(bookId), expected);
const text = (lines: readonly string[]) => `${lines.join("\n")}\n`;

describe("a Word document that comes back", () => {
  it("changes nothing if nobody edited it: not a byte, no act", async (t) => {
    const book = await away(t);
    const answer = await book.back();
    assert.equal(answer.bookId, book.bookId);
    assert.deepEqual(
      answer.chapters.map(({ status }) => status),
      ["same", "same"],
    );
    assert.deepEqual([answer.act, answer.skipped, answer.proposals], [null, [], []]);
    await same(book, [text(SALT["1.md"]), text(SALT["2.md"])]);
  });

  it("brings its edits, merged with those made here meanwhile, and each paragraph keeps its id", async (t) => {
    const book = await away(t);
    const ids = async () =>
      (await book.sh("show", book.chapters[1]?.id ?? "", "--format", "blocks")).stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).blockId);
    const before = await ids();
    book.edit((xml) =>
      xml
        .replace("The lamp went out at nine.", "The lamp went out at ten.")
        .replace("all</w:t>", "half the</w:t>"),
    );
    assert.equal((await book.sh("replace", "counted", "numbered", "--book", book.bookId, "--apply")).exit, 0);
    const answer = await book.back();
    assert.deepEqual(
      answer.chapters.map(({ status }) => status),
      ["updated", "updated"],
    );
    await same(book, [
      text(SALT["1.md"]).replace("*all*", "*half the*"),
      "# Two\n\nThe lamp went out at ten.\n\nShe numbered the steps twice.\n",
    ]);
    assert.deepEqual(await ids(), before);
    assert.match((await book.sh("milestone", "list", book.bookId)).stdout, /before Salt\.docx/);
    assert.equal((await book.sh("undo", answer.act ?? "")).exit, 0);
    await same(book, [
      text(SALT["1.md"]),
      "# Two\n\nThe lamp went out at nine.\n\nShe numbered the steps twice.\n",
    ]);
  });

  it("proposes a clash, and the rest of its chapter goes in", async (t) => {
    const book = await away(t);
    book.edit((xml) => xml.replace("out at nine", "out at ten").replace("counted", "numbered"));
    await book.sh("replace", "at nine", "at eight", "--book", book.bookId, "--apply");
    const { proposals = [] } = await book.back();
    await same(book, [
      text(SALT["1.md"]),
      "# Two\n\nThe lamp went out at eight.\n\nShe numbered the steps twice.\n",
    ]);
    assert.deepEqual(
      proposals.map(({ title, edits }) => [title, edits]),
      [["Two", 1]],
    );
    await book.sh("proposals", "accept", proposals[0]?.id ?? "");
    await same(book, [
      text(SALT["1.md"]),
      "# Two\n\nThe lamp went out at ten.\n\nShe numbered the steps twice.\n",
    ]);
  });

  const LETTER = [
    "> He read:",
    ">",
    "> > Dear Ann,",
    "> >",
    "> > I am *well*.",
    "> >",
    "> > Yours",
    "",
    "End.",
  ];
  const cut = (xml: string, words: string, by = "") =>
    xml.replace(new RegExp(`<w:p>(?:(?!</w:p>).)*${words}(?:(?!</w:p>).)*</w:p>`), by);

  it("keeps a letter within a quotation in shape, of which each side changed a paragraph", async (t) => {
    const book = await away(t, { "1.md": LETTER });
    book.edit((xml) => cut(xml.replace("I am ", "I was "), "Dear Ann,"));
    await book.sh("replace", "Yours", "Yours ever", "--book", book.bookId, "--apply");
    const { proposals = [] } = await book.back();
    assert.deepEqual(proposals, []);
    await same(book, ["> He read:\n>\n> > I was *well*.\n> >\n> > Yours ever\n\nEnd.\n"]);
  });

  it("takes no paragraph for the chapter's title, where that was deleted or joined to what is before it", async (t) => {
    const apart = (title: string, ...lines: string[]) => ["---", `title: ${title}`, "---", "", ...lines];
    const files = {
      "1.md": apart("One", "It rained.", "", "Nobody came."),
      "2.md": apart("Two", "The lamp went out.", "", "She counted."),
    };
    const paragraph = (xml: string, words: string) =>
      new RegExp(`<w:p>(?:(?!</w:p>).)*>${words}<(?:(?!</w:p>).)*</w:p>`).exec(xml)?.[0] ?? "";
    const tags = (xml: string) => (xml.match(/<w:bookmark(?:Start|End) [^>]*>/g) ?? []).join("");
    const deleted = await away(t, files);
    deleted.edit((xml) => {
      const [title, next] = [paragraph(xml, "Two"), paragraph(xml, "The lamp went out\\.")];
      assert.ok(title.includes("_ch_") && next !== "");
      return xml
        .replace(title, "")
        .replace(next, next.replace(/(<w:p>(?:<w:pPr>.*?<\/w:pPr>)?)/, `$1${tags(title)}`));
    });
    await deleted.back();
    await same(
      deleted,
      [files["1.md"], files["2.md"]].map((lines) => text(lines.slice(3))),
    );
    const joined = await away(t, files);
    joined.edit((xml) => {
      const [last, title] = [paragraph(xml, "Nobody came\\."), paragraph(xml, "Two")];
      const inner = title.replace(/^<w:p>(?:<w:pPr>.*?<\/w:pPr>)?|<\/w:p>$/g, "");
      return xml.replace(title, "").replace(last, last.replace(/<\/w:p>$/, `${inner}</w:p>`));
    });
    await joined.back();
    await same(joined, ["\nIt rained.\n\nNobody came.Two\n", text(files["2.md"].slice(3))]);
    assert.match((await joined.sh("outline", joined.bookId)).stdout, / Two /);
  });

  it("has a tracked paragraph within a quotation proposed alone", async (t) => {
    const book = await away(t, { "1.md": LETTER });
    book.edit((xml) => {
      const [own = ""] = /<w:p>(?:(?!<\/w:p>).)*Dear Ann,(?:(?!<\/w:p>).)*<\/w:p>/.exec(xml) ?? [];
      const style = /<w:pStyle [^>]*>/.exec(own)?.[0] ?? "";
      return xml.replace(own, own + p(ins("It rains."), style + end("ins")));
    });
    const { proposals = [] } = await book.back();
    assert.deepEqual(
      proposals.map(({ edits }) => edits),
      [1],
    );
    await book.sh("proposals", "accept", proposals[0]?.id ?? "");
    await same(book, [text(LETTER).replace("> > I am", "> > It rains.\n> >\n> > I am")]);
  });

  it("takes a paragraph that was written anew for a new one, unless our mark is still around it", async (t) => {
    for (const isMarked of [false, true]) {
      const book = await away(t);
      const ids = async () =>
        (await book.sh("show", "Two", "--book", book.bookId, "-f", "blocks")).stdout.match(/b_[a-z0-9]+/g) ??
        [];
      const [title = "", lamp = "", steps = ""] = await ids();
      await book.sh("notes", "add", book.bookId, "Which lamp?", "--block", lamp);
      book.edit((xml) =>
        isMarked
          ? xml.replace("The lamp went out at nine.", "Nobody had seen it coming.")
          : cut(xml, "The lamp went out", p("Nobody had seen it coming.")),
      );
      const [, two] = (await book.back()).chapters;
      assert.deepEqual(
        two?.snippetsDetached.map(({ quote }) => quote),
        isMarked ? [] : ["The lamp went out at nine."],
      );
      await same(book, [
        text(SALT["1.md"]),
        "# Two\n\nNobody had seen it coming.\n\nShe counted the steps twice.\n",
      ]);
      const now = await ids();
      assert.deepEqual([now[0], now[1] === lamp, now[2]], [title, isMarked, steps]);
    }
  });

  it("knows a paragraph that was pasted over another one, within its mark", async (t) => {
    const [lamp, pier, oil] = [
      "The lamp went out at nine.",
      "Nobody waited at the end of the pier that evening.",
      "Oil was dear.",
    ];
    const book = await away(t, { "1.md": [lamp, "", oil, "", pier] });
    const blocks = async () =>
      (await book.sh("show", "1", "-f", "blocks")).stdout
        .split("\n")
        .filter(Boolean)
        .map((line): { blockId: string; text: string } => JSON.parse(line));
    const before = await blocks();
    book.edit((xml) => cut(xml, pier).replace(lamp, pier.replace("evening", "night")));
    await book.back();
    assert.deepEqual(
      (await blocks()).map(({ blockId }) => blockId),
      [before[2]?.blockId, before[1]?.blockId],
    );
  });

  it("keeps footnotes that came back with each other's texts, across chapters", async (t) => {
    const two = [
      "# Two",
      "",
      "The lamp went out at nine.[^1]",
      "",
      "[^1]: Nine by *the* clock of Saint Olave.",
    ];
    const book = await away(t, { ...SALT, "2.md": two });
    book.edit((xml) => {
      const [first = "", second = ""] = [
        ...xml.matchAll(/(?<=<w:footnote w:id="\d+">).*?(?=<\/w:footnote>)/g),
      ].map(String);
      assert.ok(first.includes("almanac") && second.includes("Olave"));
      return xml.replace(first, "").replace(second, first).replace('w:id="1">', `w:id="1">${second}`);
    }, "word/footnotes.xml");
    await book.back();
    await same(book, [text(SALT["1.md"]), text(two)]);
  });

  it("has its tracked changes proposed, accepted or rejected", async (t) => {
    const track = (xml: string) =>
      xml.replace(
        /<w:r><w:t [^>]*>The lamp went out at nine\.<\/w:t><\/w:r>/,
        r("The lamp went out at ") + del("nine") + ins("ten") + r("."),
      );
    const [one, other] = ["The lamp went out at nine.", "The lamp went out at ten."].map(
      (line) => `# Two\n\n${line}\n\nShe counted the steps twice.\n`,
    );
    for (const [options, expected, count] of [
      [[], one, 1],
      [["--changes", "accept"], other, 0],
      [["--changes", "reject"], one, 0],
    ] as const) {
      const book = await away(t);
      book.edit(track);
      const { proposals = [] } = await book.back(...options);
      await same(book, [text(SALT["1.md"]), expected ?? ""]);
      assert.equal(proposals.length, count);
      if (count === 0) continue;
      assert.match((await book.sh("proposals", "list", book.bookId)).stdout, /Ruth/);
      await book.sh("proposals", "accept", proposals[0]?.id ?? "");
      await same(book, [text(SALT["1.md"]), other ?? ""]);
    }
  });

  it("adds, removes and moves paragraphs; tables and HTML stay", async (t) => {
    const book = await away(t);
    book.edit((xml) => {
      const [paragraph = ""] = /<w:p>(?:(?!<\/w:p>).)*Nobody waited(?:(?!<\/w:p>).)*<\/w:p>/.exec(xml) ?? [];
      const [table = ""] = /<w:tbl>.*<\/w:tbl>/s.exec(xml) ?? [];
      assert.ok(paragraph !== "" && table !== "");
      return xml.replace(paragraph, p("A new line here.")).replace(table, "");
    });
    await book.back();
    const [one] = await book.prose(book.bookId);
    assert.equal(
      one,
      text(SALT["1.md"]).replace("Nobody waited at the end of the pier that evening.", "A new line here."),
    );
  });

  it("is known by its titles and texts without any bookmark", async (t) => {
    const book = await away(t);
    const file = docx({
      body:
        h1("Two") +
        p("The lamp went out at ten.") +
        p("She counted the steps twice.") +
        h1("Three") +
        p("New."),
    });
    writeFileSync(book.file, file);
    const answer = await book.back("--book", book.bookId);
    assert.deepEqual(
      answer.chapters.map(({ title, status }) => [title, status]),
      [
        ["Two", "updated"],
        ["Three", "created"],
      ],
    );
    await same(book, [
      text(SALT["1.md"]),
      "# Two\n\nThe lamp went out at ten.\n\nShe counted the steps twice.\n",
      "# Three\n\nNew.\n",
    ]);
  });

  it("brings comments to their paragraphs, and knows the notes that were sent out", async (t) => {
    const book = await away(t);
    const [, two] = book.chapters;
    const blocks = (await book.sh("show", two?.id ?? "", "--format", "blocks")).stdout
      .split("\n")
      .filter(Boolean);
    const [, lamp, steps] = blocks.map((line): string => JSON.parse(line).blockId);
    await book.sh("notes", "add", book.bookId, "Which lamp?", "--block", lamp ?? "");
    await book.sh("export", book.bookId, "-f", "docx", "--notes", "note", "-o", book.file, "--force");
    assert.deepEqual(
      (await book.back()).notes.map(({ status }) => status),
      ["same"],
    );
    book.edit((xml) =>
      xml
        .replace(/<w:r><w:t [^>]*>She counted/, (run) => `<w:commentRangeStart w:id="7"/>${run}`)
        .replace(/(<w:t [^>]*>She counted[^<]*<\/w:t><\/w:r>)/, '$1<w:commentRangeEnd w:id="7"/>'),
    );
    book.edit(
      (xml) => xml.replace("</w:comments>", `${comment(7, "Ruth", "Twice?")}</w:comments>`),
      "word/comments.xml",
    );
    const created = (await book.back()).notes.filter(({ status }) => status === "created");
    assert.equal(created.length, 1);
    const { snippets } = (await book.sh("notes", "list", book.bookId, "--json")).json<{
      snippets: { author: string | null; text: string; blockId: string }[];
    }>();
    assert.deepEqual(
      snippets.map(({ author, text, blockId }) => [author, text, blockId]),
      [
        [null, "Which lamp?", lamp],
        ["Ruth", "Twice?", steps],
      ],
    );
    assert.deepEqual(
      (await book.back()).notes.map(({ status }) => status),
      ["same", "same"],
    );
  });

  it("learns what was answered to a note and that it is settled, and tells folders and Word of it", async (t) => {
    const book = await away(t);
    await book.sh("notes", "add", book.bookId, "Which lamp?", "--chapter", book.chapters[1]?.id ?? "");
    const send = () =>
      book.sh("export", book.bookId, "-f", "docx", "--notes", "note", "-o", book.file, "--force");
    await send();
    book.edit(
      (xml) => xml.replace("</w:comments>", `${comment(7, "Ruth", "The one at the door.")}</w:comments>`),
      "word/comments.xml",
    );
    book.edit(
      (xml) =>
        xml.replace(/w15:paraId="(\w+)" w15:done="0"\/>/, (_, id) => {
          const answer = `<w15:commentEx w15:paraId="00000007" w15:paraIdParent="${id}" w15:done="1"/>`;
          return `w15:paraId="${id}" w15:done="1"/>${answer}`;
        }),
      "word/commentsExtended.xml",
    );
    book.edit((xml) =>
      xml.replace(
        '<w:commentReference w:id="0"/>',
        (all) => `${all}</w:r><w:r><w:commentReference w:id="7"/>`,
      ),
    );
    const taken = await book.back();
    assert.deepEqual(
      taken.notes.map(({ status }) => status),
      ["updated"],
    );
    const notesOf = async (bookId: string) =>
      (await book.sh("notes", "list", bookId, "--json"))
        .json<{ snippets: Record<string, unknown>[] }>()
        .snippets.map(({ author, text, replies, resolved }) => ({ author, text, replies, resolved }));
    const said = { author: "Ruth", text: "The one at the door.", at: "2026-11-20T10:00:00.000Z" };
    const whole = [{ author: null, text: "Which lamp?", replies: [said], resolved: true }];
    assert.deepEqual(await notesOf(book.bookId), whole);
    assert.match(
      (await book.sh("notes", "list", book.bookId)).stdout,
      /Which lamp\? {2}1 answer {2}resolved/,
    );

    await send();
    assert.deepEqual(
      (await book.back()).notes.map(({ status }) => status),
      ["same"],
    );
    const folder = join(book.sh.cwd, "as-folder");
    await book.sh("export", book.bookId, "-o", folder);
    const copy = await book.take(["--title", "Copy"], folder);
    assert.deepEqual(await notesOf(copy.bookId), whole);

    const [note] = taken.notes;
    await book.sh("notes", "edit", note?.id ?? "", "--reopen");
    assert.equal((await notesOf(book.bookId))[0]?.resolved, false);
  });

  it("shows what it would do before it does it", async (t) => {
    const book = await away(t);
    book.edit((xml) => xml.replace("at nine", "at ten"));
    const answer = await book.back("--dry-run", "--diff");
    assert.equal(answer.chapters[1]?.changes?.length, 1);
    await same(book, [text(SALT["1.md"]), text(SALT["2.md"])]);
  });
});
