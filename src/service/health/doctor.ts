import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { LocalAnswer } from "../../contract/local-answers.ts";
import { createMint, systemRandom } from "../../ids.ts";
import { NewerFormat, NotFound, Refusal, rescuing } from "../../refusals.ts";
import { cloudOf } from "../../store/cloud-folder.ts";
import { formatOf, isOlderFormat, listDamage } from "../../store/examine.ts";
import { sqliteVersion, whyUnloaded } from "../../store/file/driver.ts";
import { LongLog } from "../../store/file/log.ts";
import { assertOurTables, schemaFaults, whyReadOnly } from "../../store/file/migrate.ts";
import { openToExamine } from "../../store/file/open.ts";
import type { Store } from "../../store/file/store.ts";
import { asStored } from "../../store/rows/integrity.ts";
import { listOpenHolds } from "../../store/rows/ledger.ts";
import { counted, sized } from "../../text/columns.ts";
import { type ProgressStep, share } from "../../text/progress.ts";
import { isAbandoned } from "../account/credits.ts";
import type { Manuscript } from "../manuscript.ts";
import { buildIndex, queryIndex } from "../search/search-index.ts";
import { type Aspect, countParagraphs, type Examination, examine } from "./examine.ts";

/** One thing looked at. */
export type Check = Diagnosis["checks"][number];

/** Everything that was looked at. */
export type Diagnosis = LocalAnswer<"diagnosis">;

/** The remedy where nothing can be mended. */
const rescueOf = (path: string) =>
  `Run: ${rescuing(path)}. It only reads the file, and gets out all that is left of it and of copies beside it.`;
const UPDATE = "Update manuscript; manuscript --version --verbose tells which this one is.";
const MEND =
  "Run: manuscript doctor --mend. It takes out what is foreign and makes anew what is missing; until then nothing is written.";
const mendOf = (path: string) =>
  `Run: manuscript doctor --mend. It keeps a copy, brings back what a hash, the history or a copy beside the file proves, and says what not. For that run: ${rescuing(path)}.`;
const MENDED: readonly string[] = ["integrity", "content"];
const MIB = 1024 * 1024;
const LONG_WAL_BYTES = 64 * MIB;
const SCARCE_BYTES = 100 * MIB;
const FULL_BYTES = 10 * MIB;

/**
 * Looks at a manuscript's file without changing it: where it lies, its pages, its rows, its history. Works while a
 * server has it, and on a file that nothing else opens. Throws `NotFound`.
 */
export function diagnose(path: string, clock: () => number = Date.now, step?: ProgressStep): Diagnosis {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new NotFound(`manuscript at ${path}`);
  const outside = [
    ok("node", process.versions.node),
    file(path, stat),
    ...place(path),
    wal(path),
    disk(path, stat.size),
  ];
  const checks = [...outside, ...inside(path, clock, step)];
  const worst = (["fail", "warn"] as const).find((status) => checks.some((check) => check.status === status));
  return { file: path, status: worst ?? "ok", checks };
}

/** Runs `look` on a manuscript that is left as it is; undefined if it is of an older format. */
export function lookInto<Result>(path: string, look: (manuscript: Manuscript) => Result): Result | undefined {
  const store = openToExamine(path, { clock: Date.now, mint: createMint() });
  try {
    if (isOlderFormat(store)) return undefined;
    const network = { key: undefined, fetch };
    return look({
      store,
      writer: "",
      random: systemRandom,
      reader: null,
      network,
      close: () => store.close(),
    });
  } finally {
    store.close();
  }
}

const checkOf =
  <Remedy extends string | null>(status: Check["status"]) =>
  (name: string, found: string, remedy: Remedy): Check => ({ name, status, found, remedy });
const ok = (name: string, found: string) => checkOf("ok")(name, found, null);
const warn = checkOf<string>("warn");
const fail = checkOf<string>("fail");

function file(path: string, { size, mode }: { size: number; mode: number }): Check {
  // Windows has no modes: the user's folder says who may read what is in it.
  const bits = process.platform === "win32" ? undefined : mode & 0o777;
  const found = [path, sized(size), ...(bits === undefined ? [] : [`mode ${bits.toString(8)}`])].join(", ");
  try {
    for (const place of [path, dirname(path)]) accessSync(place, constants.R_OK | constants.W_OK);
  } catch {
    return warn("file", `${found}, not writable`, "Make the file and its folder writable for you.");
  }
  if (bits === undefined || (bits & 0o077) === 0) return ok("file", found);
  return warn("file", `${found}: others may read it`, `Run: chmod 600 "${path}"`);
}

function place(path: string): Check[] {
  const cloud = cloudOf(path);
  if (cloud === null) return [];
  const remedy =
    "Stop what has the file open and move it to a folder of this computer alone; keep only its copies there: manuscript backup --to FOLDER.";
  return [warn("place", `in ${cloud}, which may copy or replace the file while it is written`, remedy)];
}

function wal(path: string): Check {
  const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes <= LONG_WAL_BYTES) return ok("wal", sized(bytes));
  return warn(
    "wal",
    sized(bytes),
    "Stop the programs that have the file open; the last one to close takes it in.",
  );
}

function disk(path: string, size: number): Check {
  const { bavail, bsize } = statfsSync(dirname(path));
  const free = bavail * bsize;
  const found = `${sized(free)} free`;
  if (free < FULL_BYTES) return fail("disk", found, "Free some space: the next writes will fail.");
  if (free < 2 * size + SCARCE_BYTES)
    return warn("disk", found, "Free some space: a copy of the file needs as much again.");
  return ok("disk", found);
}

