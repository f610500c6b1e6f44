import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";
import { startServer } from "../../src/http/server.ts";
import { findChromium } from "../support/chromium.ts";
import { randomFrom } from "../support/random.ts";
import { folder, suite } from "../support/sandbox.ts";
import { makeChapter, onPage, openChapter } from "./support/editor-lab.ts";
import { type PageLab, pageLab, SKIP, signIn } from "./support/page-lab.ts";

const START = "The ferry was late.\n\nNobody asked.";
/** What a browser says of a server that is gone. */
const GONE = /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|412 \(Precondition|401 \(Unauth/;

describe("writing while the server is gone", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  it("the server goes, the tab is closed, a script writes, and all of it is there again", async () => {
    const open = await openChapter(lab, START);
    const { page, at, save, context, bookId, chapterId, ids, complaints } = open;
    await at("Nobody asked.", -1);
    await page.keyboard.type(" Saved words.");
    await save();
    const port = Number(new URL(lab.url).port);
    await lab.server.close();
    await page.keyboard.type(" Typed while it was gone.");
    await page.locator(".how.offline").waitFor({ timeout: 15_000 });
    assert.match((await page.locator(".how").textContent()) ?? "", /Not saved.*Kept in this browser/);
    await page.waitForTimeout(300);
    await page.close({ runBeforeUnload: false });
    const again = await startServer({ host: "127.0.0.1", port, manuscripts: [lab.own] });
    lab.server = again;
    scope.after(() => again.close());
    await lab.script("PATCH", `/chapters/${chapterId}/paragraphs/${ids[0]}`, {
      markdown: "The ferry was very late.",
    });
    const next = await context.newPage();
    const bearer = await signIn(lab.own, lab.url); // sessions end with the server
    await next.addInitScript({ content: `localStorage.setItem("manuscript.session", "${bearer}")` });
    await next.goto(`${lab.url}/b/${bookId}/c/${chapterId}/edit`);
    await next.getByText("Typed while it was gone.").waitFor();
    await next.getByText("is in the text again").waitFor();
    await onPage(next).save();
    assert.equal(
      await open.markdown(),
      "The ferry was very late.\n\nNobody asked. Saved words. Typed while it was gone.",
    );
    assert.deepEqual(
      complaints.filter((line) => !GONE.test(line)),
      [],
    );
  });
});

describe("writing over a bad line", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  it("an answer that never comes doubles no paragraph", async () => {
    const { page, at, markdown, save } = await openChapter(lab, START);
    await at("The ferry was late.", -1);
    let isFirst = true;
    await page.route("**/prose", async (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      await route.fetch(); // it arrives
      await route.abort(); // its answer does not
    });
    await page.keyboard.press("Enter");
    await page.keyboard.type("A new one.");
    await page.locator(".how.offline").waitFor();
    await page.keyboard.type(" And more.");
    await save();
    assert.equal(await markdown(), "The ferry was late.\n\nA new one. And more.\n\nNobody asked.");
  });

  it("a session that ends keeps what was typed, says how to get in, and saves it after", async () => {
    const open = await openChapter(lab, START);
    const { page, at, markdown } = open;
    await at("Nobody asked.", -1);
    await page.route("**/api/v1/**", (route) =>
      route.fulfill({ status: 401, json: { error: "unauthorized", message: "The session is over." } }),
    );
    await page.keyboard.type(" Kept.");
    await page.getByText("manuscript open").first().waitFor();
    assert.match((await page.locator(".toasts").textContent()) ?? "", /kept in this browser/);
    await page.unroute("**/api/v1/**");
    await page.reload(); // signed in again: the lab's pages are, from their start
    await page.getByText("Nobody asked. Kept.").waitFor();
    await onPage(page).save();
    assert.equal(await markdown(), `${START} Kept.`);
  });

  it("closing asks only while something is unsaved", async () => {
    const { page, at, save } = await openChapter(lab, START);
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await at("Nobody asked.", -1);
    await page.keyboard.type(" X");
    await page.close({ runBeforeUnload: true });
    for (let turn = 0; turn < 40 && asked.length === 0; turn++) await wait(50);
    assert.deepEqual(asked, ["beforeunload"]);
    await save();
    await page.close({ runBeforeUnload: true });
    for (let turn = 0; turn < 40 && !page.isClosed(); turn++) await wait(50);
    assert.equal(page.isClosed(), true);
    assert.deepEqual(asked, ["beforeunload"]);
  });
});

