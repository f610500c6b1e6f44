import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { NOTE } from "../../src/store/file/log.ts";
import { randomFrom } from "../../test/support/random.ts";
import type { Measured, TrustPromise } from "./promise.ts";
import { listLost, makeDesk, roomyFolder, type Save, serveDesk, Writer } from "./saves.ts";

const WRITERS = 4;
/** File systems side by side, each cut so often while four writers save as fast as they can. */
const FAST_LANES = 3;
const FAST_CUTS = 10;
/** And those with one writer who saves once a second for so long, as people do, cut once. */
const SLOW_LANES = 4;
const SLOW_SECONDS = 25;
const CONTROL_CUTS = 4;
/** How many answers a fast cut waits for, and how long at most. */
const MOST_ANSWERS = 150;
const LONGEST_MS = 20_000;

// Stops an ext4 at once, like a plug that is pulled: what was not synced is gone. EXT4_IOC_SHUTDOWN with NOLOGFLUSH; Perl
// is in every Debian. Source:
// https://github.com/torvalds/linux/blob/master/fs/ext4/ext4.h.
const PULL =
  'open(my $f, "<", $ARGV[0]) or die; my $how = pack("L", 2); ioctl($f, 0x8004587d, $how) or die "ioctl: $!"';

// Lets a server run with synchronous=NORMAL, which it refuses by itself: a module that is loaded before it.
const sqlite = resolve(import.meta.dirname, "../../package.json");
const NORMAL = `data:text/javascript,${encodeURIComponent(`
  import { createRequire } from "node:module";
  const require = createRequire(${JSON.stringify(sqlite)});
  const is13 = Number(process.versions.napi) >= 10;
  const { prototype } = require(is13 ? "better-sqlite3" : "better-sqlite3-node20");
  const { exec, pragma } = prototype;
  prototype.exec = function (sql) {
    return exec.call(this, sql.replace("synchronous = FULL", "synchronous = NORMAL"));
  };
  prototype.pragma = function (source, options) {
    return source === "synchronous" ? 2 : pragma.call(this, source, options);
  };`)}`;

export const promise: TrustPromise = {
  number: 2,
  isNightly: true,
  promise: "An answered save survives a power cut",
  bar: "30 fast cuts and 4 slow ones of an ext4 (shutdown ioctl): 0 lost; the control with synchronous=NORMAL loses; a sync for every answer",
  measure: async () => {
    const folder = mkdtempSync(join(roomyFolder(), "manuscript-power-"));
    try {
      const synced = await countSyncs(join(folder, "synced"));
      const why = await whyNot(join(folder, "probe"));
      if (why === undefined) return joined(await cutAll(folder), synced);
      return joined({ figures: "no power was cut", faults: [], skipped: [why] }, synced);
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    }
  },
};

async function cutAll(folder: string): Promise<Measured> {
  const lane = (name: string, options: Partial<Cutting>) =>
    cutAgain(join(folder, name), { ...FAST, ...options });
  const lanes = [
    all(Array.from({ length: FAST_LANES }, (_, at) => lane(`fast${at}`, { seed: at + 1 }))),
    all(Array.from({ length: SLOW_LANES }, (_, at) => lane(`slow${at}`, { ...SLOW, seed: at + 11 }))),
    all([lane("control", { cuts: CONTROL_CUTS, node: ["--import", NORMAL], seed: 21 })]),
  ] as const;
  const [fast, slow, [control]] = await all(lanes);
  if (control === undefined) throw new Error("no control");
  const sum = (lanes: readonly Cuts[], key: "cuts" | "answers") =>
    lanes.reduce((all, one) => all + one[key], 0);
  const faults = [...fast, ...slow].flatMap(({ lost }) => lost);
  const figures = `${sum(fast, "cuts")} fast cuts, ${sum(fast, "answers")} answers; ${sum(slow, "cuts")} slow cuts, ${sum(slow, "answers")} answers: ${faults.length} lost; the control lost ${control.lost.length} of ${control.answers}`;
  if (control.lost.length === 0) faults.push("the control lost nothing, so the cuts say nothing");
  if (sum(fast, "answers") < FAST_LANES * FAST_CUTS) faults.push("fewer than one answer a cut");
  return { figures, faults };
}

/** What all come to; the first error only once the others have let go of their disks. */
async function all<const Lanes extends readonly Promise<unknown>[]>(lanes: Lanes) {
  await Promise.allSettled(lanes);
  return Promise.all(lanes);
}

interface Cutting {
  cuts: number;
  /** Options of Node for the server. */
  node: readonly string[];
  seed: number;
  /** Saves of one writer a second apart, for so long; else four writers at full speed. */
  slowSeconds: number;
}
const FAST: Cutting = { cuts: FAST_CUTS, node: [], seed: 1, slowSeconds: 0 };
const SLOW: Partial<Cutting> = { cuts: 1, slowSeconds: SLOW_SECONDS };

interface Cuts {
  cuts: number;
  answers: number;
  lost: string[];
}