function inside(path: string, clock: () => number, step: ProgressStep | undefined): Check[] {
  const unloaded = whyUnloaded();
  if (unloaded !== undefined) {
    const [found = "", ...cure] = unloaded.message.split(": ");
    return [fail("sqlite", `${found}; the file was not looked at, and may well be sound`, cure.join(": "))];
  }
  let store: Store;
  try {
    store = openToExamine(path, { clock, mint: createMint() });
  } catch (error) {
    return [fail("opens", messageOf(error), error instanceof NewerFormat ? UPDATE : rescueOf(path))];
  }
  // Not of one moment: nobody could take the log into the file until all was read, and it would grow with every save.
  const log = new LongLog(path);
  const between: ProgressStep = (done, total) => {
    log.wait();
    step?.(done, total);
  };
  try {
    return [
      attempt(path, "sqlite", () => ok("sqlite", sqliteVersion())),
      attempt(path, "schema", () => schema(store)),
      attempt(path, "integrity", () =>
        verdict(path, { name: "integrity", lines: listDamage(store), sound: "every page is sound" }),
      ),
      ...(isOlderFormat(store)
        ? [older()]
        : [...rows(store, share(between, 30, 100)), attempt(path, "credits", () => credits(store))]),
    ];
  } catch (error) {
    return [fail("opens", messageOf(error), rescueOf(path))];
  } finally {
    store.close();
  }
}

/** A check that cannot be made has failed. */
function attempt(path: string, name: string, check: () => Check): Check {
  try {
    return check();
  } catch (error) {
    return fail(name, messageOf(error), rescueOf(path));
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof Refusal ? error.message : `cannot be read: ${error.message}`;
}

function schema(store: Store): Check {
  const faults = schemaFaults(store);
  assertOurTables(faults);
  const why = whyReadOnly(faults);
  if (why !== undefined) return fail("schema", why.split(" Nothing is written")[0] ?? why, MEND);
  const beside = faults.harmless.map(({ type, name }) => `the ${type} ${name}`);
  const others = beside.length === 0 ? "" : `; others' ${beside.join(", ")} do no harm`;
  return ok("schema", `format ${formatOf(store)}, every table, index and trigger as it should be${others}`);
}

function older(): Check {
  const remedy = "Run: manuscript books. It keeps a copy and brings the file up to date; then look again.";
  return warn("rows", "not looked at: an older version wrote them", remedy);
}

const SOUND: Readonly<Record<Aspect, string>> = {
  content: "every row and every act is what was written",
  references: "every row has the rows that it names",
  prose: "every chapter's Markdown reads back as its paragraphs",
  derived: "texts, counts and positions are what the prose comes to",
  anchors: "every mention and note is where it says",
  order: "no two rows share a place",
  history: "every row's history is whole",
};

function rows(store: Store, between: ProgressStep): Check[] {
  let examination: Examination;
  try {
    examination = examine(store, share(between, 0, 90));
  } catch (error) {
    return [fail("rows", messageOf(error), rescueOf(store.path))];
  }
  const { flaws, paragraphs } = examination;
  const { order, ...others } = flaws;
  return [
    ...Object.entries(others).map(([name, lines]) =>
      verdict(store.path, { name, lines, sound: SOUND[name as Aspect] }),
    ),
    order.length === 0
      ? ok("order", SOUND.order)
      : warn("order", describe(order), "Nothing is lost: moving one of the two gives it a place of its own."),
    attempt(store.path, "search", () => search(store, paragraphs, () => between(90, 100))),
  ];
}

/** The result of one check: a line for each flaw, and the words for none. */
interface Seen {
  name: string;
  lines: readonly string[];
  sound: string;
}

function verdict(path: string, { name, lines, sound }: Seen): Check {
  return lines.length === 0
    ? ok(name, sound)
    : fail(name, describe(lines), MENDED.includes(name) ? mendOf(path) : rescueOf(path));
}

function describe(lines: readonly string[]): string {
  const more = lines.length > 1 ? ` and ${lines.length - 1} more` : "";
  return `${lines[0]}${more}`;
}

function search(store: Store, paragraphs: Examination["paragraphs"], between: () => void): Check {
  let total = 0;
  for (const [bookId, known] of paragraphs) {
    const { indexed, count } = asStored(store, () => {
      for (const _ of buildIndex(store, bookId)) between();
      return store.snapshot(() => ({
        indexed: queryIndex(store, bookId, (index) => index.paragraphCount),
        count: countParagraphs(store, bookId, known),
      }));
    });
    if (indexed !== count)
      return fail(
        "search",
        `${bookId}: ${indexed} paragraphs indexed of ${count}`,
        "Start the server again; report it.",
      );
    total += count;
  }
  return ok("search", `${counted(total, "paragraph")} can be found`);
}

function credits(store: Store): Check {
  const open = listOpenHolds(store);
  const abandoned = open.filter((hold) => isAbandoned(hold, store.clock()));
  if (abandoned.length === 0) return ok("credits", `${counted(open.length, "AI call")} at work`);
  return warn(
    "credits",
    `credits held for ${counted(abandoned.length, "AI call")} that nobody works on`,
    "Run: manuscript account show. It gives the credits back.",
  );
}
