import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { createApp } from "../../src/http/app.ts";
import { createKey } from "../../src/service/account/keys.ts";
import { listBooks } from "../../src/service/list-books.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { fixedShelf } from "../../src/service/shelf/shelf.ts";
import { Sessions } from "../../src/web/sessions.ts";
import { isShellPath } from "../../src/web/shell.ts";
import { findChromium } from "../support/chromium.ts";
import { withSample } from "../support/sample.ts";
import { folder, suite } from "../support/sandbox.ts";
import { ATTACKS, attackPage, type Loot } from "./support/attacks.ts";
import { SKIP, until } from "./support/page-lab.ts";

/** A request as a server saw it. */
interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  status: number;
}

const ORIGINS = ["127.0.0.1", "localhost", "attacker.test"];
/** What the sample says, and what only its owner may learn. */
const SECRETS = /The Ferry Book|mss_|msk_|owner\/keys|keys/;

describe("pages of strangers in a browser", { skip: SKIP }, () => {
  const scope = suite();
  const seen: Seen[] = [];
  let own: Manuscript;
  let sessions: Sessions;
  let browser: Browser;
  let url: string;
  let key: string;
  after(scope.end);

  /** A server that notes what it answers. */
  const listening = async (answer: RequestListener, notes: Seen[]) => {
    const server = createServer((request, response) => {
      response.once("close", () => {
        const { method = "", url: target = "", headers } = request;
        notes.push({ method, url: target, headers, status: response.statusCode });
      });
      answer(request, response);
    });
    server.on("upgrade", (request, socket) => {
      notes.push({ method: "GET", url: request.url ?? "", headers: request.headers, status: 403 });
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    scope.after(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  before(async () => {
    own = withSample(scope, { clock: Date.now }).own;
    sessions = new Sessions({ shelf: fixedShelf([own]) });
    key = createKey(own, {}).key;
    url = await listening(createApp({ manuscripts: [own], sessions }), seen);
    const args = ["--no-sandbox", "--host-resolver-rules=MAP *.test 127.0.0.1"];
    browser = await chromium.launch({ executablePath: findChromium()!, args }); // by SKIP
    scope.after(() => browser.close());
  });

  const linkTo = () => `${url}/open#${sessions.issue(own)}`;

  /** A browser in which the owner is signed in. */
  const signedIn = async (): Promise<{ context: BrowserContext; page: Page; session: string }> => {
    const context = await browser.newContext();
    scope.after(() => context.close());
    const page = await context.newPage();
    await page.goto(linkTo());
    await until(page, 'localStorage.getItem("manuscript.session")');
    const session = String(await page.evaluate('localStorage.getItem("manuscript.session")'));
    return { context, page, session };
  };

  /** What the attacks of a page at this origin learn, and what came to the server meanwhile. */
  const attack = async (context: BrowserContext, origin: string, loot: Loot) => {
    const port = await listening((_, response) => {
      response.setHeader("Content-Type", "text/html");
      response.end(attackPage(loot));
    }, []);
    const page = await context.newPage();
    await page.goto(port.replace("127.0.0.1", origin));
    await until(page, "window.learnt");
    const learnt = (await page.evaluate("window.learnt")) as Record<string, string>;
    for (const one of context.pages()) await one.close();
    return learnt;
  };

  /** A stranger's, by what its browser says: none of the owner's own tab. */
  const isForeign = ({ headers }: Seen) =>
    !["same-origin", "none"].includes(String(headers["sec-fetch-site"])) ||
    !headers.host?.startsWith("127.0.0.1");
  const isVisit = ({ method, url: target, headers }: Seen) =>
    method === "GET" && headers["sec-fetch-dest"] === "document" && isShellPath(target);

  it("13 kinds are tried, and each origin reaches a server that lets everything in", async () => {
    assert.equal(Object.keys(ATTACKS).length, 13);
    const notes: Seen[] = [];
    const naive = await listening((_, response) => {
      response.writeHead(200, {
        "Content-Type": "text/html",
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Headers": "*",
      });
      response.end("SECRET");
    }, notes);
    const context = await browser.newContext();
    const learnt = await attack(context, "attacker.test", { at: naive, token: "t", session: "s", key: "k" });
    assert.match(learnt["frames of every view"] + Object.values(learnt).join(""), /SECRET/);
    for (const wanted of [
      /^GET .*fetch=cors/,
      /^POST .*books/,
      /^GET .*image/,
      /^GET .*script/,
      /^GET .*iframe/,
      /^GET .*document/,
    ])
      assert.ok(
        notes.some(({ method, url: target, headers }) =>
          wanted.test(`${method} ${target} fetch=${headers["sec-fetch-mode"]} ${headers["sec-fetch-dest"]}`),
        ),
        String(wanted),
      );
    await context.close();
  });

  for (const origin of ORIGINS)
    it(`of ${origin} at another port: nothing is answered, nothing learnt, nothing written`, async () => {
      const { context, page, session } = await signedIn();
      await page.close();
      seen.length = 0;
      const token = sessions.issue(own);
      const learnt = await attack(context, origin, { at: url, token, session, key });
      assert.deepEqual(Object.keys(learnt), Object.keys(ATTACKS));
      for (const [what, told] of Object.entries(learnt)) assert.doesNotMatch(told, SECRETS, what);
      const foreign = seen.filter(isForeign);
      assert.ok(foreign.length > 15, `${foreign.length} requests came`);
      assert.deepEqual(
        foreign
          .filter((one) => one.status < 400 && !isVisit(one))
          .map(({ method, url: target }) => `${method} ${target}`),
        [],
      );
      assert.ok(seen.every(({ headers }) => headers.cookie === undefined));
      assert.equal(listBooks(own).total, 1);
      const redeemed = await fetch(`${url}/api/v1/session`, {
        method: "POST",
        headers: { Origin: url, "Content-Type": "application/json" },
        body: JSON.stringify({ token }),
      });
      assert.equal(redeemed.status, 200, "the token was not used up");
      await context.close();
    });

  it("a name that is rebound to this machine is refused, and finds nothing kept", async () => {
    const { context, page } = await signedIn();
    const rebound = url.replace("127.0.0.1", "rebind.test");
    const answer = await page.goto(`${rebound}/`);
    assert.equal(answer?.status(), 403);
    const told = await page.evaluate(
      `fetch("/api/v1/books").then(async (answer) => [answer.status, localStorage.length, document.cookie])`,
    );
    assert.deepEqual(told, [403, 0, ""]);
    await context.close();
  });
});

describe("signing in with a browser", { skip: SKIP }, () => {
  const scope = suite();
  let browser: Browser;
  after(scope.end);
  before(async () => {
    browser = await chromium.launch({ executablePath: findChromium()!, args: ["--no-sandbox"] }); // by SKIP
    scope.after(() => browser.close());
  });

  const served = async () => {
    const { own } = withSample(scope, { clock: Date.now });
    const sessions = new Sessions({ shelf: fixedShelf([own]) });
    const targets: string[] = [];
    const app = createApp({ manuscripts: [own], sessions });
    const server = createServer((request, response) => {
      targets.push(`${request.method} ${request.url} ${request.headers.referer}`);
      (app as unknown as RequestListener)(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    scope.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url, targets, link: () => `${url}/open#${sessions.issue(own)}` };
  };

  it("by a file that leads there: the token is in no request, Referer, address or history", async () => {
    const { url, targets, link } = await served();
    const file = join(folder(scope), "open.html");
    const to = link();
    writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0;url=${to}">`, { mode: 0o600 });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`file://${file}`);
    await page.waitForURL((at) => at.protocol === "http:" && at.hash === "" && at.pathname !== "/open");
    const token = new URL(to).hash.slice(1);
    assert.ok(!targets.join("\n").includes(token) && !page.url().includes(token));
    assert.ok(targets.includes("POST /api/v1/session undefined"), targets.join("\n"));
    const other = await context.newPage();
    await other.goto(url);
    await until(other, 'localStorage.getItem("manuscript.session")');
    await context.close();
  });

  it("by a link that was used, says so and how to get a new one", async () => {
    const { link } = await served();
    const used = link();
    for (const isFirst of [true, false]) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(used);
      if (isFirst) await until(page, 'localStorage.getItem("manuscript.session")');
      else await page.getByText(/used already.*manuscript open/).waitFor();
      await context.close();
    }
  });
});
