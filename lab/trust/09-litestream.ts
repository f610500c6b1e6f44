import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { diagnose } from "../../src/service/health/doctor.ts";
import { eventually } from "../../test/support/eventually.ts";
import { PROGRAM } from "../../test/support/program.ts";
import { type FolderRestored, restoreFolder } from "./litestream-folder.ts";
import type { Measured, TrustPromise } from "./promise.ts";
import { listLost, makeDesk, roomyFolder, type Save, serveDesk, Writer } from "./saves.ts";

const ROUNDS = 10;
const LANES = 2;
const WRITING_MS = 4000;
/** What Litestream waits between two copies of the log by itself. */
const INTERVAL_MS = 1000;
const PACKAGE = "@flydotio/litestream";

export const promise: TrustPromise = {
  number: 9,
  isNightly: true,
  promise: "Litestream, as the documents name it, keeps a copy elsewhere",
  bar: "10 of 10: replicate, write, kill both, restore: opens, is sound, lacks at most the last second; a folder of 100 served at once, too",
  measure: async () => {
    const folder = mkdtempSync(join(roomyFolder(), "manuscript-litestream-"));
    try {
      const installed = spawnSync(
        "npm",
        ["install", "--no-audit", "--no-fund", "--prefix", folder, PACKAGE],
        {
          encoding: "utf8",
          timeout: 120_000,
        },
      );
      const bin = join(folder, "node_modules/.bin");
      if (installed.status !== 0 || spawnSync(join(bin, "litestream"), ["version"]).status !== 0)
        return skipped(`npm cannot install ${PACKAGE} here: ${installed.stderr.split("\n")[0] ?? ""}`);
      const told: Round[] = [];
      const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
      const lane = async () => {
        for (let round = rounds.pop(); round !== undefined; round = rounds.pop())
          told.push(await restoreOnce(join(folder, String(round)), bin));
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      return sumUp(told, await restoreFolder(join(folder, "hundred"), bin));
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    }
  },
};

interface Round {
  answers: number;
  lost: number;
  /** How long before the kill the oldest save was answered that the copy lacks. */
  behindMs: number;
  faults: string[];
}

function sumUp(rounds: readonly Round[], folder: FolderRestored): Measured {
  const sum = (key: "answers" | "lost") => rounds.reduce((all, round) => all + round[key], 0);
  const behindMs = Math.round(rounds.reduce((most, round) => Math.max(most, round.behindMs), 0));
  const sound = rounds.filter(({ faults }) => faults.length === 0).length;
  return {
    figures: `${sound} of ${rounds.length} restored and sound, ${sum("answers")} answers, ${sum("lost")} of the last ${behindMs} ms missing; ${folder.restored} of a folder of ${folder.files}`,
    faults: [...rounds.flatMap(({ faults }) => faults), ...folder.faults],
    missed:
      behindMs > INTERVAL_MS * 2 ? [`${behindMs} ms missing; Litestream's interval is ${INTERVAL_MS}`] : [],
  };
}

function skipped(why: string): Measured {
  return { figures: "not run", faults: [], skipped: [why] };
}

/** The lines of the documents that hold this, as they are, but for the place of the stick. */
function line(beginning: string, stick: string): string {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/copies.md"), "utf8");
  const found = page.split("\n").find((text) => text.startsWith(beginning));
  if (found === undefined) throw new Error(`docs/copies.md has no line "${beginning}"`);
  return found.replace("/media/stick", stick);
}

async function restoreOnce(folder: string, bin: string): Promise<Round> {
  const stick = join(folder, "stick");
  mkdirSync(stick, { recursive: true });
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const faults: string[] = [];
  const runLine = (words: string) => {
    const ran = spawnSync("sh", ["-c", words.replace(/^manuscript /, `${process.execPath} ${PROGRAM} `)], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    if (ran.status !== 0) faults.push(`${words}: ${ran.stderr}`);
    return ran.stdout;
  };
  const desk = makeDesk(join(folder, "novel.manuscript"), 24);
  const server = await serveDesk(desk);
  const replicate = line("litestream replicate", stick);
  const litestream = spawn("sh", ["-c", `exec ${replicate}`], {
    cwd: folder,
    env,
    stdio: "ignore",
    detached: true,
  });
  const ended = once(litestream, "exit");
  await eventually(() => existsSync(join(stick, "novel", "generations")), "Litestream to make a copy");
  const stop = new AbortController();
  const writers = [0, 1].map(
    (at) => new Writer(desk, `writer ${at}`, desk.chapterIds.slice(at * 12, at * 12 + 12)),
  );
  const times = new Map<Save, number>();
  const note = () => {
    for (const { saves } of writers)
      for (const save of saves) if (!times.has(save)) times.set(save, performance.now());
  };
  const noting = setInterval(note, 10);
  const writing = writers.map((writer) => writer.write(server.port, stop.signal, 20));
  await wait(WRITING_MS);
  note();
  const killed = performance.now();
  process.kill(-(litestream.pid ?? 0), "SIGKILL");
  stop.abort();
  await server.stop("SIGKILL");
  await Promise.all([...writing, ended]);
  clearInterval(noting);
  runLine(`manuscript books --file novel.manuscript`); // with Litestream's tables in it
  runLine(line("litestream restore", stick));
  const restored = join(folder, "restored.manuscript");
  if (!existsSync(restored)) return { answers: times.size, lost: times.size, behindMs: 0, faults };
  runLine(line("manuscript restore restored", stick));
  for (const { status, name, found } of diagnose(desk.path).checks)
    if (status === "fail") faults.push(`doctor: ${name}: ${found}`);
  const lost = [...times.keys()].filter((save) => listLost(desk.path, [save]).length > 0);
  for (const { saves } of writers) {
    const first = saves.findIndex((save) => lost.includes(save));
    if (first >= 0 && saves.slice(first).some((save) => times.has(save) && !lost.includes(save)))
      faults.push("a later save is there and an earlier one is not");
  }
  const behindMs = lost.reduce((most, save) => Math.max(most, killed - (times.get(save) ?? killed)), 0);
  if (readdirSync(folder).every((name) => !name.includes("-until-")))
    faults.push("the former file is not kept");
  return { answers: times.size, lost: lost.length, behindMs, faults };
}
