import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dice } from "../faults/two-sided/prose.ts";
import { listFiles, type Mutant, plant } from "./mutants/tree.ts";
import { tryMutants } from "./mutants/try.ts";
import type { Measured, TrustPromise } from "./promise.ts";

// Stryker's instrumenter puts every change of one operator, condition or block behind a switch; then `count` of each area's are
// drawn, others with another MANUSCRIPT_SEED, and tried one after another in processes that have the tests loaded. An area
// ends after its minutes. All of them take hours: MANUSCRIPT_MUTANTS=100000 MANUSCRIPT_MINUTES=600. One area by itself:
// MANUSCRIPT_AREA=store.
const COUNT = Number(process.env.MANUSCRIPT_MUTANTS ?? 50);
const WITHIN_MS = 60_000 * Number(process.env.MANUSCRIPT_MINUTES ?? 10);
const SEED = Number(process.env.MANUSCRIPT_SEED ?? 1);
const AREA = process.env.MANUSCRIPT_AREA;
const BAR_PERCENT = 85;
const PACKAGES = ["@stryker-mutator/instrumenter@9.6.1", "typescript@5.9"];

/** What is changed, and the folders or files of tests that are to notice. */
interface Area {
  name: string;
  sources: readonly string[];
  tests: readonly string[];
}

const AREAS: readonly Area[] = [
  { name: "store", sources: ["src/store"], tests: ["test/store", "test/service", "test/cli", "test/http"] },
  {
    name: "merge of books",
    sources: ["src/book", "src/three-way.ts"],
    tests: [
      "test/three-way.test.ts",
      "test/book",
      "test/files",
      "test/service/merge-entries.test.ts",
      "test/cli",
    ],
  },
  {
    name: "who may ask",
    sources: ["src/http/door/auth.ts", "src/http/door/guard.ts", "src/service/account/keys.ts"],
    tests: [
      "test/http/guard.test.ts",
      "test/http/gates.test.ts",
      "test/http/doors.test.ts",
      "test/http/session.test.ts",
      "test/http/owner.test.ts",
      "test/http/feed.test.ts",
      "test/service/shelf",
      "test/service/keys.test.ts",
      "test/cli/account.test.ts",
    ],
  },
  {
    name: "plan of a prose write",
    sources: ["src/prose/plan"],
    tests: ["test/prose", "test/service", "test/http", "test/cli"],
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
    for (const area of AREAS.filter(({ name }) => AREA === undefined || name === AREA))
      tallies.push(await mutate(area, tools));
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

async function mutate({ name, sources, tests }: Area, tools: string): Promise<Tally> {
  const tree = join(tools, "tree");
  try {
    const files = sources.flatMap((place) => listFiles(place, ".ts"));
    const mutants = await plant(tree, tools, files);
    const drawn = { mutants, count: COUNT, random: dice(SEED, name.length), within: WITHIN_MS };
    const { killed, survived, atLoad, unusable } = await tryMutants(tree, tests, drawn);
    console.log(
      `   ${name}: ${mutants.length} mutants, ${atLoad} of them act at load only and are not drawn`,
    );
    for (const test of unusable) console.log(`   not used: ${test}`);
    return {
      area: name,
      killed: killed.length,
      total: killed.length + survived.length,
      survivors: survived.map(told),
    };
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

function told({ fileName, mutatorName, replacement, location }: Mutant): string {
  const text = replacement.replace(/\s+/g, " ").slice(0, 80);
  return `${fileName}:${location.start.line + 1}:${location.start.column + 1} ${mutatorName} ${text}`;
}

async function run(command: string, args: readonly string[], cwd: string) {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let told = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (told += String(chunk)));
  const [exit] = (await once(child, "close")) as [number | null];
  return { exit, told };
}
