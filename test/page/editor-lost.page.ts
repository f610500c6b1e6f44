import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";
import { startServer } from "../../src/http/server.ts";
import { issueToken } from "../../src/service/account/sign-in.ts";
import { findChromium } from "../support/chromium.ts";
import { randomFrom } from "../support/random.ts";
import { folder, suite } from "../support/sandbox.ts";
import { faultsOf } from "./support/axe.ts";
import { makeChapter, onPage, openChapter } from "./support/editor-lab.ts";
import { type PageLab, pageLab, SKIP, signIn, until } from "./support/page-lab.ts";

const START = "The ferry was late.\n\nNobody asked.";
/** What a browser says of a server that is gone. */
const GONE = /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|412 \(Precondition|401 \(Unauth/;
/** The addresses of what saves prose. */
const WRITES = "**/{prose,paragraphs/*}";

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
    await page.locator(".how.offline").waitFor();
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
    await next.getByText("Your unsaved text is back").waitFor();
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
    const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/prose"));
    await page.keyboard.press("Enter");
    await page.keyboard.type("A new one.");
    await failed; // the feed may tell of that save before
    await page.keyboard.type(" And more.");
    await save();
    assert.equal(await markdown(), "The ferry was late.\n\nA new one. And more.\n\nNobody asked.");
  });

  it("a session that ends takes no word away: writing goes on, and signing in beside it saves all", async () => {
    const { page, context, at, markdown } = await openChapter(lab, START);
    const bearer = await signIn(lab.own, lab.url); // of its own: the lab's goes on
    await page.addInitScript({ content: `localStorage.setItem("manuscript.session", "${bearer}")` });
    await page.reload();
    await page.locator(".text").waitFor();
    await at("Nobody asked.", -1);
    const headers = { Authorization: `Bearer ${bearer}`, Origin: lab.url };
    assert.equal((await fetch(`${lab.url}/api/v1/session`, { method: "DELETE", headers })).status, 200);
    const words = Array.from({ length: 30 }, (_, word) => ` word${word}`);
    for (const word of words) {
      await page.keyboard.type(word, { delay: 10 });
      if (word === " word9")
        await page.getByRole("alert").filter({ hasText: "You are signed out" }).waitFor();
    }
    await until(page, `(${isKept})("Nobody asked.${words.join("")}")`);
    assert.deepEqual(await faultsOf(page), []);
    const beside = await context.newPage();
    await beside.goto(`${lab.url}/open#${issueToken(lab.own)}`);
    await page.getByRole("alert").filter({ hasText: "You are signed out" }).waitFor({ state: "detached" });
    await page.keyboard.type(" more.");
    await onPage(page).save();
    assert.equal(await markdown(), `${START}${words.join("")} more.`);
  });

  it("a session that ended before a reload keeps what was typed, too", async () => {
    const open = await openChapter(lab, START);
    const { page, at, markdown } = open;
    await at("Nobody asked.", -1);
    await page.route(WRITES, (route) =>
      route.fulfill({ status: 401, json: { error: "unauthorized", message: "The session is over." } }),
    );
    await page.keyboard.insertText(" Kept.");
    await page.getByText("manuscript open").first().waitFor();
    await until(page, `(${isKept})("Nobody asked. Kept.")`);
    await page.unroute(WRITES);
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
    await page.route(WRITES, (route) => route.abort()); // else it may be saved before the tab is closed
    await page.keyboard.type(" X");
    const isAsked = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    await isAsked;
    await page.unroute(WRITES);
    await save();
    const isClosed = page.waitForEvent("close");
    await page.close({ runBeforeUnload: true });
    await isClosed;
    assert.deepEqual(asked, ["beforeunload"]);
  });
});

describe("a tab that is asked to close", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  it("has kept what was typed until that moment, whatever is answered", async () => {
    const { page, at } = await openChapter(lab, START);
    await at("Nobody asked.", -1);
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1000); // no timer keeps it
    await page.keyboard.insertText(" Kept.");
    const isAsked = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    await (await isAsked).dismiss();
    await until(page, `(${isKept})("Nobody asked. Kept.")`);
  });
});

