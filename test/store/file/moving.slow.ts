import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { Unavailable } from "../../../src/refusals.ts";
import { restoreCopy } from "../../../src/service/backups/restore.ts";
import { openManuscript } from "../../../src/service/manuscript.ts";
import { listDamagedRows } from "../../../src/store/damage.ts";
import { randomly } from "../../prose/rewrite.ts";
import { randomFrom } from "../../support/random.ts";
import { folder, manuscriptBytes } from "../../support/sandbox.ts";
import { type Asked, type Told, titlesIn } from "./moving.ts";

type Harm = (from: string, to: string, old: string) => void;

const rename: Harm = (from, to) => renameSync(from, to);

/** What is done to a file while a server has it open. */
const HARMS: Readonly<Record<string, Harm>> = {
  rename,
  "rename to a folder": rename,
  "rename with its folder": (from, to) => renameSync(dirname(from), dirname(to)),
  copy: (from, to) => copyFileSync(from, to),
  "copy, and remove": (from, to) => {
    copyFileSync(from, to);
    rmSync(from);
  },
  link: linkSync,
  "link, and remove": (from, to) => {
    linkSync(from, to);
    rmSync(from);
  },
  "put a copy in its place": (from, to) => {
    renameSync(from, to);
    copyFileSync(to, from);
  },
  "put an older copy in its place": (from, to, old) => {
    renameSync(from, to);
    renameSync(old, from);
  },
  "rename to a folder, and the log's folder": (from, to) => {
    renameSync(from, to);
    renameSync(dirname(from), `${dirname(from)}-away`);
  },
  "rename the log's folder, and put the file in a new one": (from) => {
    renameSync(dirname(from), `${dirname(from)}-away`);
    mkdirSync(dirname(from));
    renameSync(join(`${dirname(from)}-away`, basename(from)), from);
  },
};

/** True if nothing tells where the log is until it is moved back. */
const hidesLog = ({ harm }: Pick<History, "harm">) => harm.includes("the log's folder");

/** Moves a file back, and its old folder before it. */
function moveBack({ harm, from, to }: History): void {
  if (!hidesLog({ harm })) {
    HARMS[harm]!(to, from, ""); // it is one of them
    return;
  }
  const own = dirname(from);
  if (from === to) renameSync(own, `${own}-new`);
  renameSync(`${own}-away`, own);
  renameSync(from === to ? join(`${own}-new`, basename(from)) : to, from);
}

/** One manuscript, and what happens to it. */
interface History {
  name: string;
  harm: string;
  from: string;
  to: string;
  /** A copy of what it was at first. */
  old: string;
  /** Saves before, of which so many are still in the log alone. */
  saves: number;
  inLog: number;
  /** Whether another program writes by the new name, by the old one, and whether it is killed as well. */
  second: "none" | "by the new name" | "by the old name";
  isSecondKilled: boolean;
  /** Whether the server is asked for one more save. */
  isLate: boolean;
  /** By which name it is opened first at the end. */
  isOldFirst: boolean;
  /** When it is moved back. */
  back: "never" | "before the server ends" | "after that";
  /** What was acknowledged. */
  saved: Set<string>;
}

function makeHistory(random: () => number, home: string, number: number): History {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!; // none is empty
  const harm = pick(Object.keys(HARMS));
  const [own, other] = [join(home, `${number}`), join(home, `${number}-other`)];
  const from = join(own, "w.manuscript");
  const isElsewhere = harm.includes("folder") && !harm.includes("a new one");
  const to = join(
    isElsewhere ? other : own,
    /its folder|a new one/.test(harm) ? "w.manuscript" : "moved.manuscript",
  );
  mkdirSync(own);
  if (harm.startsWith("rename to a folder")) mkdirSync(other);
  writeFileSync(from, manuscriptBytes());
  const saves = 1 + Math.floor(random() * 4);
  return {
    ...{ harm, from, to, old: join(own, "old"), saves, saved: new Set() },
    inLog: Math.floor(random() * (saves + 1)),
    second: pick(["none", "by the new name", "by the new name", "by the old name"]),
    isSecondKilled: random() < 0.3 && !harm.includes("a new one"), // its log would stay in that
    isLate: random() < 0.3,
    isOldFirst: random() < 0.5,
    back: hidesLog({ harm })
      ? pick(["before the server ends", "after that"])
      : harm.startsWith("rename") && random() < 0.25
        ? "before the server ends"
        : "never",
    name: "",
  };
}

const nameOf = (history: History, end: string) =>
  `${JSON.stringify({ ...history, name: undefined, saved: undefined })}, then ${end}`;

/** A program of its own that has files open. */
function program(t: TestContext) {
  const child: ChildProcess = fork(join(import.meta.dirname, "moving.ts"), { execArgv: ["--import", "tsx"] });
  child.setMaxListeners(0);
  t.after(() => child.kill("SIGKILL"));
  return {
    async ask(asked: Asked[]): Promise<Told[]> {
      child.send(asked);
      const [told] = await Promise.race([
        once(child, "message"),
        once(child, "exit").then(([code]) => Promise.reject(new Error(`it ended with ${code}`))),
      ]);
      return told as Told[];
    },
    async end(signal?: "SIGKILL") {
      const ended = once(child, "exit");
      if (signal === undefined) child.disconnect();
      else child.kill(signal);
      await ended;
    },
  };
}

