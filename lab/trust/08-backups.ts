import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { BackupSchedule, copiedWhileOpen } from "../../src/service/backups/schedule.ts";
import { diagnose } from "../../src/service/health/doctor.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { listCopies } from "../../src/store/copies.ts";
import { copyBeside } from "../../src/store/copy-beside.ts";
import type { TrustPromise } from "./promise.ts";
import { listLost, makeDesk, roomyFolder, type Save, serveDesk, Writer } from "./saves.ts";

const COPIES = 20;
/** Two writers, each with this pause: about 50 saves a second where the machine is free. */
const PAUSE_MS = 30;
const HOURS = 24 * 40;

export const promise: TrustPromise = {
  number: 8,
  promise: "Copies are whole, and older ones stay until a newer one was verified",
  bar: "20 of 20 copies verify under 50 writes a second and hold what was answered before; of 40 days of hourly ones 24 hours and 30 days stay",
  measure: async () => {
    const folder = mkdtempSync(join(roomyFolder(), "manuscript-copies-"));
    try {
      const desk = makeDesk(join(folder, "kept.manuscript"), 24);
      const server = await serveDesk(desk);
      const until = new AbortController();
      const writers = [0, 1].map(
        (at) => new Writer(desk, `writer ${at}`, desk.chapterIds.slice(at * 12, at * 12 + 12)),
      );
      const start = performance.now();
      const writing = writers.map((writer) => writer.write(server.port, until.signal, PAUSE_MS));
      const saved = () => writers.flatMap(({ saves }) => saves);
      const copies: { path: string; before: Save[] }[] = [];
      const at = Date.UTC(2027, 0, 1);
      for (let count = 0; count < COPIES; count++) {
        await wait(50);
        const before = [...saved()];
        const target = { folder: join(folder, "copies"), kind: "by hand", at: at + count * 1000 } as const;
        copies.push({ before, path: (await copyBeside(desk.path, target).made).path });
      }
      const aSecond = Math.round((saved().length * 1000) / (performance.now() - start));
      until.abort();
      await Promise.all(writing);
      await server.stop("SIGTERM");
      const faults = writers.flatMap(({ refused }) => refused);
      for (const { path, before } of copies) faults.push(...flawsOf(path), ...listLost(path, before));
      const left = readdirSync(join(folder, "copies")).filter((name) => name.includes(".part"));
      if (left.length > 0) faults.push(`left behind: ${left.join(", ")}`);
      const kept = await rotateLong(join(folder, "long"));
      if (kept !== "24 hours and 29 more days") faults.push(`rotation kept ${kept}`);
      return {
        figures: `${copies.length} copies under ${aSecond} writes a second, ${saved().length} answers, ${faults.length} faults; of ${HOURS} hourly copies ${kept} stay`,
        faults,
        missed: aSecond < 40 ? [`${aSecond} writes a second on this machine`] : [],
      };
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    }
  },
};

function flawsOf(path: string): string[] {
  const { checks } = diagnose(path);
  const mode = statSync(path).mode & 0o777;
  return [
    ...checks
      .filter(({ status }) => status === "fail")
      .map(({ name, found }) => `${path}: ${name}: ${found}`),
    ...(process.platform === "win32" || mode === 0o600 ? [] : [`${path}: mode ${mode.toString(8)}`]),
  ];
}

/** Forty days of a server's own copies, by a clock of the test's: what is left of them in words. */
async function rotateLong(folder: string): Promise<string> {
  const { mkdirSync, writeFileSync } = await import("node:fs");
  mkdirSync(folder);
  const place = join(folder, "copies");
  mkdirSync(place);
  const start = Date.UTC(2027, 0, 1);
  // All but the last are names alone: which go is told by the name, and that the last is sound lets them go.
  for (let hour = 0; hour < HOURS - 1; hour++) {
    const stamp = new Date(start + hour * 3_600_000).toISOString().slice(0, 19).replaceAll(":", "-");
    writeFileSync(join(place, `kept-${stamp}Z.backup`), "");
  }
  const desk = makeDesk(join(folder, "kept.manuscript"), 1);
  const now = start + (HOURS - 1) * 3_600_000;
  const manuscript = openManuscript(desk.path, { clock: () => now });
  const told: string[] = [];
  const schedule = new BackupSchedule(copiedWhileOpen(manuscript), {
    folder: place,
    tell: (line) => told.push(line),
  });
  await schedule.look();
  manuscript.close();
  const ages = listCopies(desk.path, place).map(({ at }) => (now - at) / 3_600_000);
  const hours = ages.filter((age) => age < 24).length;
  return told[0] ?? `${hours} hours and ${ages.length - hours} more days`;
}
