import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createKey } from "../../src/service/account/keys.ts";
import { createBook } from "../../src/service/books/books.ts";
import { saveSynopsis } from "../../src/service/books/chapter-fields.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { startServed } from "../trust/served.ts";
import { cpuMsOf, residentMb } from "./processes.ts";
import { chapterOf, median, report } from "./report.ts";

// 500 listeners in this process, on the built server in another. What the listeners cost is in the times, for the two share
// the machine, and is not in the server's CPU; what other programs of the machine take is in the times alone.
const LISTENERS = 500;
const ACTS = 60;
const WARM_UP = 10;
const PAUSE_MS = 50;
/** From the last act on: V8 tidies up for three minutes then, which is in it, and twenty heartbeats of each listener. */
const IDLE_MS = 600_000;
const OWNER = { source: "cli" } as const;

const folder = mkdtempSync(join(tmpdir(), "manuscript-bench-"));
const file = join(folder, "bench.manuscript");
const manuscript = openManuscript(file, { create: true });
const { id: bookId } = createBook(manuscript, { title: "Bench" }, OWNER);
const { id: chapterId } = createChapter(
  manuscript,
  bookId,
  { title: "One", markdown: chapterOf(4800) },
  OWNER,
);
const { key } = createKey(manuscript);
const server = await startServed(folder, [file, "--quiet", "--no-backups"]);

const alone = residentMb(server.pid);
const told = new Set<(at: number) => void>();
const sockets: Socket[] = [];
for (let at = 0; at < LISTENERS; at++) sockets.push(await listen());
await wait(500);
const perListener = (1024 * (residentMb(server.pid) - alone)) / LISTENERS;

await times(WARM_UP, writeThere);
const busy = cpuMsOf(server.pid);
const own = await times(ACTS, writeThere);
const cpuOfAct = (cpuMsOf(server.pid) - busy) / ACTS;
const others = await times(ACTS, async (synopsis) => {
  saveSynopsis(manuscript, chapterId, { synopsis }, OWNER);
});

const before = cpuMsOf(server.pid);
const start = performance.now();
await wait(IDLE_MS);
const idle = (100 * (cpuMsOf(server.pid) - before)) / (performance.now() - start);

for (const socket of sockets) socket.destroy();
await server.stop("SIGTERM");
manuscript.close();
rmSync(folder, { recursive: true });
const worst = Math.max(share(own, 0.99), share(others, 0.99));
report(`feed: ${LISTENERS} listeners on one server, ${ACTS} acts`, [
  { what: "the server's own act, p50", value: median(own), unit: "ms" },
  { what: "the server's own act, p99", value: share(own, 0.99), unit: "ms" },
  { what: "another program's act, p50", value: median(others), unit: "ms" },
  { what: "another program's act, p99", value: share(others, 0.99), unit: "ms" },
  { what: "an act reaches all, p99", value: worst, unit: "ms", bar: "≤ 100", met: worst <= 100 },
  { what: "CPU of the server an act, the write included", value: cpuOfAct, unit: "ms" },
  { what: "memory a listener", value: perListener, unit: "KiB" },
  {
    what: "idle CPU of the server, ten minutes after that",
    value: idle,
    unit: "%",
    bar: "≤ 0.2",
    met: idle <= 0.2,
  },
]);

/** A listener that looks for the ends of events alone: parsing them 500 times over would be most of what is measured. */
function listen(): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: server.port });
  socket.write(`GET /api/v1/acts/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  return new Promise((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      if (chunk.includes("\nid: ")) resolve(socket);
      if (chunk.includes("event: act")) for (const tell of told) tell(performance.now());
    });
  });
}

async function writeThere(synopsis: string): Promise<void> {
  await fetch(`${server.base}/chapters/${chapterId}/synopsis`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ synopsis }),
  });
}

/** How long after each act was acknowledged a listener had it, of every listener and act; 0 for who had it before. */
async function times(acts: number, write: (synopsis: string) => Promise<void>): Promise<number[]> {
  const all: number[] = [];
  for (let act = 0; act < acts; act++) {
    const had: number[] = [];
    const everybody = new Promise<void>((resolve) => {
      const tell = (at: number) => {
        if (had.push(at) < LISTENERS) return;
        told.delete(tell);
        resolve();
      };
      told.add(tell);
    });
    await write(`${act} of ${performance.now()}`);
    const acknowledged = performance.now();
    await everybody;
    all.push(...had.map((at) => Math.max(0, at - acknowledged)));
    await wait(PAUSE_MS);
  }
  return all;
}

/** The value that this share of them does not exceed. */
function share(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;
}
