import { fileURLToPath } from "node:url";
import type { LocalAnswer } from "../../contract/local-answers.ts";
import { Unavailable } from "../../refusals.ts";
import { answerBeside, runBeside } from "../../store/beside.ts";
import { followLinks } from "../../store/put-back-copy.ts";
import { listOpenHolds } from "../../store/rows/ledger.ts";
import { type Manuscript, whileClosed } from "../manuscript.ts";
import {
  assertOld,
  type CompactCopy,
  type CompactJob,
  copyCompact,
  type Fold,
  partsBeside,
  removeCompactParts,
  takePlace,
} from "./compact.ts";

const FILE = fileURLToPath(import.meta.url);
const NAME = "compact";

/** How a served file is compacted. `letGo` ends the server's other processes that have the file open. */
export interface ServedCompactOptions {
  dryRun: boolean;
  fold: Fold | undefined;
  letGo: () => Promise<void>;
}

/**
 * Compacts a manuscript that this very process serves, as `compact` does. Another process makes the copy, and everybody is answered
 * meanwhile; the file is closed only while the copy takes its place. Throws `WouldLose` for saves of the last days, and `Unavailable`
 * if anything was written since the copy was made, while an AI call runs, or if another program has the file open.
 */
export async function compactServed(
  manuscript: Manuscript,
  { dryRun, fold, letGo }: ServedCompactOptions,
): Promise<LocalAnswer<"compacted">> {
  const { path: file, clock } = manuscript.store;
  if (fold !== undefined) assertOld(fold.olderThan, clock(), "Name a day that is longer ago.");
  const place = followLinks(file);
  const parts = partsBeside(place);
  try {
    const copy = await runBeside<CompactJob, CompactCopy>(FILE, NAME, { place, parts, fold }).made;
    const { before, after, pictureBytes, made } = copy;
    if (dryRun || made === null) return { file, written: false, before, after, pictureBytes, aside: null };
    await letGo();
    if (listOpenHolds(manuscript.store).some(({ pid }) => pid === process.pid))
      throw new Unavailable("An AI call of this manuscript is at work; try again when it is done.");
    const aside = whileClosed(manuscript, () => takePlace(copy, place, clock()));
    await letGo(); // what began meanwhile may have opened the file of before
    return { file, written: true, before, after, pictureBytes, aside };
  } finally {
    removeCompactParts(parts);
  }
}

answerBeside(FILE, NAME, (job: CompactJob) => copyCompact(job));
