import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { suite } from "../support/sandbox.ts";
import { openChapter } from "./support/editor-lab.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";

const DOCS = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1">
<p dir="ltr" style="line-height:1.38;"><span style="font-weight:400;font-style:normal;">Plain, </span><span
style="font-size:11pt;font-weight:400;font-style:italic;">slanted</span><span>, then </span><span style="font-weight:700;font-style:italic;">both</span><span> and </span><span style="text-decoration:line-through;">out</span></p><br><p dir="ltr"><span style="font-weight:400">Second.</span></p></b>`;
const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><body><!--StartFragment--><p class=MsoNormal
style='margin:0'><span lang=EN-US style='mso-ansi-language:EN-US'>She said <b style='mso-bidi-font-weight:normal'>“Stop”</b> and <i style='mso-bidi-font-style:normal'>ran</i>.<o:p></o:p></span></p>
<p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal align=center style='text-align:center'>* * *</p><p class=MsoNormal>After.</p><!--EndFragment--></body></html>`;

/** As Word for Windows has it: notes with links to the file's own places, and lists that are paragraphs. */
const WORD_NOTES = `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {margin:0cm;} --></style></head><body lang=EN-GB style='tab-interval:36.0pt'><!--StartFragment--><p class=MsoNormal><span lang=EN-GB>The ferry sank<a style='mso-footnote-id:ftn1' href="#_ftn1" name="_ftnref1" title=""><span class=MsoFootnoteReference><span lang=EN-GB><span style='mso-special-character:footnote'><![if !supportFootnotes]><span class=MsoFootnoteReference><span lang=EN-GB style='font-size:12.0pt'>[1]</span></span><![endif]></span></span></span></a> that night<a style='mso-footnote-id:ftn2' href="file:///C:/Users/x/book.htm#_ftn2" name="_ftnref2" title=""><span class=MsoFootnoteReference>[2]</span></a>.<o:p></o:p></span></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span lang=EN-GB style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]><span lang=EN-GB>A rope<o:p></o:p></span></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span style='font-family:"Courier New"'><span style='mso-list:Ignore'>o<span>&nbsp;&nbsp; </span></span></span><![endif]>of <i>hemp</i></p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp;</span></span><![endif]>A lamp</p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><![if !supportLists]><span style='mso-list:Ignore'>3.<span>&nbsp;</span></span><![endif]>Third</p>
<p class=MsoNormal>See <a href="#_Toc1">the map</a> and <a href="https://example.org/a">this</a>.</p>
<!--EndFragment--><div style='mso-element:footnote-list'><![if !supportFootnotes]><br clear=all><hr align=left size=1 width="33%"><![endif]><div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText><a style='mso-footnote-id:ftn1' href="#_ftnref1" name="_ftn1" title=""><span class=MsoFootnoteReference>[1]</span></a> In the <i>Gazette</i>.<o:p></o:p></p></div><div style='mso-element:footnote' id=ftn2><p class=MsoFootnoteText><a style='mso-footnote-id:ftn2' href="#_ftnref2" name="_ftn2" title="">[2]</a> A Tuesday.</p></div></div></body></html>`;
const DOCS_NOTES = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-2"><p dir="ltr"><span style="font-weight:400">The ferry sank</span><sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup><span>&nbsp;that night.</span></p><ul style="margin-top:0"><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>A rope</span></p></li><ul><li dir="ltr" aria-level="2"><p dir="ltr" role="presentation"><span style="font-style:italic">of hemp</span></p></li></ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>A lamp</span></p></li></ul><hr class="c10"><div><p class="c5"><a href="#ftnt_ref1" id="ftnt1">[1]</a><span>&nbsp;In the Gazette.</span></p></div></b>`;
const OFFICE_NOTES = `<!DOCTYPE HTML><html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"/><meta name="generator" content="LibreOffice 24.2"/><style type="text/css">a.sdfootnoteanc { font-size: 57% }</style></head><body lang="en-GB" dir="ltr"><p style="line-height: 100%; margin-bottom: 0in">The ferry sank<a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a> that <i>night</i>.</p><ol><li><p style="margin-bottom: 0in">A rope</p></li><li><p>A lamp</p></li></ol><div id="sdfootnote1"><p class="sdfootnote"><a class="sdfootnotesym" name="sdfootnote1sym" href="#sdfootnote1anc">1</a>In the Gazette.</p></div></body></html>`;

