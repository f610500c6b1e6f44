import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { dice } from "../faults/two-sided/prose.ts";
import type { Measured, TrustPromise } from "./promise.ts";

// Stryker changes one operator, condition or block at a time and asks whether a test notices. All of it takes many hours, so a
// share of each area's lines is drawn, others with another MANUSCRIPT_SEED; MANUSCRIPT_MUTANTS=1 takes every line. Stryker is
// installed for the run alone, with the TypeScript that it knows. Texts are left as they are: most are messages.
const SHARE = Number(process.env.MANUSCRIPT_MUTANTS ?? 0.06);
const SEED = Number(process.env.MANUSCRIPT_SEED ?? 1);
const LINES_DRAWN_TOGETHER = 15;
const BAR_PERCENT = 85;
const PACKAGES = ["@stryker-mutator/core@9.6.1", "@stryker-mutator/tap-runner@9.6.1", "typescript@5.9"];
const root = resolve(import.meta.dirname, "../..");

/** What is changed, and the folders or files of tests that are to notice. */
interface Area {
  name: string;
  sources: readonly string[];
  tests: readonly string[];
}

const AREAS: readonly Area[] = [
  { name: "store", sources: ["src/store"], tests: ["test/store", "test/service", "test/cli/doctor.test.ts"] },
  {
    name: "merge of books",
    sources: ["src/book", "src/three-way.ts"],
    tests: ["test/three-way.test.ts", "test/files", "test/service/merge-entries.test.ts"],
  },
  {
    name: "who may ask",
    sources: ["src/http/door/auth.ts", "src/http/door/guard.ts", "src/service/account/keys.ts"],
    tests: ["test/http", "test/cli/account.test.ts"],
  },
  {
    name: "plan of a prose write",
    sources: ["src/prose/plan"],
    tests: ["test/prose", "test/service/prose-agrees.test.ts", "test/http/paragraphs.test.ts"],
  },
];

export const promise: TrustPromise = {
  number: 18,
  promise:
    "The tests bite: what is broken on purpose in store, merge, authentication and prose plan is noticed",
  bar: `${BAR_PERCENT} % of mutants killed`,
  isNightly: true,
  measure,
};

async function measure(): Promise<Measured> {
  const tools = mkdtempSync(join(tmpdir(), "manuscript-mutants-"));
  try {
    writeFileSync(join(tools, "package.json"), "{}");
    const { exit } = await run("npm", ["install", "--no-audit", "--no-fund", ...PACKAGES], tools);
    if (exit !== 0)
      return { figures: "not measured", faults: [], skipped: ["Stryker could not be installed from npm"] };
    const tallies: Tally[] = [];
    for (const area of AREAS) tallies.push(await mutate(area, tools));
    return report(tallies);
  } finally {
    rmSync(tools, { recursive: true, force: true });
  }
}

interface Tally {
  area: string;
  killed: number;
  total: number;
  survivors: string[];
}

function report(tallies: readonly Tally[]): Measured {
  const percent = ({ killed, total }: Pick<Tally, "killed" | "total">) =>
    Math.round((100 * killed) / Math.max(1, total));
  const all = tallies.reduce(
    (sum, { killed, total }) => ({ killed: sum.killed + killed, total: sum.total + total }),
    { killed: 0, total: 0 },
  );
  for (const { area, survivors } of tallies)
    for (const line of survivors) console.log(`   survived (${area}) ${line}`);
  const parts = tallies.map((tally) => `${tally.area} ${percent(tally)} % of ${tally.total}`);
  return {
    figures: `${percent(all)} % of ${all.total} mutants killed (${parts.join(", ")})`,
    faults: all.total === 0 ? ["nothing was changed"] : [],
    missed: tallies
      .filter((tally) => percent(tally) < BAR_PERCENT)
      .map((tally) => `${tally.area}: ${percent(tally)} %`),
  };
}

interface StrykerReport {
  files: Record<
    string,
    {
      mutants: {
        mutatorName: string;
        status: string;
        replacement?: string;
        location: { start: { line: number } };
      }[];
    }
  >;
}

async function mutate({ name, sources, tests }: Area, tools: string): Promise<Tally> {
  const reportFile = join(tools, "report.json");
  const conf = join(tools, "conf.json");
  const plugin = join(tools, "node_modules/@stryker-mutator/tap-runner/dist/src/index.js");
  const options = {
    plugins: [plugin],
    testRunner: "tap",
    tap: {
      testFiles: tests.flatMap((place) => listFiles(place, ".test.ts")),
      nodeArgs: ["--import", "tsx"],
      forceBail: true,
    },
    mutate: sources.flatMap((place) => listFiles(place, ".ts")).flatMap(drawer(name)),
    mutator: { excludedMutations: ["StringLiteral"] },
    reporters: ["json"],
    jsonReporter: { fileName: reportFile },
    tempDirName: join(tools, "sandbox"),
    symlinkNodeModules: true,
    coverageAnalysis: "perTest",
    tsconfigFile: "none.json",
    timeoutMS: 60_000,
    ignorePatterns: ["dist"],
  };
  writeFileSync(conf, JSON.stringify(options));
  rmSync(reportFile, { force: true });
  const stryker = join(tools, "node_modules/@stryker-mutator/core/bin/stryker.js");
  const { exit, told } = await run(process.execPath, [stryker, "run", conf], root);
  if (exit !== 0) throw new Error(`Stryker ended with ${exit} on ${name}: ${told.slice(-2000)}`);
  return tally(name, JSON.parse(readFileSync(reportFile, "utf8")) as StrykerReport);
}

function tally(area: string, { files }: StrykerReport): Tally {
  const mutants = Object.entries(files).flatMap(([file, found]) =>
    found.mutants.map((mutant) => ({ ...mutant, file })),
  );
  const counted = mutants.filter(({ status }) =>
    ["Killed", "Timeout", "Survived", "NoCoverage"].includes(status),
  );
  const alive = counted.filter(({ status }) => status === "Survived" || status === "NoCoverage");
  const survivors = alive.map(
    ({ file, mutatorName, replacement = "", location }) =>
      `${file}:${location.start.line} ${mutatorName} ${replacement.replace(/\s+/g, " ").slice(0, 80)}`,
  );
  return { area, killed: counted.length - alive.length, total: counted.length, survivors };
}

/** Every file with this ending in a folder, or the file itself; relative to the repository. */
function listFiles(place: string, ending: string): string[] {
  if (place.endsWith(".ts")) return [place];
  return readdirSync(join(root, place), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => relative(root, join(root, place, name)))
    .sort();
}

/** The stretches of a file's lines that are drawn, as Stryker names them. */
function drawer(area: string): (file: string) => string[] {
  const random = dice(SEED, area.length);
  return (file) => {
    const count = readFileSync(join(root, file), "utf8").split("\n").length;
    const drawn: string[] = [];
    for (let line = 1; line <= count; line += LINES_DRAWN_TOGETHER)
      if (random() < SHARE) drawn.push(`${file}:${line}-${Math.min(count, line + LINES_DRAWN_TOGETHER - 1)}`);
    return drawn;
  };
}

async function run(command: string, args: readonly string[], cwd: string) {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let told = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (told += String(chunk)));
  const [exit] = (await once(child, "close")) as [number | null];
  return { exit, told };
}
