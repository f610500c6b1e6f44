import { createHash, randomBytes } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Unavailable } from "../../src/refusals.ts";
import { diagnose } from "../../src/service/health/doctor.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { connect } from "../../src/store/file/driver.ts";
import { schemaFaults, VERSIONS } from "../../src/store/file/migrate.ts";
import { ask, command, inFolder, makeDesk, saveFact } from "./desk.ts";
import { PART, type TrustPromise } from "./promise.ts";
import { startServed } from "./served.ts";

const KILLS = 2 * Math.ceil(20 * PART);
const FIXTURE = join(import.meta.dirname, "../../fixtures/manuscripts/0.1.0.manuscript.gz");

export const promise: TrustPromise = {
  number: 7,
  promise: "An upgrade is all or nothing, and a file of another program or a newer version is left as it is",
  bar: `${KILLS} upgrades killed: 0 in between; the copy before it sound, of mode 600; 22 other files byte for byte; a newer version noticed under a server`,
  measure: () => inFolder(measureIn),
};

async function measureIn(folder: string) {
  const faults: string[] = [];
  const killed = await kill(folder, faults);
  const foreign = refuse(folder, faults);
  await notice(folder, faults);
  return {
    figures: `${killed}; ${foreign} other files byte for byte; a newer version noticed by reads and writes`,
    faults,
  };
}

/** Starts upgrades in processes of their own and kills them at moments spread over their work. */
async function kill(folder: string, faults: string[]): Promise<string> {
  const bytes = gunzipSync(readFileSync(FIXTURE));
  const count = { old: 0, between: 0, new: 0, copies: 0 };
  const at = (kill: number) => {
    const own = join(folder, String(kill));
    mkdirSync(own);
    writeFileSync(join(own, "old.manuscript"), bytes, { mode: 0o600 });
    return { cwd: own, path: join(own, "old.manuscript") };
  };
  const whole = at(-1);
  const start = performance.now();
  const { exit } = await command(["books", "--file", whole.path], whole);
  const wholeMs = performance.now() - start;
  if (exit !== 0) faults.push(`an upgrade that nobody kills ended with ${exit}`);
  const chapters = expectUpgraded(whole.path, faults);
  for (let time = 0; time < KILLS; time += 2) {
    await Promise.all(
      [time, time + 1].map(async (number) => {
        const { cwd, path } = at(number);
        await command(["books", "--file", path], { cwd }, wholeMs * (0.35 + (0.8 * number) / KILLS));
        const version = versionOf(path, faults);
        if (version === 1) count.old++;
        else if (version === VERSIONS.length) count.new++;
        else count.between++; // whole as well: each step is one transaction
        if (existsSync(`${path}-v1.backup`)) {
          count.copies++;
          expectCopy(`${path}-v1.backup`, chapters, faults);
        } else if (version > 1) faults.push("upgraded without a copy");
        if (expectUpgraded(path, faults) !== chapters)
          faults.push("chapters are missing after a killed upgrade");
      }),
    );
  }
  return `${KILLS} upgrades killed: ${count.old} files old, ${count.between} one step on, ${count.new} new, 0 between two; ${count.copies} copies sound`;
}

/** The version that a killed upgrade left, by SQLite; its schema must be that version's whole. */
function versionOf(path: string, faults: string[]): number {
  const probe = `${path}.probe`;
  for (const ending of ["", "-wal"])
    if (existsSync(path + ending)) copyFileSync(path + ending, probe + ending);
  const file = connect(probe);
  try {
    const { lacking, harmful, harmless } = schemaFaults(file);
    if (lacking.length + harmful.length + harmless.length > 0)
      faults.push("a killed upgrade left something in between");
    if (file.pragma("integrity_check", { simple: true }) !== "ok")
      faults.push("a killed upgrade left a damaged file");
    return file.pragma("user_version", { simple: true }) as number;
  } finally {
    file.close();
    for (const ending of ["", "-wal", "-shm"]) rmSync(probe + ending, { force: true });
  }
}

function expectUpgraded(path: string, faults: string[]): number {
  const manuscript = openManuscript(path);
  const count = manuscript.store.list<number>("SELECT count(*) FROM chapters")[0] ?? 0;
  manuscript.close();
  for (const { status, name, found } of diagnose(path).checks)
    if (status === "fail") faults.push(`doctor after an upgrade: ${name}: ${found}`);
  return count;
}

