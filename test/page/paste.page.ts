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
