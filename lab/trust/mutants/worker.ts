// Loads test files once, sees which test covers which mutant, then runs for each mutant that it is sent those tests.
import { inspect } from "node:util";
import { groupBy } from "../../../src/text/group-by.ts";
import { beginFile, runOne, type Suite, TESTS, type Test } from "./node-test.ts";

/** What Stryker's switches share with whoever runs them. */
interface Switches {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

/** What a worker says once: which mutants its tests come through, which act while it loads, which tests fail by themselves. */
export interface Ready {
  covered: string[];
  atLoad: string[];
  unusable: string[];
}

/** What became of a mutant. A spoilt worker fails without it, too, and is to be replaced. */
export interface Verdict {
  mutant: string;
  killedBy: string | undefined;
  isSpoilt: boolean;
}

/** Whence processes and threads that a test starts learn of the mutant. */
const ACTIVE = "__STRYKER_ACTIVE_MUTANT__";
const HITS_MORE = 100;
/** So long a mutant's tests take at most when nothing is changed, the quickest of them: else one that all come through takes minutes. */
const MOST_MS = 15_000;
const SETTLE_MS = 50;
const shared = globalThis as unknown as { __stryker__?: Switches };
shared.__stryker__ ??= {};
const switches = shared.__stryker__;
const write = process.stdout.write;
process.stdout.write = () => true;
process.stderr.write = () => true;

/** Files whose hooks have run: what a file opens for all its tests stays open, for they run again and again. */
const opened = new WeakSet<Suite>();
let thrownBeside: unknown;
for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error) => {
    thrownBeside ??= error;
  });

for (const file of process.argv.slice(2)) {
  beginFile();
  // Else it would be taken for something thrown beside a test, and be waited for without end.
  await import(file).catch(giveUp);
}
const { covers, hits, unusable } = await tryAll();
const ready: Ready = {
  covered: [...covers.keys()],
  atLoad: Object.keys(switches.mutantCoverage?.static ?? {}),
  unusable,
};
process.send?.(ready);
process.on("message", (mutant: string) => {
  judge(mutant).then((verdict) => process.send?.(verdict), giveUp);
});

function giveUp(error: unknown): never {
  process.stdout.write = write;
  console.log(inspect(error));
  process.exit(1);
}

/** Runs every suite's tests; what fails then is used no more. */
async function tryAll() {
  const covers = new Map<string, Group[]>();
  const hits = new Map<string, number>();
  const unusable: string[] = [];
  for (const [number, [suite, tests]] of [...groupBy(TESTS, ({ suite }) => suite)].entries()) {
    const start = performance.now();
    const sound: Test[] = [];
    const names = tests.map((_, index) => `${number}.${index}`);
    await runGroup(
      { suite, tests },
      {
        begin: (index) => {
          switches.currentTestId = index === undefined ? `${number}` : names[index];
        },
        end: (test, error) => {
          if (error === undefined) sound.push(test);
          else unusable.push(describeFailure(test, error));
          return true;
        },
      },
    );
    switches.currentTestId = undefined;
    const ms = (performance.now() - start) / tests.length;
    const seenBy = (id: string) => switches.mutantCoverage?.perTest[id] ?? {};
    const around = seenBy(`${number}`);
    const group = new Map<string, Test[]>();
    tests.forEach((test, index) => {
      if (!sound.includes(test)) return;
      for (const [mutant, count] of Object.entries({ ...around, ...seenBy(names[index] ?? "") })) {
        group.set(mutant, [...(group.get(mutant) ?? []), test]);
        hits.set(mutant, (hits.get(mutant) ?? 0) + count);
      }
    });
    for (const [mutant, through] of group)
      covers.set(mutant, [...(covers.get(mutant) ?? []), { suite, tests: through, ms: ms * through.length }]);
  }
  return { covers, hits, unusable };
}

/** Tests of one suite that come through a mutant, and how long they take. */
interface Group {
  suite: Suite;
  tests: readonly Test[];
  ms?: number;
}

async function judge(mutant: string): Promise<Verdict> {
  const groups = (covers.get(mutant) ?? []).sort((a, b) => (a.ms ?? 0) - (b.ms ?? 0));
  let left = MOST_MS;
  for (const group of groups) {
    left -= group.ms ?? 0;
    if (left < 0) break;
    switches.activeMutant = mutant;
    process.env[ACTIVE] = mutant;
    switches.hitCount = 0;
    switches.hitLimit = HITS_MORE * ((hits.get(mutant) ?? 0) + HITS_MORE);
    const killer = await firstFailing(group);
    switches.activeMutant = undefined;
    delete process.env[ACTIVE];
    if (killer === undefined) continue;
    const alone = { ...group, tests: [killer.test] };
    await new Promise((next) => setTimeout(next, SETTLE_MS)); // what was broken off may still end
    const isSpoilt = (await firstFailing(alone)) !== undefined && (await firstFailing(alone)) !== undefined;
    return { mutant, killedBy: killer.why, isSpoilt };
  }
  return { mutant, killedBy: undefined, isSpoilt: false };
}

async function firstFailing(group: Group): Promise<{ test: Test; why: string } | undefined> {
  let found: { test: Test; why: string } | undefined;
  await runGroup(group, {
    begin: () => {},
    end: (test, error) => {
      if (error !== undefined) found ??= { test, why: describeFailure(test, error) };
      return found === undefined;
    },
  });
  return found;
}

function describeFailure({ name }: Test, error: unknown): string {
  return `${name}: ${inspect(error).split("\n")[0]}`;
}

interface Watcher {
  /** A test begins, or without an index what is done before and after all of them. */
  begin(index: number | undefined): void;
  /** Whether to go on. */
  end(test: Test, error: unknown): boolean;
}

/** Runs tests of one suite with what it and those around it do before and after. */
async function runGroup({ suite, tests }: Group, { begin, end }: Watcher): Promise<void> {
  const suites: Suite[] = [];
  for (let each: Suite | undefined = suite; each !== undefined; each = each.parent) suites.unshift(each);
  thrownBeside = undefined;
  let broken: unknown;
  begin(undefined);
  try {
    for (const each of suites.filter((one) => !opened.has(one)))
      for (const hook of each.before) await runOne(hook);
    opened.add(suites[0] ?? suite);
  } catch (error) {
    broken = error;
  }
  for (const [index, test] of tests.entries()) {
    begin(index);
    const error = broken ?? (await runOne(test.run).then(() => thrownBeside, orUnknown));
    if (!end(test, error)) break;
  }
  begin(undefined);
  for (const { after } of suites.slice(1).reverse())
    for (const hook of after) await runOne(hook).catch(() => undefined);
}

function orUnknown(error: unknown): unknown {
  return error ?? new Error("it failed with nothing");
}