/** The copy must open as the old version, be its owner's alone, and upgrade like the file itself. */
function expectCopy(copy: string, chapters: number, faults: string[]): void {
  if ((statSync(copy).mode & 0o777) !== 0o600)
    faults.push(`the copy has mode ${statSync(copy).mode.toString(8)}`);
  const restored = `${copy}.manuscript`;
  copyFileSync(copy, restored);
  if (versionOf(restored, faults) !== 1) faults.push("the copy is not of the old version");
  if (expectUpgraded(restored, faults) !== chapters) faults.push("the copy lacks chapters");
}

const text = (line: string) => Buffer.from(line.repeat(400));

/** What is no manuscript that this version opens: each must be refused, and stay as it is. */
function refuse(folder: string, faults: string[]): number {
  const own = join(folder, "foreign");
  mkdirSync(own);
  const made = (name: string, sql: string) => {
    const path = join(own, name);
    const file = connect(path);
    file.exec(sql);
    file.close();
    return readFileSync(path);
  };
  const manuscript = readFileSync(makeDesk(join(folder, "own.manuscript")).path);
  const changed = (at: number, value: number) => {
    const bytes = Buffer.from(manuscript);
    bytes.writeUInt32BE(value, at);
    return bytes;
  };
  const inWal = (sql: string) => made(`wal-${sql.length}`, `PRAGMA journal_mode = WAL; ${sql}`);
  const files: Buffer[] = [
    Buffer.alloc(0),
    Buffer.from("x"),
    Buffer.from("SQLite format 3\0"),
    Buffer.alloc(4096),
    Buffer.alloc(4096, 0xff),
    randomBytes(100),
    randomBytes(70_000),
    text("Call me Ishmael.\n"),
    text('{"format":"manuscript","version":2}'),
    Buffer.concat([Buffer.from("PK\x03\x04"), randomBytes(5000)]),
    Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(5000)]),
    Buffer.concat([Buffer.from("{\\rtf1\\ansi "), text("text ")]),
    Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), randomBytes(3000)]),
    gunzipSync(readFileSync(FIXTURE)).subarray(0, 50),
    readFileSync(FIXTURE),
    made("one-table", "CREATE TABLE t(x)"),
    made("other-id", "PRAGMA application_id = 1234; CREATE TABLE t(x)"),
    made("versioned", "PRAGMA user_version = 2; CREATE TABLE books(id)"),
    inWal("CREATE TABLE notes(x)"),
    inWal("PRAGMA application_id = 7; CREATE TABLE notes(text)"),
    changed(60, VERSIONS.length + 1),
    changed(60, 0),
  ];
  const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
  for (const [index, bytes] of files.entries()) {
    const path = join(own, `foreign-${index}.manuscript`);
    writeFileSync(path, bytes);
    const before = digest(path);
    try {
      openManuscript(path).close();
      faults.push(`file ${index} was opened`);
    } catch (error) {
      if (!(error instanceof Unavailable)) faults.push(`file ${index}: ${error}`);
    }
    diagnose(path);
    if (digest(path) !== before) faults.push(`file ${index} was changed`);
    if (existsSync(`${path}-wal`)) faults.push(`file ${index} got a log`);
  }
  return files.length;
}

/** A newer version takes over the file under a server; later its mark is in the log alone. */
async function notice(folder: string, faults: string[]): Promise<void> {
  const desk = makeDesk(join(folder, "served.manuscript"));
  const server = await startServed(folder, [desk.path, "--quiet"]);
  const status = async () => [
    await saveFact(server.url, desk, `at ${Math.random()}`),
    (await ask(server.url, desk, "/books")).status,
  ];
  if (String(await status()) !== "201,200") faults.push("the server did not answer at first");
  const newer = connect(desk.path);
  newer.pragma(`user_version = ${VERSIONS.length + 1}`);
  if (String(await status()) !== "503,503") faults.push("an upgrade under the server was not noticed");
  const copy = join(folder, "newer.manuscript");
  for (const ending of ["", "-wal"]) copyFileSync(desk.path + ending, copy + ending);
  newer.close();
  await server.stop("SIGKILL");
  const log = readFileSync(`${copy}-wal`);
  try {
    openManuscript(copy).close();
    faults.push("a newer version that is in the log alone was opened");
  } catch (error) {
    if (!(error instanceof Unavailable)) faults.push(String(error));
  }
  if (!readFileSync(`${copy}-wal`).equals(log)) faults.push("the log of a newer version was changed");
}
