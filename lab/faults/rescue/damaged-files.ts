import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { diagnose } from "../../../src/service/health/doctor.ts";
import { rescue } from "../../../src/service/health/rescue.ts";
import { reportOf } from "../../../src/service/health/rescue-report.ts";
import { randomFrom } from "../../../test/support/random.ts";
import { DAMAGES, judge, lay, makeWreckable } from "../../../test/support/wreck.ts";
import { roomyFolder } from "../../trust/saves.ts";

const RUNS_A_BOOK = 50;

/** What a rescue got out of damaged files. */
interface RescuedFiles {
  /** In words: how many files, and what became of their chapters. */
  figures: string;
  faults: string[];
}

/**
 * Damages books in every way that a disk damages one, with and without copies beside them, and rescues each: every paragraph whose
 * pages are intact must come back, none that was never written, and none may be missing without a word.
 */
export function rescueDamaged(runs: number, seed: number): RescuedFiles {
  const folder = mkdtempSync(join(roomyFolder(), "manuscript-rescue-"));
  const faults: string[] = [];
  const counts = { whole: 0, part: 0, lost: 0, files: 0 };
  try {
    let book: ReturnType<typeof makeWreckable> | undefined;
    for (let run = 0; run < runs; run++) {
      const random = randomFrom(seed + run);
      for (let turn = 0; turn < 4; turn++) random(); // seeds that follow each other begin alike
      if (run % RUNS_A_BOOK === 0 || book === undefined) {
        const made = join(folder, "made");
        rmSync(made, { recursive: true, force: true });
        book = makeWreckable(made, random, { hasLog: (run / RUNS_A_BOOK) % 2 === 0 });
      }
      const damage = DAMAGES[Math.floor(random() * DAMAGES.length)]!; // as many as there are
      const wreck = damage(book, random);
      const withCopies = random() < 0.3;
      const path = lay(join(folder, "laid"), wreck, withCopies ? book.copies : []);
      const name = `run ${run} (${wreck.what}${withCopies ? ", with a copy" : ""}${book.log ? ", with a log" : ""})`;
      const out = join(folder, "out");
      rmSync(out, { recursive: true, force: true });
      const to = join(out, "book.manuscript");
      try {
        const rescued = rescue(path, to, () => mkdirSync(out));
        const report = reportOf(rescued, { name: "book.manuscript", folders: [] });
        rescued.manuscript.close();
        for (const { state } of report.chapters) counts[state]++;
        if (report.isWhole) counts.files++;
        const isCutTold = /^# .*newest saves are missing\n/.test(report.text);
        const isTold = report.text.includes("pages of the file");
        for (const line of judge(book, wreck, { path: to, told: report.chapters, isTold, isCutTold }))
          faults.push(`${name}: ${line}`);
        for (const { status, name: check, found } of diagnose(to).checks)
          if (status === "fail") faults.push(`${name}: doctor: ${check}: ${found}`);
      } catch (error) {
        faults.push(`${name}: ${(error as Error).stack}`);
      }
    }
    const { files, whole, part, lost } = counts;
    const figures = `${runs} damaged files, of which ${files} came back whole; chapters: ${whole} whole, ${part} in part, ${lost} lost; ${faults.length} faults (seed ${seed})`;
    return { figures, faults };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
