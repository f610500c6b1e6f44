import type { Store } from "../file/store.ts";
import { PROSE_KINDS } from "./sittings.ts";

/** Which saves of a chapter become one: those of a sitting, of a day, or all between two milestones. */
export type FoldUnit = "sittings" | "days" | "milestones";

/** Which part of the history is folded. */
export interface FoldRange {
  /** Only acts before this number. */
  before: number;
  unit: FoldUnit;
  /** The longest pause within a sitting. */
  pauseMs: number;
}

/** Of each act that is folded, the number of the newest of its run, which stays and holds what all of them did; its own for that one. */
export type Folds = ReadonlyMap<number, number>;

interface Act {
  seq: number;
  at: number;
  hand: string;
  schema: number;
  chapter: number | null;
  hasNotes: 0 | 1 | null;
  /** 1 if it wrote the prose of one chapter, and nothing that is not in it. */
  isProse: 0 | 1 | null;
}

/**
 * Says which acts are folded: runs of writes to the prose of one chapter. A run ends before whatever else touched its rows
 * (an import, a restore, another hand), at each act that a state of the book is asked for by, and where an act outside undoes one of it, or
 * the other way round. Reads each act of the range once.
 */
export function planFolds(store: Store, { before, unit, pauseMs }: FoldRange): Folds {
  const acts = store.all<Act>(ACTS, { before, kinds: JSON.stringify([...PROSE_KINDS]) });
  const undos = store.all<{ seq: number; undoes: number }>(
    "SELECT seq, undoes FROM acts WHERE undoes IS NOT NULL",
  );
  const goesOn = GOES_ON[unit](pauseMs);
  const bounds = listBounds(store);
  const apart = new Set<number>();
  for (;;) {
    const runs = listRuns(store, acts, { bounds, apart, goesOn });
    const runOf = new Map(runs.flatMap((run, at) => run.map((seq): [number, number] => [seq, at])));
    const torn = undos.filter(({ seq, undoes }) => runOf.get(seq) !== runOf.get(undoes));
    const found = torn.flatMap(({ seq, undoes }) => [seq, undoes]).filter((seq) => runOf.has(seq));
    if (found.length === 0) return foldsOf(runs);
    for (const seq of found) apart.add(seq);
  }
}

const GOES_ON: Record<FoldUnit, (pauseMs: number) => (last: Act, next: Act) => boolean> = {
  sittings: (pauseMs) => (last, next) => last.hand === next.hand && Math.abs(next.at - last.at) <= pauseMs,
  days: () => (last, next) => new Date(last.at).toDateString() === new Date(next.at).toDateString(),
  milestones: () => () => true,
};

const ACTS = `SELECT a.seq, a.at, json_array(a.source, a.key_id, a.by_name) AS hand, a.schema, e.chapter, e.hasNotes,
    a.kind IN (SELECT value FROM json_each(:kinds)) AND e.isOwn AND r.count = 1 AND r.chapter = e.chapter AS isProse
  FROM acts a
  LEFT JOIN (SELECT act, min(chapter_no) AS chapter, max(tbl = 'snippets') AS hasNotes, min(chapter_no) = max(chapter_no) AND
      min(CASE tbl WHEN 'snippets' THEN chapter_no IS NULL WHEN 'chapters' THEN op = 'update' ELSE tbl IN ('blocks', 'mentions') AND chapter_after_no IS NULL END) AS isOwn
    FROM journal_entries GROUP BY act) e ON e.act = a.seq
  LEFT JOIN (SELECT act, count(*) AS count, min(chapter_no) AS chapter FROM revision_entries GROUP BY act) r ON r.act = a.seq
  WHERE a.seq < :before ORDER BY a.seq`;

interface RunEnds {
  bounds: readonly number[];
  /** Acts that are in no run. */
  apart: ReadonlySet<number>;
  goesOn: (last: Act, next: Act) => boolean;
}

/** Returns the runs, single acts too, each in order. */
function listRuns(store: Store, acts: readonly Act[], { bounds, apart, goesOn }: RunEnds): number[][] {
  const runs: number[][] = [];
  const open = new Map<number | null, { run: number[]; last: Act }>();
  let passed = 0;
  for (const act of acts) {
    for (; passed < bounds.length && bounds[passed]! < act.seq; passed++) open.clear(); // within the list
    if (act.isProse !== 1 || apart.has(act.seq)) {
      // A note stands in no chapter of the journal.
      if (act.hasNotes === 1) open.clear();
      for (const chapter of store.list<number>(CHAPTERS, { act: act.seq })) open.delete(chapter);
      continue;
    }
    const known = open.get(act.chapter);
    const isNext = known !== undefined && known.last.schema === act.schema && goesOn(known.last, act);
    const run = isNext ? known.run : [];
    if (!isNext) runs.push(run);
    run.push(act.seq);
    open.set(act.chapter, { run, last: act });
  }
  return runs;
}

const CHAPTERS = `SELECT chapter_no FROM journal_entries WHERE act = :act AND chapter_no IS NOT NULL
  UNION SELECT chapter_after_no FROM journal_entries WHERE act = :act AND chapter_after_no IS NOT NULL
  UNION SELECT chapter_no FROM revision_entries WHERE act = :act`;

function foldsOf(runs: readonly (readonly number[])[]): Folds {
  return new Map(
    runs
      .filter(({ length }) => length > 1)
      .flatMap((run) => run.map((seq): [number, number] => [seq, run.at(-1)!])), // not empty
  );
}

/**
 * The acts after which the whole book stays as it was, in order: those that milestones name, deleted ones too, those that folders were
 * last in step with, and those that made a revision which a proposal, a note or a folder tells of.
 */
export function listBounds(store: Store): number[] {
  const former = (table: string, key: string) =>
    `SELECT before ->> '$.${key}' FROM journal_entries WHERE tbl = '${table}' AND op <> 'insert'`;
  const revisions = [
    "SELECT chapter_id, revision FROM proposals",
    "SELECT before ->> '$.chapter_id', before ->> '$.revision' FROM journal_entries WHERE tbl = 'proposals' AND op = 'delete'",
    "SELECT chapter_id, revision FROM working_copies WHERE revision IS NOT NULL",
    "SELECT chapter_id, detached ->> '$.revision' FROM snippets WHERE detached IS NOT NULL",
  ];
  return store.list(
    `SELECT act FROM (SELECT act FROM milestones UNION ${former("milestones", "act")} UNION SELECT act FROM working_copies
       UNION SELECT r.act FROM (${revisions.join(" UNION ")}) JOIN revisions r USING(chapter_id, revision))
     WHERE act IS NOT NULL ORDER BY act`,
  );
}