// Runs in the page: whether a draft of this browser holds a text.
const isKept = `(text) => new Promise((resolve) => {
  const opened = indexedDB.open("manuscript");
  opened.onsuccess = () => {
    const all = opened.result.transaction("drafts").objectStore("drafts").getAll();
    all.onsuccess = () => {
      opened.result.close();
      resolve(all.result.some(({ doc }) => doc.includes(text)));
    };
  };
})`;

const KILLS = 12;
const KEY_MS = 20;
const LOST_MS = 150;

describe("a browser that is killed", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  before(async () => {
    lab = await pageLab(scope);
  });
  after(scope.end);

  it(`loses nothing that was typed ${LOST_MS} ms before, and doubles nothing, ${KILLS} times`, {
    timeout: 600_000,
  }, async () => {
    const place = await makeChapter(lab, "Start.");
    const bearer = await signIn(lab.own, lab.url);
    const profile = folder(scope);
    const random = randomFrom(5);
    let typed = "";
    let sure = 0;
    let words = "";
    for (let kill = 0; kill <= KILLS; kill++) {
      const { browser, page } = await launch(
        profile,
        `${lab.url}/b/${place.bookId}/c/${place.chapterId}/edit`,
        bearer,
      );
      await page.locator(".text").waitFor();
      if (kill % 2 === 1) await page.getByText("Your unsaved text is back").waitFor();
      const found = ((await page.locator(".text").textContent()) ?? "").slice("Start.".length);
      const told = `found “${found.slice(-40)}” of “${(typed + words).slice(-40)}”, ${sure} of that surely`;
      assert.ok((typed + words).startsWith(found), told);
      assert.ok(found.length >= typed.length + sure, told);
      typed = found;
      if (kill < KILLS) {
        words = Array.from({ length: 40 }, (_, index) => `k${kill}w${index}`).join("-");
        sure = await typeUntilKilled(page, browser, {
          words,
          isHeard: kill % 2 === 1,
          enough: 5 + Math.floor(50 * random()),
        });
      } else {
        await onPage(page).save();
        process.kill(-(browser.pid ?? 0), "SIGKILL");
      }
    }
    const { body } = await lab.script("GET", `/chapters/${place.chapterId}`);
    assert.equal(body.text, `Start.${typed}`);
  });
});

/**
 * Types, and kills the browser once so much is sure: typed `LOST_MS` before by the page's own timers, whatever else the machine
 * does, and with whatever the page had begun to keep by then kept. How much that is; where it is not heard, no write reaches the
 * server.
 */
async function typeUntilKilled(
  page: Page,
  browser: ChildProcess,
  { words, isHeard, enough }: { words: string; isHeard: boolean; enough: number },
): Promise<number> {
  let sure = 0;
  page.on("console", (message) => {
    const told = /^sure (\d+)$/.exec(message.text());
    if (told) sure = Number(told[1]);
  });
  if (!isHeard) await page.route(WRITES, (route) => route.abort());
  await page.locator(".text").focus();
  await page.evaluate(`
    const text = document.querySelector(".text");
    getSelection().selectAllChildren(text.lastElementChild);
    getSelection().collapseToEnd();
    const keeping = new Set();
    const begin = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function (...how) {
      const work = begin.apply(this, how);
      const ended = new Promise((resolve) => work.addEventListener("complete", resolve));
      keeping.add(ended);
      ended.then(() => keeping.delete(ended));
      return work;
    };
    const first = text.textContent.length;
    const tellSure = async (typed) => {
      await Promise.all(keeping);
      console.log("sure " + typed);
    };
    const heard = () => setTimeout(tellSure, ${LOST_MS}, text.textContent.length - first);
    text.addEventListener("input", () => setTimeout(heard)); // the page has heard it then, too
  `);
  await page.waitForTimeout(60);
  const typing = page.keyboard.type(words, { delay: KEY_MS }).catch(() => undefined);
  while (sure < enough) await wait(5);
  const surely = sure;
  process.kill(-(browser.pid ?? 0), "SIGKILL");
  await typing;
  await wait(300);
  return surely;
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
  await page.addInitScript({ content: `localStorage.setItem("manuscript.session", "${bearer}")` });
  await page.goto(url);
  return { browser, page };
}