describe("what is pasted from a word processor", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  for (const [program, html, markdown] of [
    ["Google Docs", DOCS, "Plain, *slanted*, then ***both*** and ~~out~~\n\nSecond."],
    ["Word", WORD, "She said **“Stop”** and *ran*.\n\n***\n\nAfter."],
  ] as const)
    it(`of ${program} keeps its italics, bold and scene breaks, and none of its empty lines`, async () => {
      const opened = await openChapter(lab, "Before.");
      await opened.at("Before.", -1);
      await opened.page.keyboard.press("Enter");
      await paste(opened.page, html);
      await opened.save();
      assert.equal(await opened.markdown(), `Before.\n\n${markdown}`);
      assert.deepEqual(opened.complaints, []);
    });

  for (const [program, html, above, notes] of [
    [
      "Word",
      WORD_NOTES,
      "The ferry sank[^2] that night[^3].\n\n- A rope\n  - of *hemp*\n- A lamp\n\n3. Third\n\nSee the map and [this](https://example.org/a).",
      "[^2]: In the *Gazette*.\n\n[^3]: A Tuesday.",
    ],
    [
      "Google Docs",
      DOCS_NOTES,
      "The ferry sank[^2]\u00a0that night.\n\n- A rope\n  - *of hemp*\n- A lamp",
      "[^2]: In the Gazette.",
    ],
    [
      "LibreOffice",
      OFFICE_NOTES,
      "The ferry sank[^2] that *night*.\n\n1. A rope\n2. A lamp",
      "[^2]: In the Gazette.",
    ],
  ] as const)
    it(`of ${program} keeps footnotes and lists, and what is typed at once stands behind it`, async () => {
      const { page, at, save, markdown, complaints } = await openChapter(lab, "B[^1]efore.\n\n[^1]: Old.");
      await at("B1efore.", -1);
      await page.keyboard.press("Enter");
      await paste(page, html);
      await page.keyboard.type(" And");
      await page.locator("aside", { hasText: "Gazette" }).waitFor();
      await page.keyboard.type(" on.");
      await save();
      const [own = "", ...others] = (await markdown()).split("\n\n[^1]: Old.");
      assert.equal(own.replace(" And on.", ""), `B[^1]efore.\n\n${above}`);
      assert.ok(own.endsWith(" And on."), own);
      assert.deepEqual(others, [`\n\n${notes}`]);
      await page.keyboard.press("Control+z");
      assert.deepEqual(complaints, []);
    });

  for (const [place, text, rest] of [
    ["an empty paragraph", "Before.", ""],
    ["the start of a paragraph", "Before. End.", " End."],
  ] as const)
    it(`of Word that begins with a heading leaves no empty one in ${place}`, async () => {
      const { page, at, save, markdown, complaints } = await openChapter(lab, text);
      await at(text, 7);
      await page.keyboard.press("Enter");
      await paste(page, WORD_NOTES.replace("<p class=MsoNormal>", "<h2>Two</h2>$&"));
      await page.locator("aside", { hasText: "Gazette" }).waitFor();
      await save();
      const [above = ""] = (await markdown()).split("\n\n[^1]: ");
      assert.ok(above.startsWith("Before.\n\n## Two\n\nThe ferry sank[^1]"), above);
      assert.ok(above.endsWith(`and [this](https://example.org/a).${rest}`), above);
      assert.deepEqual(complaints, []);
    });

  it("of Word goes again by one undo", async () => {
    const { page, at, complaints } = await openChapter(lab, "Before.");
    await at("Before.", -1);
    // What reads it comes late, on a slow way.
    await page.route("**/*.js", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 800));
      await route.continue();
    });
    await paste(page, WORD_NOTES);
    await page.locator("aside", { hasText: "Gazette" }).waitFor();
    await page.keyboard.press("Control+z");
    await page.locator("aside").waitFor({ state: "detached" });
    assert.equal(await page.locator(".text").textContent(), "Before.");
    assert.deepEqual(complaints, []);
  });

  it("of Markdown is read as Markdown; undo, and Ctrl+Shift+V, have it as it was", async () => {
    const { page, at, save, markdown, complaints, context } = await openChapter(lab, "Before.");
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.evaluate(
      `navigator.clipboard.writeText("# Two\\n\\nShe *ran*, \`so\`, 3*4*5 or \`3*4*5\`,[^a] [on](https://example.org).\\n\\n- one\\n- two\\n\\n[^a]: Far.")`,
    );
    await at("Before.", -1);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+v");
    await page.keyboard.type("!");
    await page.locator(".text em").waitFor();
    await save();
    const read =
      "Before.\n\n# Two\n\nShe *ran*, `so`, 3\\*4\\*5 or `3*4*5`,[^a] [on](https://example.org).\n\n- one\n- two!\n\n[^a]: Far.";
    assert.equal(await markdown(), read);
    for (let count = 0; (await page.locator(".text em").count()) > 0 && count < 3; count++)
      await page.keyboard.press("Control+z");
    await page.getByText("She *ran*").waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+Shift+v");
    await page.getByText("She *ran*, `so`, 3*4*5 or").waitFor();
    await page.waitForTimeout(300);
    assert.equal(await page.locator(".text em, .text ul").count(), 0);
    assert.deepEqual(complaints, []);
  });

  it("of this page's own text is as it was", async () => {
    const { page, at, save, markdown } = await openChapter(lab, "A *slanted* word.\n\n\\* * *\n\nLast.");
    await at("A slanted word.", 0);
    for (const keys of ["Control+a", "Control+x", "Control+v"]) await page.keyboard.press(keys);
    await save();
    assert.equal(await markdown(), "A *slanted* word.\n\n\\* * *\n\nLast.");
  });
});

/** Pastes as a program's clipboard has it; the browser's own way to fill one would tidy it first. */
async function paste(page: Page, html: string): Promise<void> {
  await page.evaluate(`
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", ${JSON.stringify(html)});
    document.querySelector(".text").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  `);
}
