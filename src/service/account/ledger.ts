import { LIMITS } from "../../contract/limits.ts";
import type { LocalAnswer } from "../../contract/local-answers.ts";
import * as stored from "../../store/rows/ledger.ts";
import type { Manuscript } from "../manuscript.ts";
import { toTime } from "../present.ts";
import { refundAbandoned } from "./credits.ts";

/** What AI calls cost and which credits were given, newest first, a page at a time. Refunds abandoned calls first. */
export function readLedger(
  { store }: Manuscript,
  {
    before = Number.MAX_SAFE_INTEGER,
    limit = LIMITS.actsDefault,
  }: { before?: number | undefined; limit?: number | undefined },
): LocalAnswer<"ledger"> {
  refundAbandoned(store);
  return store.snapshot(() => {
    const rows = stored.listLedger(store, { before, limit: Math.min(limit, LIMITS.actsMaximum) });
    return { entries: rows.map((row) => ({ ...row, at: toTime(row.at) })), total: stored.countLedger(store) };
  });
}
