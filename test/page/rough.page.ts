import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { suite } from "../support/sandbox.ts";
import { faultsInLooks } from "./support/axe.ts";
import { type PageLab, pageLab, SKIP, until } from "./support/page-lab.ts";

const HARM = '<script>window.harmed = 1</script><img src=x onerror="window.harmed = 1">';
const LONG = "The Chapter That Would Not End ".repeat(20).slice(0, 500).trim();
const HEBREW = "בראשית ברא אלהים את השמים ואת הארץ";

/** A book that nobody would write: harm in every text, a title of 500 characters, right-to-left prose, 400 chapters. */
describe("a rough book in a browser", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  let bookId: string;
  let chapterId: string;
  let factId: string;
  before(async () => {
    lab = await pageLab(scope);
    bookId = (await lab.script("POST", "/books", { title: LONG })).body.id;
    const part = await lab.script("POST", `/books/${bookId}/parts`, { title: HARM });
    const markdown = `# ${HEBREW}\n\n${HEBREW}\n\n[follow me](javascript:window.harmed=1) and ${HARM}\n\n${HARM}\n\n${"w".repeat(5000)}\n`;
    const made = await lab.script("POST", `/books/${bookId}/chapters`, {
      title: HARM,
      partId: part.body.id,
      markdown,
    });
    chapterId = made.body.id;
    await lab.script("PUT", `/chapters/${chapterId}/synopsis`, { synopsis: `${HEBREW} ${HARM}` });
    const fact = await lab.script("POST", `/books/${bookId}/facts`, {
      name: "follow",
      kind: HARM.slice(0, 40),
      aliases: [HARM],
      summary: HARM,
      attributes: [{ key: HARM.slice(0, 60), value: HARM }],
    });
    factId = fact.body.id;
    await lab.script("POST", `/books/${bookId}/mentions/reanchor`);
    await lab.script("POST", `/books/${bookId}/snippets`, { kind: "note", chapterId, text: HARM });
    for (let count = 1; count < 400; count++)
      await lab.script("POST", `/books/${bookId}/chapters`, {
        title: `Chapter ${count}`,
        partId: part.body.id,
      });
  });
  after(scope.end);

  it("harms nobody, stays within the window and can be used by everybody, wide and narrow", async () => {
    const faults: string[] = [];
    const chapter = `/b/${bookId}/c/${chapterId}`;
    const paths = ["", "/map", `/map/${factId}`, "/notes", "/acts", "/replace", "/review"].map(
      (path) => `/b/${bookId}${path}`,
    );
    for (const path of [...paths, chapter, `${chapter}/edit`, `${chapter}/history`]) {
      const { page, context, complaints } = await lab.open(path);
      faults.push(...[...(await faultsInLooks(page)), ...complaints].map((fault) => `${path}: ${fault}`));
      const [harmed, links] = (await page.evaluate(
        "[window.harmed, document.querySelectorAll('a[href^=\"javascript:\"]').length]",
      )) as [unknown, number];
      if (harmed || links > 0) faults.push(`${path}: a text of the book ran, or could be pressed to run`);
      await context.close();
    }
    assert.deepEqual(faults, []);
  });

  it("400 chapters are one request, and the last is reached", async () => {
    const { page, complaints } = await lab.open(`/b/${bookId}`);
    await page.locator("a[data-chapter]", { hasText: "Chapter 399" }).scrollIntoViewIfNeeded();
    assert.equal(await page.locator("a[data-chapter]").count(), 400);
    await page.getByRole("button", { name: "Synopsis of Chapter 399" }).waitFor(); // it can be changed, too
    assert.deepEqual(complaints, []);
  });

  it("a chapter of hundreds of paragraphs is all there after a moment, and at once where one of them is named", async () => {
    const markdown = Array.from({ length: 600 }, (_, index) => `Paragraph ${index + 1} of the long one.`);
    const long = await lab.script("POST", `/books/${bookId}/chapters`, {
      title: "Long",
      markdown: markdown.join("\n\n"),
    });
    const { page, complaints } = await lab.open(`/b/${bookId}/c/${long.body.id}`);
    await page.getByText("Paragraph 600 of the long one.").waitFor({ state: "attached" });
    const ids = await page.locator(".prose [data-block]").evaluateAll((blocks) => blocks.map(({ id }) => id));
    assert.equal(ids.length, 600);
    await page.goto(`${lab.url}/b/${bookId}/c/${long.body.id}#${ids[590]}`);
    await page.reload();
    await until(
      page,
      `(({ top } = {}) => top > 0 && top < innerHeight)(document.getElementById("${ids[590]}")?.getBoundingClientRect())`,
    );
    assert.deepEqual(complaints, []);
  });
});
