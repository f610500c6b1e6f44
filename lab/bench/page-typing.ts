import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { CDPSession, Page } from "playwright-core";
import { onPage } from "../../test/page/support/editor-lab.ts";
import { pageLab, SKIP } from "../../test/page/support/page-lab.ts";
import { suite } from "../../test/support/sandbox.ts";
import { chapterOf, type Line, median, report } from "./report.ts";

// What a key costs the browser's main thread in a chapter of 20,000 words, beside the same text in a bare contenteditable.
const WORDS = 20_000;
const KEYS = 150;
const NOTES = 30;
const KEY = "abcde fghij";

if (SKIP !== undefined) {
  console.error(`page-typing is left out: ${SKIP}`);
  process.exit(0);
}

const scope = suite();
const lab = await pageLab(scope);
const { body: book } = await lab.script("POST", "/books", { title: "Bench" });
const { body: chapter } = await lab.script("POST", `/books/${book.id}/chapters`, {
  title: "Long",
  markdown: chapterOf(WORDS),
});
const { body: read } = await lab.script("GET", `/chapters/${chapter.id}?format=doc`);
const ids: string[] = read.doc.content.map((block: { attrs: { blockId: string } }) => block.attrs.blockId);
for (let count = 0; count < NOTES; count++)
  await lab.script("POST", `/books/${book.id}/snippets`, {
    kind: "note",
    blockId: ids[Math.floor((count * ids.length) / NOTES)],
    text: `Note ${count}`,
  });

const { page, context } = await lab.open(`/b/${book.id}/c/${chapter.id}/edit`);
await page.locator(".margin > div").first().waitFor();
const middle = ((await onPage(page).shape())[ids.length >> 1] as [string, string])[1];
await onPage(page).at(middle, 20);
const editor = await measure(await context.newCDPSession(page), page);
await onPage(page).save();

const bare = await context.newPage();
const texts: string[] = (await onPage(page).shape()).map(([, text]) => text);
await bare.goto(`${lab.url}/docs`);
await bare.evaluate(`
  document.body.innerHTML = "";
  const text = document.createElement("div");
  text.contentEditable = "true";
  for (const words of ${JSON.stringify(texts)}) {
    const block = document.createElement("p");
    block.textContent = words;
    text.append(block);
  }
  document.body.append(text);
  const middle = text.children[text.children.length >> 1];
  middle.scrollIntoView();
  text.focus();
  getSelection().collapse(middle.firstChild, 20);
`);
const plain = await measure(await context.newCDPSession(bare), bare);
await scope.end();

const ratio = editor.cpu / plain.cpu;
const chunk = editorChunk();
const lines: Line[] = [
  { what: "a key, main-thread CPU", value: editor.cpu, unit: "ms", bar: "≤ 12", met: editor.cpu <= 12 },
  { what: "of it script", value: editor.script, unit: "ms" },
  { what: "a key to the next frame, median", value: editor.wall, unit: "ms" },
  { what: "a key in a bare contenteditable, CPU", value: plain.cpu, unit: "ms" },
  { what: "ratio", value: ratio, unit: "×", bar: "≤ 3", met: ratio <= 3 },
  { what: "editor chunk, compressed", value: chunk / 1000, unit: "kB", bar: "≤ 76", met: chunk <= 76_000 },
];
report(`page-typing: ${WORDS} words, ${NOTES} notes, saving on`, lines);

/** Types with pauses, as one does, and divides what the main thread spent by the keys. */
async function measure(cdp: CDPSession, on: Page): Promise<{ cpu: number; script: number; wall: number }> {
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  await on.keyboard.type("warm up the keys ", { delay: 10 });
  await on.evaluate(`
    window.walls = [];
    addEventListener("keydown", ({ timeStamp }) => requestAnimationFrame(() => {
      const after = new MessageChannel();
      after.port1.onmessage = () => walls.push(performance.now() - timeStamp);
      after.port2.postMessage(0);
    }), true);
  `);
  const metrics = async () => {
    const { metrics: all } = await cdp.send("Performance.getMetrics");
    return new Map(all.map(({ name, value }) => [name, value]));
  };
  const start = await metrics();
  for (let count = 0; count < KEYS; count++) {
    const key = KEY[count % KEY.length] ?? "a";
    await on.keyboard.press(key === " " ? "Space" : key);
    await on.waitForTimeout(30);
  }
  const end = await metrics();
  const perKey = (name: string) => (1000 * ((end.get(name) ?? 0) - (start.get(name) ?? 0))) / KEYS;
  const walls = (await on.evaluate("window.walls")) as number[];
  return { cpu: perKey("TaskDuration"), script: perKey("ScriptDuration"), wall: median(walls) };
}

/** The bytes, compressed, of what is loaded before the first key besides what every view loads. */
function editorChunk(): number {
  const folder = join(import.meta.dirname, "../../dist/page");
  const files = readdirSync(folder);
  const code = (name: string) => readFileSync(join(folder, name));
  const needed = (start: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(start)) return seen;
    seen.add(start);
    for (const [, name = ""] of code(start)
      .toString()
      .matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g))
      needed(name, seen);
    return seen;
  };
  const entry = (name: string) =>
    files.find((file) => new RegExp(`^${name}-[A-Z0-9]{8}\\.js$`).test(file)) ?? "";
  const everywhere = needed(entry("page"));
  return [...needed(entry("writer"))]
    .filter((name) => !everywhere.has(name))
    .reduce((sum, name) => sum + gzipSync(code(name), { level: 9 }).length, 0);
}
