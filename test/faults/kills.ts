import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { openManuscript } from "../../src/service/manuscript.ts";

// Import and export of the sample novel, stopped by SIGKILL at moments spread over their whole run: what is left must be
// all or nothing of the import, and of each file of the export. `npm run faults`; MANUSCRIPT_SEED repeats a run.
const KILLS = 60;
const program = resolve(import.meta.dirname, "../../bin/manuscript.js");
const novel = resolve(import.meta.dirname, "../../fixtures/novel");
const seed = Number(process.env.MANUSCRIPT_SEED ?? Math.floor(Math.random() * 0x7fffffff));

let state = seed;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 4_294_967_296;
};

const folder = mkdtempSync(join(tmpdir(), "manuscript-faults-"));
const full = join(folder, "full.manuscript");
const run = (...argv: string[]) => spawnSync(process.execPath, [program, ...argv], { encoding: "utf8" });

/** Runs a command and kills it after a share of the time that it takes. True where it was still running. */
async function killed(argv: readonly string[], afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [program, ...argv], { stdio: "ignore" });
  const exit = once(child, "exit");
  await Promise.race([wait(afterMs), exit]);
  const wasRunning = child.kill("SIGKILL");
  await exit;
  return wasRunning;
}

function timed(...argv: string[]): number {
  const start = performance.now();
  const { status, stderr } = run(...argv);
  if (status !== 0) throw new Error(`${argv[0]} failed: ${stderr}`);
  return performance.now() - start;
}

run("init", full);
const importMs = timed("import", novel, "--file", full);
const whole = join(folder, "whole");
const exportMs = timed("export", "1", "-o", whole, "--file", full);
const chapters = readdirSync(whole).filter((name) => name.endsWith(".md")).length;

const faults: string[] = [];
const count = { running: 0, none: 0, all: 0, files: 0 };
for (let kill = 0; kill < KILLS; kill++) {
  const file = join(folder, `${kill}.manuscript`);
  run("init", file);
  if (await killed(["import", novel, "--file", file], random() * importMs * 1.1)) count.running++;
  const manuscript = openManuscript(file);
  const [books, found] = ["books", "chapters"].map((table) =>
    Number(manuscript.store.prepare(`SELECT count(*) FROM ${table}`).pluck().get()),
  );
  manuscript.close();
  if (books === 0 && found === 0) count.none++;
  else if (books === 1 && found === chapters) count.all++;
  else faults.push(`kill ${kill}: ${books} books and ${found} of ${chapters} chapters`);
  const { status, stdout } = run("doctor", "--file", file);
  if (status !== 0) faults.push(`kill ${kill}: ${stdout}`);
  rmSync(file);

  const out = join(folder, `out-${kill}`);
  if (await killed(["export", "1", "-o", out, "--file", full], random() * exportMs * 1.1)) count.running++;
  for (const name of existsSync(out) ? readdirSync(out) : []) {
    if (/^\.manuscript-.*\.tmp$/.test(name)) continue; // beside its place, not in it
    count.files++;
    if (!readFileSync(join(out, name)).equals(readFileSync(join(whole, name))))
      faults.push(`kill ${kill}: ${name} is torn`);
  }
  const again = run("export", "1", "-o", out, "--file", full);
  if (again.status !== 0) faults.push(`kill ${kill}: the next export failed: ${again.stderr}`);
  rmSync(out, { recursive: true });
}
rmSync(folder, { recursive: true });

console.log(JSON.stringify({ suite: "kills", seed, kills: 2 * KILLS, ...count, faults }));
if (count.running < KILLS || count.none === 0 || count.files === 0) {
  faults.push("the kills came too early or too late to say anything");
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
