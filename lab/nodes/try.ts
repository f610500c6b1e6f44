import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

// What a newcomer does, under each Node: clone, `npm ci`, `npm test`, then the sample answers a request with the key it
// printed and stops, and its book is searched; and the package is packed and installed as `npm install -g` does. `npm run try-nodes -- 24 ci sample` tries those steps under that Node; without words, all under all.
const LINES = ["20", "22", "24", "26"];
// The npm that each line of Node brings; npm's package of Node holds Node alone.
const NPM: Readonly<Record<string, string>> = { 20: "10", 22: "10" };
const NEWER_NPM = "11";
const STEPS = { ci: tryCi, test: tryTests, sample: trySample, package: tryPackage };
type Step = keyof typeof STEPS;
const MOST_MS = {
  install: 5 * 60_000,
  ci: 10 * 60_000,
  test: 15 * 60_000,
  sample: 60_000,
  stop: 15_000,
} as const;
const SEARCHES = 5;
const root = join(import.meta.dirname, "../..");

/** A clone, and the environment under which one Node works on it. */
interface Bench {
  clone: string;
  env: NodeJS.ProcessEnv;
}

interface Outcome {
  ok: boolean;
  /** In seconds. */
  took: number;
  /** What was seen: counts of tests, warnings, or why it failed. */
  found: string;
}

interface Tried {
  node: string;
  npm: string;
  steps: Record<string, Outcome>;
}

const words = process.argv.slice(2);
const isStep = (word: string): word is Step => word in STEPS;
const versions = words.filter((word) => /^\d+(\.\d+){0,2}$/.test(word));
const wrong = words.filter((word) => !isStep(word) && !versions.includes(word));
if (wrong.length > 0)
  throw new Error(
    `neither a Node nor a step: ${wrong.join(", ")}; steps are ${Object.keys(STEPS).join(", ")}`,
  );
const asked = words.filter(isStep);
// What comes later needs what `npm ci` installs.
const steps = (Object.keys(STEPS) as Step[]).filter(
  (step) => asked.length === 0 || step === "ci" || asked.includes(step),
);

