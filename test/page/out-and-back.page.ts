import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import type { Page } from "playwright-core";
import { del, docx, h1, ins, p, r } from "../files/layouts/word/docx.ts";
import { suite } from "../support/sandbox.ts";
import { faultsOf } from "./support/axe.ts";
import { type PageLab, pageLab, SKIP, until } from "./support/page-lab.ts";

describe("a book goes out and comes back in a browser", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  const exporting = async () => {
    const tab = await lab.open(`/b/${lab.bookId}`);
    await tab.page.getByRole("button", { name: "Books" }).click();
    await tab.page.getByRole("link", { name: "Export …" }).click();
    await tab.page.getByRole("heading", { name: "Export" }).waitFor();
    return tab;
  };
  const chapters = async () => (await lab.script("GET", `/books/${lab.bookId}`)).body.chapters;
  const textOf = async (chapterId: string) =>
    (await lab.script("GET", `/chapters/${chapterId}?format=blocks`)).body.blocks
      .map(({ markdown }: { markdown: string }) => markdown)
      .join("\n");

  it("each format is saved under its name, whole", async () => {
    const { page, complaints } = await exporting();
    for (const [label, ending, parts] of [
      ["Word", "docx", ["[Content_Types].xml", "word/document.xml"]],
      ["EPUB", "epub", ["mimetype", "META-INF/container.xml"]],
      ["One HTML file", "html", []],
      ["File for beta readers", "review.html", []],
    ] as const) {
      await page.getByRole("radio", { name: label }).check();
      const { name, bytes } = await downloaded(page, "Download");
      assert.equal(name, `Fare Not Taken.${ending}`);
      if (parts.length > 0) {
        const names = Object.keys(unzipSync(bytes));
        assert.deepEqual(
          parts.filter((part) => !names.includes(part)),
          [],
        );
      } else assert.match(bytes.toString(), /^<!doctype html>.*<\/html>\s*$/s);
    }
    assert.deepEqual(await faultsOf(page), []);
    assert.deepEqual(complaints, []);
  });

  it("a choice of chapters goes out, and notes only where they are asked for", async () => {
    const [first, second, third] = await chapters();
    const { blocks } = (await lab.script("GET", `/chapters/${second.id}?format=blocks`)).body;
    const note = { chapterId: second.id, blockId: blocks[1].blockId, kind: "note", text: "Is this true?" };
    await lab.script("POST", `/books/${lab.bookId}/snippets`, note);
    const { page, complaints } = await exporting();
    await page.getByRole("combobox", { name: "Chapters" }).selectOption("some");
    assert.ok(await page.getByRole("button", { name: "Download" }).isDisabled());
    await page.getByRole("checkbox", { name: second.title }).check();
    await page.getByRole("checkbox", { name: third.title }).check();
    const without = unzipSync((await downloaded(page, "Download")).bytes);
    const document = strFromU8(without["word/document.xml"]!); // every document has it
    assert.ok(document.includes(second.title) && document.includes(third.title));
    assert.ok(!document.includes(first.title));
    assert.equal(without["word/comments.xml"], undefined);
    await page.getByRole("checkbox", { name: "Notes" }).check();
    const noted = unzipSync((await downloaded(page, "Download")).bytes);
    assert.match(strFromU8(noted["word/comments.xml"]!), /Is this true\?/);
    assert.deepEqual(complaints, []);
  });

  it("a preview is dressed, runs no script, and is printed", async () => {
    const { page, complaints } = await exporting();
    await page.getByRole("button", { name: "Preview" }).click();
    const frame = page.frameLocator("iframe");
    await frame.getByRole("heading", { name: "Fare Not Taken" }).first().waitFor();
    const IN = "document.querySelector('iframe').contentDocument";
    await until(page, `getComputedStyle(${IN}.querySelector(".chapter p:not(.first)")).textIndent !== "0px"`);
    assert.equal(await page.locator("iframe").getAttribute("sandbox"), "allow-same-origin allow-modals");
    assert.equal(await page.evaluate(`${IN}.querySelectorAll("script, style").length`), 0);
    await page.getByRole("radio", { name: "PDF" }).check();
    // Before the page's own listener: in a test nobody answers the window that asks for a printer.
    await page.evaluate(`window.printed = 0; document.addEventListener("load", ({ target }) => {
      if (target.contentWindow) target.contentWindow.print = () => window.printed++;
    }, true)`);
    await page.getByRole("button", { name: "Print" }).click();
    await until(page, "window.printed === 1");
    assert.deepEqual(await faultsOf(page), []);
    assert.deepEqual(complaints, []);
  });

  it("export and import are found by name", async () => {
    const { page } = await lab.open(`/b/${lab.bookId}`);
    await page.keyboard.press("/");
    const field = page.getByRole("combobox", { name: "Go to, or search" });
    await field.fill("impo");
    await page.getByRole("option", { name: "Import" }).waitFor();
    await field.fill("export");
    await field.press("Enter");
    await page.getByRole("heading", { name: "Export" }).waitFor();
  });

  it("a Word file that was edited is dropped, shows its plan, is merged and undone", async () => {
    const [, , third] = await chapters();
    const before = await textOf(third.id);
    const out = await exporting();
    const { name, bytes } = await downloaded(out.page, "Download");
    await out.page.goto(`${lab.url}/b/${lab.bookId}`);
    const word = before.split("\n").at(-1)!.split(" ")[0]!; // of the last paragraph
    const returned = edited(bytes, (xml) => {
      const at = xml.lastIndexOf(`>${word} `);
      assert.ok(at > 0);
      return `${xml.slice(0, at)}>Salted ${xml.slice(at + 1)}`;
    });
    await drop(out.page, name, returned);
    await out.page.getByText("1 chapter to change").waitFor();
    assert.equal(await textOf(third.id), before, "nothing is written yet");
    assert.deepEqual(await faultsOf(out.page), []);
    await out.page.getByRole("button", { name: "Import it" }).click();
    const toast = out.page.locator(".toast", { hasText: "is imported" });
    await toast.waitFor();
    assert.match(await textsOf(), /Salted /);
    await toast.getByRole("button", { name: "Undo" }).click();
    await out.page.locator(".toast", { hasText: "Undone" }).waitFor();
    assert.doesNotMatch(await textsOf(), /Salted /);
    assert.deepEqual(out.complaints, []);
  });

  const textsOf = async () =>
    (await Promise.all((await chapters()).map(({ id }: { id: string }) => textOf(id)))).join("\n");

  it("tracked changes are proposed, accepted or left out, as the plan says", async () => {
    const { page, complaints } = await exporting();
    const { name, bytes } = await downloaded(page, "Download");
    const [, run = "", said = ""] =
      /(<w:r>(?:<w:rPr>(?:(?!<\/w:rPr>).)*<\/w:rPr>)?<w:t xml:space="preserve">([^<]{60,})<\/w:t><\/w:r>)/.exec(
        strFromU8(unzipSync(bytes)["word/document.xml"]!),
      ) ?? [];
    const [first = "", ...rest] = said.split(" ");
    const returned = edited(bytes, (xml) =>
      xml.replace(run, () => ins("Zounds! ") + del(first) + r(` ${rest.join(" ")}`)),
    );
    await page.goto(`${lab.url}/b/${lab.bookId}`);
    await drop(page, name, returned);
    await page
      .getByText(/\d changes? to propose/)
      .first()
      .waitFor();
    await page.getByLabel("Tracked changes").selectOption("reject");
    await page.getByText("Nothing would change").waitFor();
    assert.ok(await page.getByRole("button", { name: "Import it" }).isDisabled());
    await page.getByLabel("Tracked changes").selectOption("accept");
    await page.getByText("1 chapter to change").waitFor();
    await page.getByLabel("Tracked changes").selectOption("propose");
    await page
      .getByText(/\d changes? to propose/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Import it" }).click();
    await page.locator(".toast", { hasText: "among its proposals" }).waitFor();
    const { body } = await lab.script("GET", `/books/${lab.bookId}/proposals`);
    assert.equal(body.total, 1);
    assert.doesNotMatch(await textsOf(), /Zounds/);
    assert.deepEqual(complaints, []);
  });

  it("another's Word file is a new book, or goes into one that is chosen", async () => {
    const { page, complaints } = await lab.open(`/b/${lab.bookId}`);
    await drop(page, "Salt.docx", docx({ body: h1("Ebb") + p("The tide had gone.") }));
    await page.getByLabel("Title", { exact: true }).waitFor();
    await page.getByLabel("Into").selectOption({ label: "Fare Not Taken" });
    await page.getByText("1 new chapter").waitFor();
    await page.getByLabel("Into").selectOption({ label: "A new book" });
    await page.getByLabel("Title", { exact: true }).fill("Low Tide");
    await page.getByRole("button", { name: "Import it" }).click();
    await page.getByRole("heading", { name: "Low Tide" }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it("comments of beta readers become notes on their paragraphs, once", async () => {
    const [first] = await chapters();
    const { blocks } = (await lab.script("GET", `/chapters/${first.id}?format=blocks`)).body;
    const saved = (reader: string, at: number) => ({
      name: `${reader}.comments.json`,
      mimeType: "application/json",
      buffer: Buffer.from(
        JSON.stringify({
          ...{ manuscriptReview: 1, title: "Fare Not Taken", bookId: lab.bookId, reader },
          comments: [{ chapterId: first.id, blockId: blocks[at].blockId, quote: "", text: "So good" }],
        }),
      ),
    });
    const { page, complaints } = await lab.open("/?new");
    const choose = () =>
      page.getByLabel("Files", { exact: true }).setInputFiles([saved("Ida", 1), saved("Tom", 2)]);
    await choose();
    await page.getByText("2 new comments").waitFor();
    await page.getByText("with the name of Ida, Tom").waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole("button", { name: "Import it" }).click();
    await page.getByRole("heading", { name: "Notes" }).waitFor();
    const { snippets } = (await lab.script("GET", `/books/${lab.bookId}/snippets`)).body;
    assert.deepEqual(
      snippets
        .filter(({ text }: { text: string }) => text === "So good")
        .map((note: { blockId: string; author: string }) => [note.author, note.blockId])
        .sort(),
      [
        ["Ida", blocks[1].blockId],
        ["Tom", blocks[2].blockId],
      ],
    );
    await page.goto(`${lab.url}/?new`);
    await choose();
    await page.getByText("Nothing would change").waitFor();
    assert.deepEqual(complaints, []);
  });

  it("a file that cannot be read is refused in words, and the page is as it was", async () => {
    const { page, complaints } = await lab.open("/?new");
    await page.getByLabel("Files", { exact: true }).setInputFiles({
      name: "x.docx",
      mimeType: "application/zip",
      buffer: Buffer.from("PK\u0003\u0004no"),
    });
    await page.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Choose files" }).waitFor();
    assert.deepEqual(
      complaints.filter((complaint) => !/status of 400/.test(complaint)),
      [],
    );
  });
});

async function downloaded(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const wait = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  const download = await wait;
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** A Word document whose text was changed. */
function edited(bytes: Buffer, change: (xml: string) => string): Buffer {
  const parts = unzipSync(bytes);
  parts["word/document.xml"] = strToU8(change(strFromU8(parts["word/document.xml"]!))); // every document has it
  return Buffer.from(zipSync(parts));
}

/** Drops a file somewhere on the page. */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const given = await page.evaluateHandle(`(() => {
    const bytes = Uint8Array.from(atob("${bytes.toString("base64")}"), (sign) => sign.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], ${JSON.stringify(name)}));
    return transfer;
  })()`);
  await page.locator("main").dispatchEvent("drop", { dataTransfer: given });
}
