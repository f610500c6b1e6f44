import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { startServer } from "../../src/http/server.ts";
import { createKey } from "../../src/service/account/keys.ts";
import { findChromium } from "../../test/support/chromium.ts";
import { withSample } from "../../test/support/sample.ts";
import { suite } from "../../test/support/sandbox.ts";
import type { Measured, TrustPromise } from "./promise.ts";
import { scratch } from "./served.ts";

/** What a page does to a server; `AT` is the server's address, `KEY` a good key. */
const PAGES: Readonly<Record<string, string>> = {
  fetches: `<script>(async () => {
    const ask = (path, init) => fetch("AT" + path, init).then((answer) => answer.text()).catch(String);
    const key = { Authorization: "Bearer KEY" };
    const told = [await ask("/api/v1/books"), await ask("/api/v1/books", { headers: key }), await ask("/docs", { mode: "no-cors" })];
    await ask("/api/v1/books", { method: "POST", mode: "no-cors", body: '{"title":"x"}' });
    await ask("/api/v1/books", { method: "POST", headers: { ...key, "Content-Type": "application/json" }, body: '{"title":"x"}' });
    document.body.append(told.join(" | "));
  })()</script>`,
  form: `<form method="post" enctype="text/plain" action="AT/api/v1/books"><input name='{"title":"x","y":"' value='"}'></form>
    <script>document.forms[0].submit()</script>`,
  pictures: `<img src="AT/api/v1/books"><script src="AT/openapi.json"></script><link rel="stylesheet" href="AT/docs"><iframe src="AT/docs"></iframe>
    <object data="AT/llms.txt"></object><video src="AT/openapi.json"></video>`,
  sockets: `<script>new WebSocket("AT/api/v1/books".replace("http", "ws")); new EventSource("AT/api/v1/acts");
    navigator.sendBeacon("AT/api/v1/books", "x"); new Worker(URL.createObjectURL(new Blob(["fetch('AT/docs',{mode:'no-cors'})"])))</script>`,
  sandboxed: `<iframe sandbox="allow-scripts" srcdoc="<script>fetch('AT/docs', { mode: 'no-cors' }); fetch('AT/api/v1/books', { method: 'POST', mode: 'no-cors', body: 'x' })</script>"></iframe>`,
};

/** How a page comes to its target: by which name it is loaded, and what it does. */
const ATTACKS: readonly (readonly [what: string, name: string, page: string])[] = [
  ["fetches of another site", "attacker.test", "fetches"],
  ["fetches of another port of this machine", "127.0.0.1", "fetches"],
  ["a form that sends itself", "attacker.test", "form"],
  ["pictures, scripts and frames", "attacker.test", "pictures"],
  ["sockets, beacons and workers", "attacker.test", "sockets"],
  ["a sandboxed frame", "attacker.test", "sandboxed"],
];

export const promise: TrustPromise = {
  number: 11,
  promise: "No web page can read or run anything",
  bar: "30 combinations of Host, Origin and Sec-Fetch-Site in `npm test`; 5 pages in Chromium: 0 handlers run",
  isNightly: true, // with every change test/page/attacks.page.ts tries more pages, against the owner's too
  measure: async () => {
    const browser = findChromium();
    if (browser === undefined)
      return { figures: "no page tried", faults: [], skipped: ["pages: there is no Chromium here"] };
    const scope = suite();
    const { folder, drop } = scratch();
    try {
      return await attack(scope, (url) => dom(browser, folder, url));
    } finally {
      await scope.end();
      drop();
    }
  },
};

type Show = (url: string) => Promise<string>;

