import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core";
import { plantSample } from "../../../src/files/sample.ts";
import { type RunningServer, startServer } from "../../../src/http/server.ts";
import { createKey } from "../../../src/service/account/keys.ts";
import { issueToken } from "../../../src/service/account/sign-in.ts";
import type { Manuscript } from "../../../src/service/manuscript.ts";
import { once } from "../../../src/text/once.ts";
import { findChromium } from "../../support/chromium.ts";
import { manuscript } from "../../support/sandbox.ts";

/** The repository's novel under a server, and a browser that is signed in there. */
export interface PageLab {
  url: string;
  bookId: string;
  own: Manuscript;
  server: RunningServer;
  browser: Browser;
  /** A tab of a browser of its own. What it complains of is in `complaints`. */
  open(path: string, options?: OpenOptions): Promise<Tab>;
  /** Calls the API as a script does, with a key. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers by the names that the contract gives
  script(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>;
}

export interface OpenOptions {
  width?: number;
  scheme?: "light" | "dark";
  /** Another tab of this browser. */
  beside?: Tab;
  isSignedOut?: boolean;
  /** Is given every answer that the tab gets. */
  onResponse?: (url: string, body: Buffer) => Promise<void>;
}

export interface Tab {
  page: Page;
  context: BrowserContext;
  /** Console errors, uncaught errors, refusals of the policy and requests to other hosts, in order. */
  complaints: string[];
}

/** Why tests in a browser are left out here; undefined where they run. */
export const SKIP: string | undefined =
  findChromium() === undefined ? "there is no Chromium here: install it or set CHROMIUM" : undefined;

/** Starts server and browser; both end with the test. Only where there is a Chromium. */
export async function pageLab(t: Pick<TestContext, "after">): Promise<PageLab> {
  const own = manuscript(t, { clock: Date.now });
  const bookId = await plantSample(own, join(import.meta.dirname, "../../../fixtures/novel"));
  const { key } = createKey(own, { name: "script" });
  const server = await startServer({ host: "127.0.0.1", port: 0, manuscripts: [own] });
  t.after(() => server.close());
  const browser = await chromium.launch({ executablePath: findChromium()!, args: ["--no-sandbox"] }); // by SKIP
  t.after(() => browser.close());
  const script: PageLab["script"] = async (method, path, body) => {
    const answer = await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const session = once(() => signIn(own, server.url));
  const open: PageLab["open"] = async (path, options = {}) => {
    const tab = await openTab(browser, server.url, options);
    if (options.beside === undefined && !options.isSignedOut)
      await tab.page.addInitScript({
        content: `localStorage.setItem("manuscript.session", "${await session()}")`,
      });
    const rest = restOf(tab.page);
    await tab.page.goto(server.url + path);
    await rest();
    return tab;
  };
  return { url: server.url, bookId, own, server, browser, open, script };
}

/** A session of the server, opened as a link opens it. */
export async function signIn(own: Manuscript, url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/session`, {
    method: "POST",
    headers: { Origin: url, "Content-Type": "application/json" },
    body: JSON.stringify({ token: issueToken(own) }),
  });
  return ((await answer.json()) as { session: string }).session;
}

async function openTab(
  browser: Browser,
  url: string,
  { width = 1280, scheme = "light", beside, onResponse }: OpenOptions,
): Promise<Tab> {
  const context =
    beside?.context ??
    (await browser.newContext({
      viewport: { width, height: 860 },
      colorScheme: scheme,
      reducedMotion: "reduce",
    }));
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error.stack ?? error)));
  if (onResponse !== undefined)
    page.on(
      "response",
      (response) =>
        void response.body().then(
          (body) => onResponse(response.url(), body),
          () => {},
        ),
    );
  page.on("request", (request) => {
    const at = request.url();
    if (!at.startsWith(url) && !/^(?:data|blob|about):/.test(at)) complaints.push(`asked for ${at}`);
  });
  return { page, context, complaints };
}

/**
 * From now on a wait until a view is shown, with all that it asks for at first. Not Playwright's "networkidle": on a busy machine
 * half a second without a request passes before the page has come so far as to ask.
 */
function restOf(page: Page): () => Promise<void> {
  let [asked, answered] = [0, 0];
  page.on("request", () => asked++);
  page.on("requestfinished", () => answered++);
  page.on("requestfailed", () => answered++);
  return async () => {
    await page.locator("#content > :not(.loading), :root:not(html)").first().waitFor({ state: "attached" });
    for (let before = -1; answered < asked || asked !== before; ) {
      before = asked;
      await page.evaluate(`new Promise((idle) => setTimeout(() => requestIdleCallback(idle), ${REST_MS}))`);
    }
  };
}

/** By the page's own clock, which stands still as long as the page does: what is shown in slices begins after 150. */
const REST_MS = 200;

const TRIES = 600;

/** Waits until an expression is true in a page: asked over the debugger, which the page's policy does not reach. */
export async function until(page: Page, expression: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (await page.evaluate(expression)) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`never true in the page: ${expression}`);
}

/**
 * Clicks what stands far down: paragraphs have their height only once they come into view, and what stands below them moves
 * then, it may be between the button's going down and up.
 */
export async function clickStill(target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  for (let before: string | undefined, now = await placeOf(target); now !== before; ) {
    before = now;
    now = await placeOf(target);
  }
  await target.click();
}

async function placeOf(target: Locator): Promise<string> {
  await drawn(target.page());
  return JSON.stringify(await target.boundingBox());
}

/** Waits until two frames have been drawn. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))",
  );
}