/** Asks for a save of each of these, by a path; those that are acknowledged have to be there at the end. */
async function save(
  asks: (asked: Asked[]) => Promise<Told[]>,
  histories: readonly History[],
  { path, title }: { path: (history: History) => string; title: string },
): Promise<Told[]> {
  const told = await asks(histories.map((history) => ({ does: "write", path: path(history), title })));
  for (const [at, history] of histories.entries()) {
    const { titles, refused } = told[at]!; // one each
    if (refused === undefined) history.saved.add(title);
    if (refused !== undefined) assert.match(refused, /^Unavailable: /, history.name);
    if (refused === undefined && !history.harm.includes("copy") && !hidesLog(history))
      for (const each of history.saved)
        assert.ok(titles.includes(each), `${history.name}: a program does not see ${each}`);
  }
  return told;
}

async function run(t: TestContext, histories: readonly History[], end: "stop" | "kill"): Promise<void> {
  for (const history of histories) history.name = nameOf(history, end);
  const server = program(t);
  const bySelf = { path: ({ from }: History) => from };
  const most = Math.max(...histories.map(({ saves }) => saves));
  for (let number = 0; number < most; number++) {
    const writing = histories.filter(({ saves }) => number < saves);
    for (const { refused } of await save(server.ask, writing, { ...bySelf, title: `Save ${number}` }))
      assert.equal(refused, undefined);
    const empty = writing.filter(({ saves, inLog }) => number < saves - inLog);
    await server.ask(empty.map(({ from }) => ({ does: "checkpoint", path: from })));
    if (number === 0) for (const { from, old } of histories) copyFileSync(from, old);
  }
  for (const { harm, from, to, old } of histories) HARMS[harm]!(from, to, old); // it is one of them
  const killed = program(t);
  const second = program(t);
  for (const [other, isKilled] of [
    [killed, true],
    [second, false],
  ] as const) {
    const writing = histories.filter((one) => one.second !== "none" && one.isSecondKilled === isKilled);
    const path = ({ second: by, from, to }: History) => (by === "by the new name" ? to : from);
    await save(
      other.ask,
      writing.filter((one) => existsSync(path(one))),
      { path, title: "Second" },
    );
    if (!isKilled) await other.ask(writing.map((one) => ({ does: "close", path: path(one) })));
    await other.end(isKilled ? "SIGKILL" : undefined);
  }
  await save(
    server.ask,
    histories.filter(({ isLate }) => isLate),
    { ...bySelf, title: "Late" },
  );
  const back = histories.filter((history) => history.back === "before the server ends");
  for (const history of back) moveBack(history);
  await save(
    server.ask,
    back.filter(({ isLate }) => isLate),
    { ...bySelf, title: "Later" },
  );
  if (end === "stop") await server.ask(histories.map(({ from }) => ({ does: "close", path: from })));
  await server.end(end === "kill" ? "SIGKILL" : undefined);
  for (const history of histories) {
    if (history.back === "after that") moveBack(history);
    check(history);
  }
}

/** Opens a file by a name as a command would, and does what a refusal says. Returns the titles, and the log that was set aside. */
function found(path: string, name: string): { titles: string[]; aside: string } {
  let aside = "";
  for (let time = 0; ; time++) {
    try {
      const manuscript = openManuscript(path);
      try {
        assert.deepEqual(manuscript.store.list("PRAGMA integrity_check"), ["ok"], name);
        assert.deepEqual(listDamagedRows(manuscript.store), [], name);
        return { titles: titlesIn(manuscript), aside };
      } finally {
        manuscript.close();
      }
    } catch (error) {
      assert.ok(error instanceof Unavailable, `${name}: ${error}`);
      if (/second name \(a hard link\)/.test(error.message)) return { titles: [], aside };
      assert.match(error.message, /: manuscript restore "/, name);
      assert.ok(time === 0, `${name}: after a restore: ${error.message}`);
      const restored = restoreCopy(path, path, { at: Date.UTC(2026, 0, 1), dryRun: false });
      if (restored.without === "another's log") aside = readFileSync(`${restored.aside}-wal`, "utf8");
    }
  }
}

/**
 * All that was acknowledged is in one of the files, or, where each was written by itself, in both. Where a second program wrote
 * while nothing told where the log was, all that it wrote is there, and the log is kept aside.
 */
function check(history: History): void {
  const { from, to, saved, name, isOldFirst } = history;
  const names = (isOldFirst ? [from, to] : [to, from]).filter((path) => existsSync(path));
  const there = [...new Set(names)].map((path) => found(path, name));
  const isParted = hidesLog(history) && saved.has("Second");
  for (const title of saved)
    assert.ok(
      there.some(
        ({ titles, aside }) =>
          titles.includes(title) || (isParted && title !== "Second" && aside.includes(title)),
      ),
      `${name}: ${title} is lost; there are ${JSON.stringify(there.map(({ titles }) => titles))}`,
    );
}

const RUNS = 500;
const BATCH = 63;

describe("a file that is moved, copied or linked under a program that has it open", () => {
  it("loses nothing that was acknowledged and is never malformed, however its programs end", async (t) => {
    const { numRuns, seed } = randomly(RUNS);
    const random = randomFrom(seed);
    const home = folder(t);
    for (let from = 0; from < numRuns; from += BATCH) {
      const end = (from / BATCH) % 2 === 0 ? "kill" : "stop";
      const count = Math.min(BATCH, numRuns - from);
      const histories = Array.from({ length: count }, (_, at) => makeHistory(random, home, from + at));
      await run(t, histories.slice(count / 2), end);
      await run(t, histories.slice(0, count / 2), end === "kill" ? "stop" : "kill");
    }
  });
});
