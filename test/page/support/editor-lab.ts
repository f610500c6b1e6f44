import type { Page } from "playwright-core";
import { drawn, type PageLab, type Tab } from "./page-lab.ts";

/** A chapter that is open for writing in a browser. */
export interface OpenChapter extends Tab {
  bookId: string;
  chapterId: string;
  /** The ids of its paragraphs as the text was opened. */
  ids: string[];
  /** Puts the cursor into the paragraph that reads so, behind so many characters; with `to` selects up to there. */
  at(text: string, offset: number, to?: number): Promise<void>;
  /** Id and text of each block, as they are shown. */
  shape(): Promise<[id: string | null, text: string][]>;
  /** Waits until what was done last is drawn. */
  shown(): Promise<void>;
  /** Ctrl-S, and waits until all is saved. */
  save(): Promise<void>;
  /** The chapter's Markdown on the server, without its last line end. */
  markdown(): Promise<string>;
}

/** Makes a book with one chapter. */
export async function makeChapter(
  lab: PageLab,
  markdown: string,
): Promise<{ bookId: string; chapterId: string }> {
  const book = await lab.script("POST", "/books", { title: "A Trial" });
  const chapter = await lab.script("POST", `/books/${book.body.id}/chapters`, { title: "One", markdown });
  return { bookId: book.body.id, chapterId: chapter.body.id };
}

/** Opens a new chapter, or with `place` one that is there, for writing. */
export async function openChapter(
  lab: PageLab,
  markdown: string,
  options: { beside?: Tab; place?: { bookId: string; chapterId: string }; width?: number } = {},
): Promise<OpenChapter> {
  const { place, ...how } = options;
  const { bookId, chapterId } = place ?? (await makeChapter(lab, markdown));
  const tab = await lab.open(`/b/${bookId}/c/${chapterId}/edit`, how);
  const { page } = tab;
  await page.locator(".text").waitFor();
  const opened = { ...tab, ...onPage(page), bookId, chapterId };
  const ids = (await opened.shape()).map(([id]) => id ?? "");
  const read = async () =>
    (await lab.script("GET", `/chapters/${chapterId}?format=markdown`)).body.markdown as string;
  return { ...opened, ids, markdown: async () => (await read()).replace(/\n$/, "") };
}

/** What is done and seen in a tab that writes. */
export function onPage(page: Page): Pick<OpenChapter, "at" | "shape" | "shown" | "save"> {
  const shown = () => drawn(page);
  return {
    async at(text, offset, to = offset) {
      await page.locator(".text").focus();
      await page.evaluate(`(${selectIn})(${JSON.stringify(text)}, ${offset}, ${to})`);
      await shown(); // the text hears of a selection a moment later
    },
    shape: () =>
      page.evaluate(
        `[...document.querySelectorAll(".text :is(p, h1, h2, h3, h4, h5, h6, pre, hr)")].map((block) => [block.getAttribute("data-block"), block.textContent])`,
      ),
    shown,
    async save() {
      await page.keyboard.press("Control+s");
      await page.locator(".strip-status .how.saved").waitFor();
    },
  };
}

// Runs in the page, as it is written here; an offset below 0 counts from the end.
const selectIn = `(text, from, to) => {
  const all = [...document.querySelectorAll(".text :is(p, h1, h2, h3, h4, h5, h6, pre)")];
  const block = all.find(({ textContent }) => textContent === text);
  if (block === undefined) throw new Error("no paragraph reads " + text);
  const spot = (offset) => {
    let left = offset < 0 ? text.length + 1 + offset : offset;
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { length } = walker.currentNode;
      if (left <= length) return [walker.currentNode, left];
      left -= length;
    }
    return [block, 0];
  };
  getSelection().setBaseAndExtent(...spot(from), ...spot(to));
}`;
