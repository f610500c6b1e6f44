import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { suite } from "../support/sandbox.ts";
import { type PageLab, pageLab, SKIP, signIn } from "./support/page-lab.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="document.title=1"><script>parent.evil = 1</script></svg>';
const TEXT =
  "# Maps\n\nHere ![the quay](../images/the%20map.png) and ![drawn](root.svg), ![gone](https://example.org/a.png).\n";

describe("pictures that the book keeps", { skip: SKIP }, () => {
  const scope = suite();
  after(scope.end);
  let lab: PageLab;
  let bookId: string;
  let chapterId: string;
  before(async () => {
    lab = await pageLab(scope);
    const answer = await fetch(`${lab.url}/api/v1/owner/import`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${await signIn(lab.own, lab.url)}`,
        "Content-Type": "application/json",
      },
      body: JSON.stringify({
        files: [
          { path: "Tide/one/1.md", text: TEXT },
          { path: "Tide/images/the map.png", base64: PIXEL },
          { path: "Tide/one/root.svg", text: SVG },
        ],
      }),
    });
    const taken = (await answer.json()) as { bookId: string; chapters: { id: string }[] };
    bookId = taken.bookId;
    chapterId = taken.chapters[0]?.id ?? "";
  });

  const SHOWN = `[...document.querySelectorAll(PLACE + " img")].map(({ alt, naturalWidth }) => [alt, naturalWidth])`;
  const both = [
    ["the quay", 1],
    ["drawn", 40],
  ];
  const waitFor = (place: string) =>
    `[...document.querySelectorAll("${place} img")].filter(({ complete, naturalWidth }) => complete && naturalWidth > 0).length === 2`;

  it("are shown where the prose is read, and words where there is none", async () => {
    const { page, complaints } = await lab.open(`/b/${bookId}/c/${chapterId}`);
    await page.waitForFunction(waitFor(".prose"));
    assert.deepEqual(await page.evaluate(SHOWN.replace("PLACE", '".prose"')), both);
    assert.equal(await page.locator(".prose span.picture").textContent(), "[gone]");
    assert.equal(await page.evaluate("typeof evil + document.title.includes(1)"), "undefinedfalse");
    assert.deepEqual(complaints, []);
  });

  it("are shown where it is written, and stay in the text as they were", async () => {
    const { page, complaints } = await lab.open(`/b/${bookId}/c/${chapterId}/edit`);
    await page.waitForFunction(waitFor(".text"));
    assert.deepEqual(await page.evaluate(SHOWN.replace("PLACE", '".text"')), both);
    await page
      .locator(".text p")
      .first()
      .click({ position: { x: 1, y: 1 } });
    await page.keyboard.press("Home");
    await page.keyboard.type("Look: ");
    const wanted = TEXT.replace("Here", "Look: Here");
    const saved = async () =>
      (await lab.script("GET", `/chapters/${chapterId}?format=markdown`)).body.markdown === wanted;
    for (let tries = 0; tries < 100 && !(await saved()); tries++) await page.waitForTimeout(100);
    assert.equal((await lab.script("GET", `/chapters/${chapterId}?format=markdown`)).body.markdown, wanted);
    assert.deepEqual(complaints, []);
  });
});