/** Cuts the power of one file system again and again while a server saves to it; what was answered and is not there then. */
async function cutAgain(folder: string, { cuts, node, seed, slowSeconds }: Cutting): Promise<Cuts> {
  const disk = new Disk(folder);
  const random = randomFrom(seed);
  const told: Cuts = { cuts: 0, answers: 0, lost: [] };
  const all: Save[] = [];
  try {
    disk.mount();
    const desk = makeDesk(join(disk.place, "kept.manuscript"), 12 * WRITERS);
    run("sync", "-f", disk.place);
    for (; told.cuts < cuts; told.cuts++) {
      const count = slowSeconds > 0 ? 1 : WRITERS;
      const writers = Array.from(
        { length: count },
        (_, at) =>
          new Writer(desk, `cut ${told.cuts} writer ${at}`, desk.chapterIds.slice(at * 12, (at + 1) * 12)),
      );
      const server = await serveDesk(desk, { node });
      const until = new AbortController();
      const writing = writers.map((writer) =>
        writer.write(server.port, until.signal, slowSeconds > 0 ? 1000 : 0),
      );
      const saved = () => writers.flatMap(({ saves }) => saves);
      if (slowSeconds > 0) await wait(slowSeconds * 1000);
      else await untilAnswers(saved, Math.ceil(random() * MOST_ANSWERS));
      // Only what was answered before: a sync in flight may come to its end after this cut, as after no real one.
      const answered = saved();
      disk.pull();
      until.abort();
      await server.stop("SIGKILL");
      await Promise.all(writing);
      await disk.unmount();
      disk.mount();
      // The control loses what the note tells of, and is to go on all the same.
      if (node.length > 0) rmSync(desk.path + NOTE, { force: true });
      told.answers += answered.length;
      told.lost.push(...listLost(desk.path, answered));
      all.push(...answered);
    }
    if (node.length === 0) told.lost.push(...listLost(desk.path, all));
    return { ...told, lost: [...new Set(told.lost)] };
  } finally {
    disk.remove();
  }
}

async function untilAnswers(saved: () => readonly Save[], wanted: number): Promise<void> {
  for (const ends = performance.now() + LONGEST_MS; saved().length < wanted && performance.now() < ends; )
    await wait(1);
}

/** An ext4 of its own in a file, on a loop device. */
class Disk {
  readonly place: string;
  readonly #image: string;
  #device: string | undefined;
  #isMounted = false;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#image = join(folder, "disk.img");
    this.place = join(folder, "mounted");
    mkdirSync(this.place);
    run("truncate", "-s", "512M", this.#image);
    run("mkfs.ext4", "-q", "-F", this.#image);
  }

  mount(): void {
    this.#device ??= run("losetup", "-f", "--show", this.#image);
    run("mount", "-t", "ext4", this.#device, this.place);
    this.#isMounted = true;
  }

  pull(): void {
    run("perl", "-e", PULL, this.place);
  }

  /** A killed server's own helpers see that it is gone a moment later, and hold the disk until then. */
  async unmount(): Promise<void> {
    for (let left = 100; left > 0 && spawnSync("umount", [this.place]).status !== 0; left--) await wait(100);
    if (spawnSync("mountpoint", ["-q", this.place]).status === 0) run("umount", this.place);
    this.#isMounted = false;
  }

  /** Leaves nothing behind, whatever went wrong. */
  remove(): void {
    if (this.#isMounted) spawnSync("umount", ["-l", this.place]);
    if (this.#device !== undefined) spawnSync("losetup", ["-d", this.#device]);
    rmSync(this.#image, { force: true });
  }
}

/** What a program says on stdout. Throws with what it said on stderr if it fails. */
function run(program: string, ...words: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: "utf8" });
  if (status === 0) return stdout.trim();
  throw new Error(`${program} ${words.join(" ").slice(0, 80)}: ${error?.message ?? stderr.trim()}`);
}

/** Why the power cannot be cut here, in a sentence; undefined if it can. */
async function whyNot(folder: string): Promise<string | undefined> {
  let disk: Disk | undefined;
  try {
    disk = new Disk(folder);
    disk.mount();
    disk.pull();
    await disk.unmount();
    return undefined;
  } catch (error) {
    return `cutting power takes root, a loop device, ext4 and Perl: ${(error as Error).message}`;
  } finally {
    disk?.remove();
  }
}

/** Counts the server's syncs to the disk with strace, which needs no root: one at least for every answer. */
async function countSyncs(folder: string): Promise<Measured> {
  mkdirSync(folder);
  const trace = join(folder, "trace");
  if (spawnSync("strace", ["-o", trace, "true"]).status !== 0)
    return { figures: "", faults: [], skipped: ["counting syncs takes strace"] };
  const desk = makeDesk(join(folder, "synced.manuscript"), WRITERS);
  // -D: strace is the child, so that signals reach the server.
  const under = ["strace", "-D", "-f", "-qq", "-e", "trace=fdatasync,fsync", "-o", trace];
  const server = await serveDesk(desk, { under });
  const syncs = () => (readFileSync(trace, "utf8").match(/(?:fdatasync|fsync)\(/g) ?? []).length;
  const before = syncs();
  const until = new AbortController();
  const writers = desk.chapterIds.map((id, at) => new Writer(desk, `synced ${at}`, [id]));
  const writing = writers.map((writer) => writer.write(server.port, until.signal));
  await untilAnswers(() => writers.flatMap(({ saves }) => saves), 200);
  until.abort();
  await Promise.all(writing);
  const answers = writers.flatMap(({ saves }) => saves).length;
  await server.stop("SIGKILL");
  const count = syncs() - before;
  const faults = count < answers ? [`${count} syncs for ${answers} answers`] : [];
  if (answers === 0) faults.push("no answer under strace");
  return { figures: `${count} syncs for ${answers} answers by strace`, faults };
}

function joined(a: Measured, b: Measured): Measured {
  return {
    figures: [a.figures, b.figures].filter(Boolean).join("; "),
    faults: [...a.faults, ...b.faults],
    skipped: [...(a.skipped ?? []), ...(b.skipped ?? [])],
  };
}
