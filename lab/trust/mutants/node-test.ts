// Stands for `node:test` where mutants are tried: its tests can be run again and again within one process.
import { mock, type TestContext } from "node:test";

type Run = (t: TestContext) => unknown;
interface Options {
  skip?: boolean | string;
}

/** A `describe`, or a file: what is done before and after its tests, and before each of them. */
export interface Suite {
  parent: Suite | undefined;
  before: Run[];
  beforeEach: Run[];
  after: Run[];
}

/** A test that was declared. */
export interface Test {
  name: string;
  suite: Suite;
  run: Run;
}

/** Every test that was declared, in order; the skipped apart. */
export const TESTS: Test[] = [];

let current: Suite = newSuite(undefined);
let isSkipped = false;

function newSuite(parent: Suite | undefined): Suite {
  return { parent, before: [], beforeEach: [], after: [] };
}

/** Begins a file: its hooks are its own. */
export function beginFile(): void {
  current = newSuite(undefined);
}

/** Declares a suite. */
export function describe(_name: string, ...[first, second]: [Options | (() => void), (() => void)?]): void {
  const [options, declare] = typeof first === "function" ? [{}, first] : [first, second];
  const [outer, wasSkipped] = [current, isSkipped];
  current = newSuite(outer);
  isSkipped ||= Boolean(options.skip);
  declare?.();
  current = outer;
  isSkipped = wasSkipped;
}

/** Declares a test. */
export function it(name: string, ...[first, second]: [Options | Run, Run?]): void {
  const [options, run] = typeof first === "function" ? [{}, first] : [first, second];
  if (run === undefined || options.skip || isSkipped) return;
  const suite = current;
  TESTS.push({
    name,
    suite,
    run: async (t) => {
      for (const hook of hooksBeforeEach(suite)) await hook(t);
      return run(t);
    },
  });
}

function hooksBeforeEach({ parent, beforeEach }: Suite): Run[] {
  return parent === undefined ? beforeEach : [...hooksBeforeEach(parent), ...beforeEach];
}

/** Declares a test. */
export function test(...declared: Parameters<typeof it>): void {
  it(...declared);
}

/** Says what is done before the tests of the suite that is being declared. */
export function before(run: Run): void {
  current.before.push(run);
}

/** Says what is done before each of them. */
export function beforeEach(run: Run): void {
  current.beforeEach.push(run);
}

/** Says what is done after them. */
export function after(run: Run): void {
  current.after.push(run);
}

const TIMEOUT_MS = 20_000;

/** Runs one test, or a suite's hook, with a context of its own. Rejects as it does, or after 20 seconds. */
export async function runOne(run: Run): Promise<void> {
  const ends: (() => unknown)[] = [];
  const t = { after: (end: () => unknown) => ends.push(end), diagnostic: () => {}, mock };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("it took too long")), TIMEOUT_MS);
  });
  try {
    await Promise.race([run(t as unknown as TestContext), late]);
  } finally {
    mock.reset(); // timers, too
    clearTimeout(timer);
    for (const end of ends) await end();
  }
}
