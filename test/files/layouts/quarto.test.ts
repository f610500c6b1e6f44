import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { desk, titled } from "./desk.ts";

const BOOK = {
  "_quarto.yml": [
    "project:",
    "  type: book",
    "  output-dir: _book",
    "book:",
    '  title: "Salt: A Novel"',
    "  chapters:",
    "    - index.qmd",
    "    - part: Inland",
    "      chapters:",
    "        - ./inland/road.qmd",
    "        - text: The Well",
    "          file: inland/well.md",
    "    - part: coast/coast.qmd",
    "      chapters: [coast/pier.qmd, figures.ipynb]",
    "  appendices:",
    "    - tides.qmd",
  ],
  "index.qmd": '---\ntitle: "Preface"\nformat: html\nstatus: WIP\n---\n\nDry air.\n',
  "inland/road.qmd": ["```{r}", "# not this", "```", "", "# The *Road* {#sec-road .unnumbered}", "", "Dust."],
  "inland/well.md": "Water.\n",
  "coast/coast.qmd": "# On the Coast {.part}\n\nFoam.\n",
  "coast/pier.qmd": "# Pier\n\nPlanks.\n",
  "tides.qmd": "# Tides\n\nTwice a day.\n",
  "references.bib": "@book{x}\n",
  "loose.qmd": "# Loose\n",
};

describe("Quarto", () => {
  it("is read in the order, parts and titles of _quarto.yml", async (t) => {
    const { take, outline, prose } = await desk(t, BOOK);
    const { layout, why, title, bookId, skipped } = await take();
    assert.deepEqual([layout, why, title], ["quarto", "_quarto.yml", "Salt: A Novel"]);
    const chapters = await outline(bookId);
    assert.deepEqual(titled(chapters), [
      "Preface",
      "Inland / The Road",
      "Inland / well",
      "On the Coast / On the Coast",
      "On the Coast / Pier",
      "Appendices / Tides",
    ]);
    assert.deepEqual([chapters[0]?.status, (await prose(bookId))[0]], ["draft", "\nDry air.\n"]);
    assert.deepEqual(skipped, [
      { file: "figures.ipynb", reason: "not Markdown" },
      { file: "loose.qmd", reason: "_quarto.yml does not list it; --adopt takes it in" },
      { file: "references.bib", reason: "not Markdown" },
    ]);
  });

  it("comes out as a folder of our own that comes back without a change", async (t) => {
    const { take, sh } = await desk(t, BOOK);
    const { bookId } = await take();
    assert.equal((await sh("export", bookId, "-o", "out")).exit, 0);
    const again = await sh("import", "out", "--book", bookId, "--exit-code");
    assert.equal(again.exit, 0, again.stdout);
  });

  it("is not taken for a book where the project is a website, nor where it cannot be read", async (t) => {
    const { take, put, refusal } = await desk(t, {
      "_quarto.yml": "project:\n  type: website\n",
      "a.md": "A.\n",
    });
    assert.equal((await take()).layout, "folder");
    for (const [lines, message] of [
      [
        ["project: {type: book}", "book:", "  chapters: [a.md"],
        /_quarto\.yml is not valid YAML: .* in line \d/,
      ],
      [["project: {type: book}"], /_quarto\.yml: book\.chapters must be a list/],
      [["project: {type: book}", "book: {chapters: [{}]}"], /book\.chapters\[0\] must be a file, or a part/],
      [["project: {type: book}", "book: {chapters: [b.md]}"], /b\.md, which _quarto\.yml lists/],
      [["project: {type: book}", "book: {chapters: [../b.md]}"], /hidden or outside/],
      [["project: {type: book}", `book: ${"[".repeat(20_000)}`], /nested too deep|not valid YAML/],
    ] as const) {
      put({ "_quarto.yml": lines });
      assert.match(await refusal(), message);
    }
    assert.equal((await take(["--layout", "folder"])).layout, "folder");
  });
});