const KILLS = 12;
const KEY_MS = 20;
/** What may be typed in 150 ms and be lost. */
const MOST_LOST = Math.ceil(150 / KEY_MS);

describe("a browser that is killed", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  it(`loses at most 150 ms of typing, and doubles nothing, ${KILLS} times`, {
    timeout: 600_000,
  }, async () => {
    const place = await makeChapter(lab, "Start.");
    const bearer = await signIn(lab.own, lab.url);
    const profile = folder(scope);
    const random = randomFrom(5);
    let typed = "";
    const lost: number[] = [];
    for (let kill = 0; kill <= KILLS; kill++) {
      const { browser, page } = await launch(
        profile,
        `${lab.url}/b/${place.bookId}/c/${place.chapterId}/edit`,
        bearer,
      );
      await page.locator(".text").waitFor();
      if (kill % 2 === 1) await page.getByText("is in the text again").waitFor();
      const found = ((await page.locator(".text").textContent()) ?? "").slice("Start.".length);
      assert.ok(
        found.startsWith(typed) || typed.startsWith(found),
        `found “${found.slice(-40)}” of “${typed.slice(-40)}”`,
      );
      lost.push(Math.max(0, typed.length - found.length));
      typed = found;
      if (kill < KILLS)
        typed += await typeUntilKilled(page, browser, { kill, enough: 10 + Math.floor(50 * random()) });
      else {
        await onPage(page).save();
        process.kill(-(browser.pid ?? 0), "SIGKILL");
      }
    }
    const { body } = await lab.script("GET", `/chapters/${place.chapterId}`);
    assert.equal(body.text, `Start.${typed}`);
    assert.ok(typed.length > 5 * KILLS, `hardly anything was typed; lost: ${lost.join(" ")}`);
    assert.ok(Math.max(...lost) <= MOST_LOST, `characters lost: ${lost.join(" ")}`);
  });
});

/** Types, and kills the browser once so much is shown; what it is known to have shown. Every other time no write reaches the server. */
async function typeUntilKilled(
  page: Page,
  browser: ChildProcess,
  { kill, enough }: { kill: number; enough: number },
): Promise<string> {
  let shown = 0;
  page.on("console", (message) => {
    const told = /^shown (\d+)$/.exec(message.text());
    if (told) shown = Number(told[1]);
  });
  if (kill % 2 === 0) await page.route("**/{prose,paragraphs/*}", (route) => route.abort());
  await page.locator(".text").focus();
  await page.evaluate(`
    const text = document.querySelector(".text");
    getSelection().selectAllChildren(text.lastElementChild);
    getSelection().collapseToEnd();
    const first = text.textContent.length;
    text.addEventListener("input", () => setTimeout(() => console.log("shown " + (text.textContent.length - first))));
  `);
  await page.waitForTimeout(60);
  const words = Array.from({ length: 40 }, (_, index) => `k${kill}w${index}`).join("-");
  const typing = page.keyboard.type(words, { delay: KEY_MS }).catch(() => undefined);
  while (shown < enough) await wait(5);
  const sure = shown;
  process.kill(-(browser.pid ?? 0), "SIGKILL");
  await typing;
  await wait(300);
  return words.slice(0, sure);
}

async function launch(
  profile: string,
  url: string,
  bearer: string,
): Promise<{ browser: ChildProcess; page: Page }> {
  const args = ["--headless=new", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`];
  const browser = spawn(findChromium()!, [...args, "--remote-debugging-port=0", "about:blank"], {
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  const address = await new Promise<string>((resolve) => {
    let said = "";
    browser.stderr?.on("data", (more) => {
      said += more;
      const found = /ws:\/\/\S+/.exec(said);
      if (found) resolve(found[0]);
    });
  });
  const connected = await chromium.connectOverCDP(address);
  const [context] = connected.contexts();
  const page = await context!.newPage(); // a browser that was just started has one
  page.setDefaultTimeout(15_000);
  await page.addInitScript({ content: `localStorage.setItem("manuscript.session", "${bearer}")` });
  await page.goto(url);
  return { browser, page };
}