const folder = mkdtempSync(join(tmpdir(), "manuscript-nodes-"));
const tried: Tried[] = [];
try {
  for (const version of versions.length > 0 ? versions : LINES) tried.push(await tryNode(version));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
report(tried);

async function tryNode(version: string): Promise<Tried> {
  const npmLine = NPM[version.split(".")[0] ?? ""] ?? NEWER_NPM;
  const at = join(folder, version);
  const bench = { clone: join(at, "clone"), env: {} as NodeJS.ProcessEnv };
  const row: Tried = { node: version, npm: npmLine, steps: {} };
  const install = async () => {
    bench.env = await installNode(at, version, npmLine);
    row.node = (await run("node", ["--version"], { env: bench.env })).stdout.trim();
    row.npm = (await run("npm", ["--version"], { env: bench.env })).stdout.trim();
    await run("git", ["clone", "--quiet", root, bench.clone], { env: bench.env });
    return "";
  };
  row.steps.install = await timed("install", version, install);
  for (const step of steps) {
    if (Object.values(row.steps).some(({ ok }) => !ok)) break;
    row.steps[step] = await timed(step, version, () => STEPS[step](bench));
  }
  rmSync(at, { recursive: true, force: true });
  return row;
}

async function timed(step: string, version: string, work: () => Promise<string>): Promise<Outcome> {
  console.error(`Node ${version}: ${step} …`);
  const start = performance.now();
  const outcome = (ok: boolean, found: string) => {
    const took = Math.round((performance.now() - start) / 100) / 10;
    console.error(`Node ${version}: ${step} ${ok ? "done" : "FAILED"} in ${took} s. ${found}`);
    return { ok, took, found };
  };
  return work().then(
    (found) => outcome(true, found),
    (error: Error) => outcome(false, error.message),
  );
}

/** Installs a Node and its npm from their packages; the environment in which those two are found first. */
async function installNode(at: string, version: string, npmLine: string): Promise<NodeJS.ProcessEnv> {
  const bin = join(at, "bin");
  mkdirSync(bin, { recursive: true });
  // npm's package of Node fetches the one for this machine by a script, which npm 12 runs only if allowed.
  writeFileSync(join(at, "package.json"), '{ "private": true, "allowScripts": { "node": true } }');
  const packages = [`node@${version}`, `npm@${npmLine}`];
  await run("npm", ["install", "--no-audit", "--no-fund", ...packages], {
    cwd: at,
    env: process.env,
    mostMs: MOST_MS.install,
  });
  for (const name of ["node", "npm", "npx"])
    symlinkSync(join(at, "node_modules/.bin", name), join(bin, name));
  // A parent npm's settings would be read as this npm's own.
  const ours = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const env: NodeJS.ProcessEnv = {
    ...Object.fromEntries(ours),
    PATH: [bin, process.env.PATH].join(delimiter),
  };
  // Headers of its own: those that a machine sets for its Node would compile for the wrong one.
  const packed = join(at, "node_modules/node/node_modules");
  const headers = readdirSync(packed)
    .map((name) => join(packed, name))
    .find((path) => existsSync(join(path, "include/node/node_api.h")));
  if (headers !== undefined) env.npm_config_nodedir = headers;
  return env;
}

async function tryCi({ clone, env }: Bench): Promise<string> {
  const { stderr } = await run("npm", ["ci"], { cwd: clone, env, mostMs: MOST_MS.ci });
  const warnings = warningsOf(stderr);
  return warnings.length === 0 ? "no warning" : warnings.join(" ");
}

/** What npm warned of. The machine's own settings are none of the package's faults. */
function warningsOf(stderr: string): string[] {
  return stderr.split("\n").filter((line) => /^npm warn (?!Unknown)/i.test(line));
}

/** Packs the package and installs it as for everybody, without a warning of npm's. Node 20 has the clone alone. */
async function tryPackage({ clone, env }: Bench): Promise<string> {
  const { stdout: version } = await run("node", ["--version"], { env });
  if (version.startsWith("v20.")) return "not for this Node";
  const prefix = join(clone, "../prefix");
  await run("npm", ["pack", "--pack-destination", ".."], { cwd: clone, env, mostMs: MOST_MS.ci });
  const [archive = ""] = readdirSync(join(clone, "..")).filter((name) => name.endsWith(".tgz"));
  const install = ["install", "--global", "--prefix", prefix, join(clone, "..", archive)];
  const { stderr } = await run("npm", install, { env, mostMs: MOST_MS.install });
  const warnings = warningsOf(stderr);
  if (warnings.length > 0) throw new Error(warnings.join(" "));
  const { stdout } = await run(join(prefix, "bin/manuscript"), ["--version"], { env });
  const { stdout: left } = await run("git", ["status", "--porcelain"], { cwd: clone, env });
  if (left !== "") throw new Error(`packing left ${left}`);
  return `${archive} installed without a warning: ${stdout.trim()}`;
}

async function tryTests({ clone, env }: Bench): Promise<string> {
  const { stdout } = await run("npm", ["test"], { cwd: clone, env, mostMs: MOST_MS.test });
  const count = (word: string) => Number(new RegExp(`^ℹ ${word} (\\d+)$`, "m").exec(stdout)?.[1] ?? 0);
  if (count("pass") === 0) throw new Error("npm test ran no test");
  return `${count("pass")} passed, ${count("skipped")} skipped`;
}

/** Starts the sample, asks for its books with the key it printed, stops it as Ctrl-C does, and searches its book. */
async function trySample(bench: Bench): Promise<string> {
  const title = await askSample(bench);
  // Each of these is a process that must end well: a binding of another Node's crashes only sometimes, and at the end.
  for (let count = 0; count < SEARCHES; count++) {
    const argv = ["bin/manuscript.js", "search", title, "the", "--file", "sample.manuscript", "--json"];
    const { stdout } = await run("node", argv, { cwd: bench.clone, env: bench.env });
    if (!stdout.includes('"excerpt')) throw new Error(`search found nothing: ${stdout}`);
  }
  return `answered with ${title}, searched ${SEARCHES} times`;
}

async function askSample({ clone, env }: Bench): Promise<string> {
  const server = spawn("npm", ["start", "--", "--port", "0"], {
    cwd: clone,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = gathered(server);
  const ended = once(server, "exit");
  try {
    const curl = await Promise.race([
      line(said, /curl -H "Authorization: (Bearer \S+)" (http:\S+)/),
      ended.then(() => undefined),
    ]);
    if (curl === undefined) throw new Error(`npm start ended: ${said.all.trim()}`);
    const [, authorization = "", address = ""] = curl;
    const answer = await fetch(address, { headers: { authorization } });
    const { books } = (await answer.json()) as { books?: { title: string }[] };
    const title = books?.[0]?.title;
    if (answer.status !== 200 || title === undefined) throw new Error(`${address} answered ${answer.status}`);
    stop(server, "SIGINT");
    const stopped = await Promise.race([ended.then(() => true), wait(MOST_MS.stop, false)]);
    if (!stopped) throw new Error("npm start did not stop");
    return title;
  } finally {
    stop(server, "SIGKILL");
    await ended;
  }
}

/** Sends a signal to a program and all that it started, as a terminal does. */
function stop({ exitCode, signalCode, pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (exitCode === null && signalCode === null && pid !== undefined) process.kill(-pid, signal);
}

/** The first match in what a program has said, waited for. */
async function line(said: { all: string }, pattern: RegExp): Promise<RegExpExecArray> {
  for (const end = Date.now() + MOST_MS.sample; Date.now() < end; await wait(50)) {
    const found = pattern.exec(said.all);
    if (found) return found;
  }
  throw new Error(`npm start printed no ${pattern}: ${said.all.trim()}`);
}

function gathered({ stdout, stderr }: ChildProcess): { all: string } {
  const said = { all: "" };
  for (const stream of [stdout, stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said.all += text;
    });
  return said;
}

/** What a program wrote, once it has ended well. Throws with the end of what it said if it did not. */
async function run(
  program: string,
  args: readonly string[],
  { cwd = folder, env, mostMs = 60_000 }: { cwd?: string; env: NodeJS.ProcessEnv; mostMs?: number },
): Promise<{ stdout: string; stderr: string }> {
  const child = spawn(program, args, { cwd, env, timeout: mostMs, stdio: ["ignore", "pipe", "pipe"] });
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      written[name] += text;
    });
  const [status, signal] = await once(child, "close");
  if (status === 0) return written;
  const tail = `${written.stdout}${written.stderr}`.trim().slice(-4000);
  throw new Error(`${program} ${args.join(" ")} ended with ${signal ?? status}:\n${tail}`);
}

/** Prints a table on stderr and one line of JSON on stdout, as the benches do; a failure is this process's too. */
function report(rows: readonly Tried[]): void {
  const cell = ({ ok, took, found }: Outcome) =>
    `${ok ? "ok" : "FAILED"} ${took} s ${ok ? found : ""}`.trim();
  console.table(
    rows.map(({ node, npm, steps }) => ({
      node,
      npm,
      ...Object.fromEntries(Object.entries(steps).map(([step, outcome]) => [step, cell(outcome)])),
    })),
  );
  console.log(JSON.stringify({ suite: "nodes", tried: rows }));
  if (rows.some(({ steps }) => Object.values(steps).some(({ ok }) => !ok))) process.exitCode = 1;
}
