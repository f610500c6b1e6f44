import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeMany, type OneOfMany } from "../../test/support/many-files.ts";
import { randomFrom } from "../../test/support/random.ts";
import { type Served, startServed } from "../trust/served.ts";
import { cpuMsOf, residentMb } from "./processes.ts";
import { chapterOf, type Line, median, report } from "./report.ts";

// A folder of ten thousand manuscripts, served by the built program in a process of its own. MANUSCRIPT_BENCH_FILES sizes it.
const FILES = Number(process.env.MANUSCRIPT_BENCH_FILES ?? 10_000);
const STARTS = 5;
const COLD = 1000;
const OPEN = 256;
const WORDS = 2000;

const random = randomFrom(17);
const folder = mkdtempSync(join(tmpdir(), "manuscript-shelf-"));
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

const ARGV = ["--quiet", "--no-backups"] as const;

/** Of a start until the process says where it listens, or until its first answer: milliseconds, and those of its CPU. */
async function start(named: string, first?: OneOfMany): Promise<{ ms: number; cpu: number }> {
  const begin = performance.now();
  const server = await startServed(folder, [named, ...ARGV]);
  if (first !== undefined) await get(server, "/books", first.key);
  const took = { ms: performance.now() - begin, cpu: cpuMsOf(server.pid) };
  await server.stop("SIGKILL");
  return took;
}

/** One answer and the milliseconds until it was whole. Throws unless it is 200. */
function get({ port }: Served, path: string, key: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}` };
    const sent = http.get({ port, path: `/api/v1${path}`, headers, agent }, (answer) => {
      answer.resume().on("end", () => {
        if (answer.statusCode === 200) resolve(performance.now() - start);
        else reject(new Error(`${path} was answered ${answer.statusCode}`));
      });
    });
    sent.on("error", reject);
  });
}

/** How many manuscripts a process has open. */
function openIn({ pid }: Served): number {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return ""; // closed meanwhile
    }
  });
  return new Set(links.filter((link) => link.endsWith(".manuscript"))).size;
}

const at = (sorted: readonly number[], part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;

/** Files in no order, none twice. */
function someOf(files: readonly OneOfMany[], count: number): OneOfMany[] {
  return files
    .map((file) => ({ file, place: random() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ file }) => file);
}

async function measure(): Promise<Line[]> {
  const began = performance.now();
  const files = makeMany(folder, FILES, chapterOf(WORDS));
  const madeMs = performance.now() - began;
  const [one] = files as [OneOfMany];
  const starts: Record<"one" | "folder" | "answer", { ms: number; cpu: number }[]> = {
    ...{ one: [], folder: [], answer: [] },
  };
  for (let round = 0; round < STARTS; round++) {
    starts.one.push(await start(one.path));
    starts.folder.push(await start(folder));
    starts.answer.push(await start(folder, files[files.length - 1 - round]));
  }
  const server = await startServed(folder, [folder, ...ARGV]);
  try {
    const asked = someOf(files, COLD);
    await get(server, "/books", asked[0]?.key ?? "");
    const cold: number[] = [];
    const colds: number[] = [];
    for (const { key } of asked.slice(1)) {
      const before = cpuMsOf(server.pid);
      cold.push(await get(server, "/books", key));
      colds.push(cpuMsOf(server.pid) - before);
    }
    for (const times of [cold, colds]) times.sort((a, b) => a - b);
    const last = asked.slice(-OPEN + 1);
    for (const { key, chapterId } of last) await get(server, `/chapters/${chapterId}?format=text`, key);
    const warmBefore = cpuMsOf(server.pid);
    for (const { key } of last) await get(server, "/books", key);
    const warmCpu = (cpuMsOf(server.pid) - warmBefore) / last.length;
    const rss = residentMb(server.pid);
    const open = openIn(server);
    const wrong = one.key.replace(/.{6}$/, "000000");
    const ofStarts = (kind: keyof typeof starts, unit: "ms" | "cpu") =>
      median(starts[kind].map((took) => took[unit]));
    return [
      { what: `making ${FILES} files`, value: madeMs, unit: "ms" },
      { what: "start, one file, CPU", value: ofStarts("one", "cpu"), unit: "ms" },
      bar({ what: `start, a folder of ${FILES}, CPU`, value: ofStarts("folder", "cpu"), unit: "ms" }, 1000),
      { what: "the same on the clock", value: ofStarts("folder", "ms"), unit: "ms" },
      { what: "start and its first answer, CPU", value: ofStarts("answer", "cpu"), unit: "ms" },
      { what: "cold request, p50 CPU", value: at(colds, 0.5), unit: "ms" },
      bar({ what: "cold request, p99 CPU", value: at(colds, 0.99), unit: "ms" }, 50),
      { what: "cold request, p50 on the clock", value: at(cold, 0.5), unit: "ms" },
      { what: "cold request, p99 on the clock", value: at(cold, 0.99), unit: "ms" },
      { what: "the same, open already, CPU", value: warmCpu, unit: "ms" },
      bar({ what: "manuscripts open after that", value: open, unit: "files" }, OPEN),
      bar({ what: `memory with ${open} open`, value: rss, unit: "MB" }, 400),
      { what: "a wrong key is", value: await refused(server, wrong), unit: "(status)" },
    ];
  } finally {
    await server.stop("SIGKILL");
  }
}

function bar(line: Line, most: number): Line {
  return { ...line, bar: `≤ ${most}`, met: line.value <= most };
}

async function refused({ base }: Served, key: string): Promise<number> {
  return (await fetch(`${base}/books`, { headers: { Authorization: `Bearer ${key}` } })).status;
}

try {
  report("shelf", await measure());
} finally {
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}