async function attack(scope: ReturnType<typeof suite>, show: Show): Promise<Measured> {
  const faults: string[] = [];
  const { own } = withSample(scope);
  const { key } = createKey(own, {});
  const log: string[] = [];
  const write = (line: string) => void log.push(line);
  const options = { host: "127.0.0.1", port: 0, manuscripts: [own], log: "line" as const, write };
  const ours = await startServer(options);
  scope.after(() => ours.close());
  const naive = await unguarded(scope);
  const pages = await pageServer(scope, key);
  let refused = 0;
  for (const [what, name, page] of ATTACKS) {
    const at = (target: string) => `http://${name}:${pages}/${page}?${encodeURIComponent(target)}`;
    await show(at(naive.url));
    if (naive.takeRun() === 0) faults.push(`${what}: a server without a guard was not reached either`);
    log.length = 0;
    await show(at(ours.url));
    refused += judge(what, log, faults);
  }
  log.length = 0;
  const rebound = (url: string) => show(url.replace("127.0.0.1", "rebind.test"));
  const [bare, kept] = [await rebound(`${naive.url}/docs`), await rebound(`${ours.url}/docs`)];
  if (!bare.includes("SECRET"))
    faults.push("a rebound name: it does not read a server without a guard either");
  if (!kept.includes("forbidden_origin")) faults.push("a rebound name: it was answered");
  refused += judge("a rebound name", log, faults);
  // Whatever a browser may do it can do: else nothing above would say anything.
  if (!(await show(`${ours.url}/docs`)).includes("Manuscript API"))
    faults.push("a reader's own visit is refused");
  const friend = await startServer({ ...options, cors: [`http://attacker.test:${pages}`] });
  scope.after(() => friend.close());
  const read = await show(`http://attacker.test:${pages}/fetches?${encodeURIComponent(friend.url)}`);
  if (!read.includes("The Ferry Book")) faults.push("--cors: the page that it names cannot read");
  const reached = ATTACKS.length + 1;
  return {
    figures: `${reached} pages in Chromium, each ran a server without a guard; ${refused} requests of theirs, all refused`,
    faults,
  };
}

/** Notes each request that was answered with anything but a refusal; how many came. */
function judge(what: string, log: readonly string[], faults: string[]): number {
  if (log.length === 0) faults.push(`${what}: nothing came to the server`);
  // Of a refusal that it shows the browser itself asks for the icon: a visit of its own, and it has no key.
  const icon = log.findIndex((line, at) => at > 0 && /^GET - 401 /.test(line));
  for (const [at, line] of log.entries())
    if (at !== icon && !/^\S+ - 403 /.test(line)) faults.push(`${what}: ${line.trim()}`);
  return log.length;
}

/** A server as one is written without thinking of web pages: what runs in it is counted. */
async function unguarded(scope: ReturnType<typeof suite>): Promise<{ url: string; takeRun: () => number }> {
  let run = 0;
  const server = createServer((request, response) => {
    if (request.method !== "OPTIONS") run++;
    response.setHeader("Content-Type", "text/html");
    response.end("SECRET");
  });
  const port = await listening(scope, server);
  return {
    url: `http://127.0.0.1:${port}`,
    takeRun: () => {
      const taken = run;
      run = 0;
      return taken;
    },
  };
}

async function pageServer(scope: ReturnType<typeof suite>, key: string): Promise<number> {
  const server = createServer((request, response) => {
    const [path = "", target = ""] = (request.url ?? "").split("?");
    const page = PAGES[path.slice(1)];
    response.writeHead(page === undefined ? 404 : 200, { "Content-Type": "text/html" });
    response.end(
      `<body>${page?.replaceAll("AT", decodeURIComponent(target)).replaceAll("KEY", key) ?? ""}</body>`,
    );
  });
  return await listening(scope, server);
}

async function listening(scope: ReturnType<typeof suite>, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

let visits = 0;

/** What a page has become after some seconds of its own time, in a browser that knows no other machine. */
function dom(browser: string, folder: string, url: string): Promise<string> {
  const argv = [
    ...[
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
    ],
    ...[
      "--disable-component-update",
      "--disable-dev-shm-usage",
      `--user-data-dir=${join(folder, `browser-${visits++}`)}`,
    ],
    "--host-resolver-rules=MAP *.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ...["--virtual-time-budget=4000", "--dump-dom", url],
  ];
  return new Promise((resolve) => {
    execFile(browser, argv, { timeout: 60_000, env: { ...process.env, HOME: folder } }, (_error, stdout) =>
      resolve(stdout),
    );
  });
}
