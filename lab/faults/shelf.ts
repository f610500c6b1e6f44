import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { diagnose } from "../../src/service/health/doctor.ts";
import { randomFrom } from "../../test/support/random.ts";
import { type Desk, listLost, makeDesk, roomyFolder, Writer } from "../trust/saves.ts";
import { startServed } from "../trust/served.ts";

// A folder of more manuscripts than may be open at a time, all of them written to, and its server stopped by SIGKILL: every
// save that was answered must be there. `npm run faults`; MANUSCRIPT_SEED repeats a run.
const FILES = 32;
const OPEN = 6;
const LANES = 4;
const ROUNDS = 8;
const seed = Number(process.env.MANUSCRIPT_SEED ?? Math.floor(Math.random() * 0x7fffffff));
const random = randomFrom(seed);

/** A manuscript with its writer, who is at work while another lane has it. */
interface Seat {
  desk: Desk;
  writer: Writer;
  isTaken: boolean;
}

/** Writes to one manuscript after another, some milliseconds each, until the server is gone. */
async function hop(seats: readonly Seat[], port: number, gone: AbortSignal): Promise<void> {
  while (!gone.aborted) {
    const free = seats.filter(({ isTaken }) => !isTaken);
    const seat = free[Math.floor(random() * free.length)]!; // there are more of them than lanes
    seat.isTaken = true;
    const moved = new AbortController();
    const timer = setTimeout(() => moved.abort(), random() * 20);
    const before = seat.writer.saves.length;
    await seat.writer.write(port, moved.signal);
    clearTimeout(timer);
    seat.isTaken = false;
    if (seat.writer.saves.length === before) await wait(1);
  }
}

const folder = mkdtempSync(join(roomyFolder(), "manuscript-shelf-"));
const faults: string[] = [];
try {
  const seats = Array.from({ length: FILES }, (_, at): Seat => {
    const desk = makeDesk(join(folder, `n${at}.manuscript`), 3);
    return { desk, writer: new Writer(desk, `writer ${at}`, desk.chapterIds), isTaken: false };
  });
  for (let round = 0; round < ROUNDS; round++) {
    const server = await startServed(folder, [
      ...[folder, "--quiet", "--no-backups", "--open-files", String(OPEN)],
    ]);
    const gone = new AbortController();
    const lanes = Array.from({ length: LANES }, () => hop(seats, server.port, gone.signal));
    await wait(300 + random() * 900);
    await server.stop("SIGKILL");
    gone.abort();
    await Promise.all(lanes);
  }
  for (const { desk, writer } of seats) {
    for (const line of listLost(desk.path, writer.saves)) faults.push(`${desk.path}: ${line}`);
    for (const line of writer.refused) faults.push(`refused: ${line}`);
    for (const { status, name, found } of diagnose(desk.path).checks)
      if (status === "fail") faults.push(`${desk.path}: ${name}: ${found}`);
  }
  const saves = seats.reduce((all, { writer }) => all + writer.saves.length, 0);
  const written = seats.filter(({ writer }) => writer.saves.length > 0).length;
  if (written < FILES / 2) faults.push(`only ${written} of ${FILES} files were written to`);
  console.log(
    `shelf: ${ROUNDS} kills, ${saves} answered saves in ${written} files, ${OPEN} open at a time, ${faults.length} faults (seed ${seed})`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
