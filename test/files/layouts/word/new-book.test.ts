import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { strFromU8, unzipSync } from "fflate";
import { bookOfWord } from "../../../../src/files/layouts/word/word.ts";
import { desk, titled } from "../desk.ts";
import { comment, commented, del, docx, end, h1, ins, note, PAGE, p, r, ref, styled } from "./docx.ts";

const read = (file: Buffer, split?: number | "none") =>
  bookOfWord(file, { file: "Salt.docx", name: "Salt.docx" }, { split });
/** The Markdown of each chapter of a document with this body. */
const chapters = (body: string, more: object = {}) =>
  read(docx({ body, ...more })).chapters.map(({ text }) => text);
const whole = (body: string, more: object = {}) => chapters(body, more).join("=====\n");

describe("a Word document's paragraphs", () => {
  it("keep what Markdown can say: emphasis, links, breaks, by run and by style", () => {
    const cases = [
      [p(r("She ") + r("never ", "<w:i/>") + r("came.")), "She *never* came.\n"],
      [p(r("one", "<w:i/>") + r(" ") + r("two", "<w:i/>")), "*one two*\n"],
      [
        p(r("bold", "<w:b/>") + r("not", '<w:b w:val="0"/>') + r("gone", "<w:strike/>")),
        "**bold**not~~gone~~\n",
      ],
      [
        p(r("under", '<w:u w:val="single"/>') + r(" style", '<w:rStyle w:val="Emphasis"/>')),
        "*under style*\n",
      ],
      [p(`${r("a")}<w:r><w:br/></w:r>${r(" b")}`), "a\\\nb\n"],
      [p('<w:hyperlink r:id="rId5"><w:r><w:t>here</w:t></w:r></w:hyperlink>'), "[here](https://a.b/)\n"],
      [p('<w:hyperlink w:anchor="x"><w:r><w:t>there</w:t></w:r></w:hyperlink>'), "there\n"],
      [p("2*3 is _not_ [this]"), "2\\*3 is \\_not\\_ [this]\n"],
      [p("1914. War"), "1914\\. War\n"],
      [p(r("seen") + r("hidden", "<w:vanish/>")), "seen\n"],
      [p("<w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:tab/><w:t>c</w:t></w:r>"), "a\u2011b c\n"],
    ] as const;
    const relations = '<Relationship Id="rId5" Target="https://a.b/"/>';
    for (const [body, markdown] of cases) assert.equal(whole(body, { relations }), markdown);
  });

  it("are lists, quotes, tables, code and scene breaks where Word has them so", () => {
    const level = (at: number, format: string) =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/></w:lvl>`;
    const numbering = `<w:abstractNum w:abstractNumId="1">${level(0, "bullet")}${level(1, "decimal")}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>`;
    const item = (text: string, depth: number) =>
      p(text, `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="1"/></w:numPr>`);
    assert.equal(
      whole(
        p("Bring:") + item("rope", 0) + item("first", 1) + item("second", 1) + item("oil", 0) + p("Go."),
        { numbering },
      ),
      "Bring:\n\n- rope\n  1. first\n  2. second\n- oil\n\nGo.\n",
    );
    assert.equal(
      whole(styled("Quote", "One") + styled("Quote", "Two") + p("Three")),
      "> One\n>\n> Two\n\nThree\n",
    );
    const row = (...cells: string[]) =>
      `<w:tr>${cells.map((cell) => `<w:tc>${p(cell)}</w:tc>`).join("")}</w:tr>`;
    assert.equal(
      whole(`<w:tbl>${row("Day", "Tide")}${row("1", "a|b")}</w:tbl>`),
      "| Day | Tide |\n| --- | --- |\n| 1 | a\\|b |\n",
    );
    assert.equal(whole(`<w:tbl>${row("A letter")}</w:tbl>`), "A letter\n");
    for (const sign of ["#", "* * *", "***", "⁂"])
      assert.equal(whole(p("a") + p(sign) + p("b")), "a\n\n* * *\n\nb\n");
    assert.equal(whole(p("a") + p("", '<w:jc w:val="center"/>') + p("b")), "a\n\n* * *\n\nb\n");
    assert.equal(
      whole(`${p("a")}${p()}${p("b")}${p()}${p("c")}`),
      "a\n\nb\n\nc\n",
      "blank lines part all of it",
    );
  });

  it("bring their notes along, each chapter counting its own", () => {
    const footnotes = note(2, "See below.") + note(3, "And *there*.");
    const body =
      h1("One") +
      p(r("Salt") + ref(2) + r(".")) +
      h1("Two") +
      p(r("Oil") + ref(3)) +
      p(r("Wax") + ref(7, "endnote"));
    assert.deepEqual(chapters(body, { footnotes, endnotes: note(7, "At last.", "endnote") }), [
      "# One\n\nSalt[^1].\n\n[^1]: See below.\n",
      "# Two\n\nOil[^1]\n\nWax[^2]\n\n[^1]: And \\*there\\*.\n\n[^2]: At last.\n",
    ]);
  });

  it("read as if all changes were accepted", () => {
    assert.equal(whole(p(r("The ") + del("grey ") + ins("green ") + r("sea."))), "The green sea.\n");
    assert.equal(
      whole(p(r("One. "), end("del")) + p("Two.") + p(del("Three."), end("del")) + p("Four.")),
      "One. Two.\n\nFour.\n",
    );
  });
});

describe("a Word document's chapters", () => {
  const texts = (body: string, split?: number | "none") =>
    read(docx({ body }), split).chapters.map(({ text }) => text);

  it("begin with first headings, else with those below the only one, else with titles, else with pages", () => {
    assert.deepEqual(texts(h1("One") + p("a") + h1("Two") + p("b")), ["# One\n\na\n", "# Two\n\nb\n"]);
    const below = read(
      docx({ body: h1("Salt") + styled("Heading2", "One") + p("a") + styled("Heading2", "Two") + p("b") }),
    );
    assert.deepEqual([below.fallbackTitle, below.chapters.length], ["Salt", 2]);
    assert.deepEqual(texts(styled("Title", "One") + p("a") + styled("Title", "Two") + p("b")), [
      "# One\n\na\n",
      "# Two\n\nb\n",
    ]);
    assert.deepEqual(texts(p("Chapter 1") + p("a") + PAGE + p("Chapter 2") + p("b")), [
      "# Chapter 1\n\na\n",
      "# Chapter 2\n\nb\n",
    ]);
    assert.deepEqual(texts(p("a") + p("b")), ["a\n\nb\n"]);
    assert.deepEqual(texts(h1("One") + p("a") + h1("Two") + p("b"), "none"), ["# One\n\na\n\n# Two\n\nb\n"]);
    assert.throws(() => texts(p("a"), 3), /no heading of level 3/);
  });

  it("do not hold a manuscript's title page, nor its END", () => {
    const front =
      p("Ruth Ancaster") +
      p("12 Quay Road") +
      p("about 90,000 words") +
      styled("Title", "Salt") +
      p("by Ruth Ancaster");
    const book = read(
      docx({
        body: `${front}${h1("One")}${p("a")}${h1("Two")}${p("b")}${p("END", '<w:jc w:val="center"/>')}`,
        title: "old",
      }),
    );
    assert.deepEqual(
      book.chapters.map(({ text }) => text),
      ["# One\n\na\n", "# Two\n\nb\n"],
    );
    assert.equal(book.fallbackTitle, "Salt");
    assert.match(book.skipped[0]?.reason ?? "", /title page/);
  });
});

describe("import of a Word document", () => {
  it("makes a book, with the comments as notes on their paragraphs", async (t) => {
    const file = docx({
      title: "Salt",
      body:
        h1("One") +
        p(r("It ") + commented(1, r("rained")) + r(" all day.")) +
        h1("Two") +
        p(commented(2, r("It stopped."))),
      comments: comment(1, "Ruth", "Again?") + comment(2, "Ruth", "Good."),
    });
    const { take, put, prose, outline, sh } = await desk(t, { "Salt.docx": file });
    const answer = await take([], `${put({})}/Salt.docx`);
    assert.deepEqual(titled(await outline(answer.bookId)), ["One", "Two"]);
    assert.deepEqual(await prose(answer.bookId), ["# One\n\nIt rained all day.\n", "# Two\n\nIt stopped.\n"]);
    const { snippets } = (await sh("notes", "list", answer.bookId, "--json")).json<{
      snippets: {
        author: string | null;
        text: string;
        quote: string | null;
        blockId: string | null;
        chapterId: string;
      }[];
    }>();
    assert.deepEqual(
      snippets.map(({ author, text, quote, blockId, chapterId }) => [
        ...[author, text, quote, blockId !== null, chapterId],
      ]),
      [
        ["Ruth", "Again?", "rained", true, answer.chapters[0]?.id],
        ["Ruth", "Good.", null, true, answer.chapters[1]?.id],
      ],
    );
    const { exit } = await sh.with({ stdin: file })("import", "-");
    assert.equal(exit, 0);
  });

  it("keeps what other programs take for markup: it goes out as it was typed, and comes back unchanged", async (t) => {
    const typed = [
      "%% fix the date %%",
      "{{< insert map >}} and {{% a %}}",
      "See [[Anna|her]], ![[map.png]], [x]{.y} %%and [[this]]%% too.",
      "::: verse",
      "\\newpage",
      "50%% of {{}}",
    ];
    const xml = (text: string) => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    const body =
      p("Late.") + typed.map((text) => p(xml(text))).join("") + p(r("%") + r("% in parts %%", "<w:i/>"));
    const { take, put, sh } = await desk(t, { "Salt.docx": docx({ body }) });
    const { bookId, chapters } = await take([], `${put({})}/Salt.docx`);
    assert.equal(chapters[0]?.wordCount, 23);
    await sh("export", bookId, "-o", "back.docx");
    const sent = unzipSync(readFileSync(join(sh.cwd, "back.docx")))["word/document.xml"];
    const shown = strFromU8(sent!)
      .replace(/<\/w:p>/g, "\n")
      .replace(/<[^>]*>/g, "");
    for (const text of [...typed, "%% in parts %%"]) assert.ok(shown.includes(`\n${xml(text)}\n`), text);
    assert.match(
      (await sh("export", bookId, "-f", "html", "-o", "-")).stdout,
      /<p[^>]*>%% fix the date %%<\/p>/,
    );
    assert.equal((await take([], join(sh.cwd, "back.docx"))).act, null);
    const notes = sh.with({ stdin: "Late. %% fix the date %%\n" });
    await notes("import", "-", "--title", "Vault");
    assert.doesNotMatch((await sh("export", "Vault", "-f", "html", "-o", "-")).stdout, /date/);
  });
});
