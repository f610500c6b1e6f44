import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { inMemory } from "../../../test/in-memory.ts";
import { listFiles, type Mutant } from "./tree.ts";
import type { Ready, Verdict } from "./worker.ts";

/** What became of those that were drawn. */
export interface Tried {
  killed: Mutant[];
  survived: Mutant[];
  /** How many act only while a file is loaded: they are not drawn. */
  atLoad: number;
  /** Tests that fail when run like this, without any mutant: they are not used. */
  unusable: string[];
}

/** What is drawn from, and how many. */
interface Drawn {
  mutants: readonly Mutant[];
  count: number;
  random: () => number;
  /** Milliseconds after which no other is begun. */
  within: number;
  tell?: (mutant: Mutant, verdict: Verdict | undefined) => void;
}

/** Draws `count` of the mutants and runs, for each, the tests that come through it, in as many processes as there are cores. */
export async function tryMutants(tree: string, tests: readonly string[], drawn: Drawn): Promise<Tried> {
  const scratch = mkdtempSync(join(inMemory(), "manuscript-mutants-"));
  try {
    return await tryIn({ tree, scratch }, tests, drawn);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The repository's copy, and the folder for what its tests write. */
interface Place {
  tree: string;
  scratch: string;
}

async function tryIn(place: Place, tests: readonly string[], drawn: Drawn): Promise<Tried> {
  const files = tests.flatMap((named) => listFiles(named, ".test.ts")).map((file) => join(place.tree, file));
  const first = await start(place, files);
  const covered = new Set(first.ready.covered);
  const isAtLoad = ({ id }: Mutant) => !covered.has(id) && first.ready.atLoad.includes(id);
  const candidates = drawn.mutants.filter((mutant) => !isAtLoad(mutant));
  const queue = draw(candidates, drawn.count, drawn.random);
  const tried: Tried = {
    killed: [],
    survived: queue.filter(({ id }) => !covered.has(id)),
    atLoad: drawn.mutants.length - candidates.length,
    unusable: first.ready.unusable,
  };
  const left = queue.filter(({ id }) => covered.has(id));
  const last = performance.now() + drawn.within;
  const next = () => (performance.now() < last ? left.shift() : undefined);
  const work = async (given?: Started) => {
    let worker = given;
    for (let mutant = next(); mutant !== undefined; mutant = next()) {
      const isFresh = worker === undefined;
      worker ??= await start(place, files);
      let verdict = await ask(worker.child, mutant.id);
      if (verdict?.isSpoilt && !isFresh) {
        // What fails without the mutant, too, proves nothing: a new process says.
        end(worker);
        worker = await start(place, files);
        verdict = await ask(worker.child, mutant.id);
      }
      drawn.tell?.(mutant, verdict);
      (verdict === undefined || verdict.killedBy !== undefined ? tried.killed : tried.survived).push(mutant);
      if (verdict === undefined || verdict.isSpoilt) worker = end(worker);
    }
    end(worker);
  };
  await Promise.all(
    Array.from({ length: availableParallelism() }, (_, n) => work(n === 0 ? first : undefined)),
  );
  return tried;
}

function end(worker: Started | undefined): undefined {
  worker?.child.kill("SIGKILL");
}

function draw<Value>(values: readonly Value[], count: number, random: () => number): Value[] {
  return values
    .map((value) => ({ value, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ value }) => value);
}

interface Started {
  child: ChildProcess;
  ready: Ready;
}

function start({ tree, scratch }: Place, files: readonly string[]): Promise<Started> {
  const worker = join(tree, "lab/trust/mutants/worker.ts");
  const child = fork(worker, [...files], {
    cwd: tree,
    execArgv: ["--import", "tsx"],
    // A folder of its own, which goes with the tree: a manuscript that lies above it would be found from within.
    env: { ...process.env, TMPDIR: scratch },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let told = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (told += String(chunk)));
  return new Promise((resolve, reject) => {
    child.once("message", (ready: Ready) => resolve({ child, ready }));
    child.once("exit", (code) => reject(new Error(`the tests ended with ${code}: ${told.slice(-2000)}`)));
  });
}

const LOST_MS = 120_000;

/** The verdict on a mutant; undefined where the process went round for ever, or ended. */
function ask(child: ChildProcess, mutant: string): Promise<Verdict | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LOST_MS, undefined);
    const done = (verdict?: Verdict) => {
      clearTimeout(timer);
      child.removeAllListeners("message").removeAllListeners("exit");
      resolve(verdict);
    };
    child.removeAllListeners("exit").once("exit", () => done());
    child.once("message", (verdict: Verdict) => done(verdict));
    child.send(mutant);
  });
}
