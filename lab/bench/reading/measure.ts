import { type Manuscript, openManuscript } from "../../../src/service/manuscript.ts";
import { readAppearances } from "../../../src/service/reading/appearances.ts";
import { readLanguage } from "../../../src/service/reading/language.ts";
import { bookLearner } from "../../../src/service/reading/learn/learn-book.ts";
import { readPace } from "../../../src/service/reading/pace.ts";
import { readPassages } from "../../../src/service/reading/passages.ts";
import { readTimeline } from "../../../src/service/reading/timeline.ts";
import { median } from "../report.ts";

// One report in a process of its own: `node measure.js NAME FILE BOOK ID` prints a line of JSON.

/** What a report takes, in ms: CPU of all threads, and the longest that nothing else could run. */
export interface Measured {
  /** The file's first reading, which proves every row. */
  reading: number;
  /** In a process that has told nothing before. */
  first: number;
  /** From a file just opened. */
  cold: number;
  warm: number;
  stall: number;
}

const REPORTS: Readonly<Record<string, (manuscript: Manuscript, id: string) => Promise<unknown>>> = {
  passages: readPassages,
  appearances: readAppearances,
  timeline: readTimeline,
  language: readLanguage,
  pace: readPace,
};
const FILES = 6;
const AGAIN = 3;

async function cpuOf(run: () => Promise<unknown>): Promise<number> {
  const since = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

async function measure(
  name: string,
  { file, bookId, id }: Record<"file" | "bookId" | "id", string>,
): Promise<Measured> {
  const read = REPORTS[name];
  if (read === undefined) throw new Error(`no report ${name}`);
  let [stall, last, reading] = [0, 0, 0];
  const [colds, warms]: [number[], number[]] = [[], []];
  for (let round = 0; round < FILES; round++) {
    const manuscript = openManuscript(file);
    const proof = await cpuOf(() => bookLearner({ *learn() {} })(manuscript, bookId, { context: undefined }));
    if (round === 0) reading = proof;
    last = performance.now();
    const watch = setInterval(() => {
      const now = performance.now();
      stall = Math.max(stall, now - last - 1);
      last = now;
    }, 1);
    colds.push(await cpuOf(() => read(manuscript, id)));
    for (let again = 0; again < AGAIN; again++)
      warms.push(await cpuOf(async () => JSON.stringify(await read(manuscript, id))));
    clearInterval(watch);
    manuscript.close();
  }
  const [first = 0, ...others] = colds;
  return { reading, first, cold: median(others), warm: median(warms), stall };
}

const [name = "", file = "", bookId = "", id = ""] = process.argv.slice(2);
console.log(JSON.stringify(await measure(name, { file, bookId, id })));
