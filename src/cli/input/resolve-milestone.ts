import { listMilestones, type Milestone } from "../../service/history/milestones.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import { choose, isWhollyNamed } from "../../service/naming/choose.ts";
import { readMoment } from "./moment.ts";
import { resolveInBook } from "./resolve.ts";

/** A milestone as an argument means it; `title` is its name. */
type FoundMilestone = Milestone & { title: string; position: number };

function choicesOf(manuscript: Manuscript, bookId: string): FoundMilestone[] {
  const { milestones } = listMilestones(manuscript, bookId);
  return milestones.map((one, index) => ({ ...one, title: one.name, position: index + 1 }));
}

const LISTED_BY = "milestone list";

/** The milestone that an argument means, by its id, name or number. Throws as `resolveBook` does. */
export function resolveMilestone(
  manuscript: Manuscript,
  wanted: string,
  book: string | undefined,
): FoundMilestone {
  return resolveInBook(manuscript, wanted, {
    book,
    what: "milestone",
    listedBy: LISTED_BY,
    list: (bookId) => choicesOf(manuscript, bookId),
  });
}

/**
 * A moment of a book's history as an argument means it, in words that the service takes: a milestone by its id, name or
 * number, an act, a day, a time, or so long ago. Throws `NotFound`, `BadRequest`.
 */
export function resolvePoint(manuscript: Manuscript, bookId: string, wanted: string): string {
  const milestones = choicesOf(manuscript, bookId);
  if (!milestones.some((one) => isWhollyNamed(wanted, one))) {
    if (/^(?:act_|\d{4}-\d{2}-\d{2})/.test(wanted)) return wanted;
    if (/^(?:\d+[mhd]|\d{1,2}:\d{2})$/.test(wanted))
      return new Date(readMoment(wanted, manuscript.store.clock())).toISOString();
  }
  const hint = `"manuscript ${LISTED_BY}" lists them; an act, a day such as 2027-01-31 or "2d" ago will do, too`;
  return choose(wanted, milestones, { what: "milestone", hint }).id;
}
