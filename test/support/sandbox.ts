import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { RandomBytes } from "../../src/ids.ts";
import { type Manuscript, openManuscript, type Surroundings } from "../../src/service/manuscript.ts";
import { connect } from "../../src/store/file/driver.ts";
import { migrate } from "../../src/store/file/migrate.ts";
import { once } from "../../src/text/once.ts";

/** What a whole suite keeps and lets go of at its end: `after(scope.end)`. Last opened, first closed. */
export function suite(): Pick<TestContext, "after"> & { end: () => Promise<void> } {
  const ends: (() => unknown)[] = [];
  const end = async () => {
    for (const close of ends.reverse()) await close();
  };
  return { after: (close) => ends.push(close as () => unknown), end };
}

/** A folder of its own for one test, gone with it. */
export function folder(t: Pick<TestContext, "after">): string {
  const path = mkdtempSync(join(tmpdir(), "manuscript-test-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Random bytes that are the same in every run. */
export function seeded(seed = 1): RandomBytes {
  let state = seed >>> 0;
  return (length) =>
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    });
}

/** A clock that starts on 2026-03-01 at noon, UTC, and moves one second at every look. */
export function ticking(start = Date.UTC(2026, 2, 1, 12)): () => number {
  let now = start;
  return () => {
    now += 1000;
    return now;
  };
}

/** What is in a file that has its tables and nothing in them: made once, for that takes longer than most tests do. */
export const manuscriptBytes = once((): Buffer => {
  const path = mkdtempSync(join(tmpdir(), "manuscript-empty-"));
  const file = join(path, "empty.manuscript");
  const connection = connect(file);
  connection.pragma("journal_mode = WAL");
  migrate(connection, file);
  connection.close();
  const bytes = readFileSync(file);
  rmSync(path, { recursive: true });
  return bytes;
});

/** A new manuscript with seeded ids and a ticking clock, closed and deleted with the test. */
export function manuscript(
  t: Pick<TestContext, "after">,
  surroundings: Surroundings = {},
  bytes: Buffer = manuscriptBytes(),
): Manuscript {
  const path = join(folder(t), "test.manuscript");
  writeFileSync(path, bytes, { mode: 0o600 });
  const opened = openManuscript(path, { create: true, clock: ticking(), random: seeded(), ...surroundings });
  t.after(() => opened.close());
  return opened;
}

/** The first answer but 202: a server that is slow to look for what was approved looks again only after a while. */
export async function untilApproved<Answer extends { status: number }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 202) return answer;
    await wait(20);
  }
}
