import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "playwright-core";
import { plantSample, SAMPLE } from "../../src/files/sample.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { signIn } from "../../test/page/support/page-lab.ts";
import { findChromium } from "../../test/support/chromium.ts";
import { scratch, startServed } from "../trust/served.ts";

// A thousand connections over which nothing is sent, half of them after one answer, beside a browser that loads pages and
// programs that keep their connections, each pausing around the server's time-outs of 1.5 s: every answer must be that of a
// request. `node --import tsx lab/faults/silent.ts`, after `npm run build`.
const IMPATIENT = `import http from "node:http";
  const { createServer } = http;
  const ms = { headersTimeout: 1500, keepAliveTimeout: 1500, connectionsCheckingInterval: 100 };
  http.createServer = (options, ...more) => createServer({ ...options, ...ms }, ...more);`;

const { folder, drop } = scratch();
const own = openManuscript(join(folder, "book.manuscript"), { create: true });
await plantSample(own, SAMPLE);
const node = ["--import", `data:text/javascript,${encodeURIComponent(IMPATIENT)}`];
const server = await startServed(folder, ["--quiet", "--no-backups"], { node });
const session = await signIn(own, server.url);
const browser = await chromium.launch({ executablePath: findChromium() ?? "", args: ["--no-sandbox"] });
const wrong: string[] = [];
const count = { silent: 0, pages: 0, unanswered: 0 };
let isOver = false;

/** Opens a connection, sends this, and opens the next once the server has closed it. */
function hold(sent: string): void {
  const chunks: Buffer[] = [];
  const socket = connect(server.port, "127.0.0.1", () => void socket.write(sent));
  socket.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => {});
  socket.once("close", () => {
    const statuses =
      Buffer.concat(chunks)
        .toString()
        .match(/^HTTP\/1\.1 \d+/gm) ?? [];
    if (isOver) return;
    count.silent++;
    if (sent !== "" && statuses.length === 0) count.unanswered++;
    else if (statuses.join() !== (sent && "HTTP/1.1 200")) wrong.push(`after "${sent}": ${statuses}`);
    hold(sent);
  });
}

async function fetchAll(): Promise<void> {
  for (; !isOver; await wait(Math.random() * 3000)) {
    const answer = await fetch(`${server.base}/llms.txt`).catch(() => ++count.unanswered);
    if (typeof answer === "object" && (!answer.ok || (await answer.text()) === "")) wrong.push("a fetch");
  }
}

async function loadAll(): Promise<void> {
  const page = await browser.newPage();
  await page.addInitScript({ content: `localStorage.setItem("manuscript.session", "${session}")` });
  page.on("response", (answer) => void (answer.status() < 400 || wrong.push(answer.url())));
  for (; count.pages++ < 100; await wait(Math.random() * 3000))
    await page.goto(server.url, { waitUntil: "networkidle" });
}

for (let at = 0; at < 1000; at++) hold(at % 2 ? "" : "GET /llms.txt HTTP/1.1\r\nHost: localhost\r\n\r\n");
const programs = Array.from({ length: 10 }, fetchAll);
await Promise.all(Array.from({ length: 4 }, loadAll));
isOver = true;
await Promise.all([...programs, browser.close(), server.stop("SIGTERM")]);
drop();
console.log(count, `${wrong.length} wrong answers`, wrong.slice(0, 20));
process.exit(Math.sign(wrong.length));
