import { type ActId, type ChapterId, createMint } from "../ids.ts";
import type { Copy } from "./copies.ts";
import { openToExamine } from "./file/open.ts";
import type { Sql } from "./file/sql.ts";
import type { Store } from "./file/store.ts";

/** The last act that a file holds; `at` in milliseconds since 1970, by the clock of that time. */
export interface LastAct {
  seq: number;
  id: ActId;
  kind: string;
  source: string;
  at: number;
}

/** How many acts only one of two histories has. Both numbers are above 0 if they have parted, as after a restore. */
export interface CopyGap {
  /** Acts of the file that the copy has not. */
  behind: number;
  /** Acts of the copy that the file has not. */
  ahead: number;
}

/** A copy by what was written in it. */
export interface WrittenCopy extends Copy {
  /** Null if nothing was ever written, undefined if it cannot be read. */
  last: LastAct | null | undefined;
  /** Undefined if the copy or the file cannot be read. */
  gap: CopyGap | undefined;
}

/**
 * These copies of a manuscript, newest first: by the last act that each holds, for clocks go wrong. Those whose history has
 * parted from the file's come behind all others, and behind them those that cannot be read. Opens each copy once in a
 * process: about 4 ms.
 */
export function orderByWriting(path: string, copies: readonly Copy[]): WrittenCopy[] {
  const written = examining(path, (file) =>
    copies.map((copy) => {
      const last = lastActOf(copy);
      return { ...copy, last, gap: file && last !== undefined ? gapTo(file, copy.path, last) : undefined };
    }),
  );
  const rank = (copy: WrittenCopy) => (copy.last === undefined ? 2 : hasParted(copy) ? 1 : 0);
  return written.sort((a, b) => rank(a) - rank(b) || seqOf(b) - seqOf(a) || b.at - a.at);
}

/** True if a copy and the file each have acts that the other has not. */
export function hasParted({ gap }: Pick<WrittenCopy, "gap">): boolean {
  return gap !== undefined && gap.behind > 0 && gap.ahead > 0;
}

/** Counts the acts that only one of a manuscript and a copy of it has; undefined if one cannot be read. */
export function gapBetween(path: string, copy: string): CopyGap | undefined {
  const last = readLastAct(copy);
  if (last === undefined) return undefined;
  return examining(path, (file) => file && gapTo(file, copy, last));
}

function seqOf({ last }: WrittenCopy): number {
  return last?.seq ?? 0;
}

/** Last acts by the copy they are of, which nobody changes once it is made. */
const known = new Map<string, LastAct | null>();

function lastActOf({ path, at, bytes }: Copy): LastAct | null | undefined {
  const key = JSON.stringify([path, at, bytes]);
  const last = known.get(key) ?? readLastAct(path);
  if (last !== undefined) known.set(key, last);
  return last;
}

function readLastAct(path: string): LastAct | null | undefined {
  return examining(path, (store) => {
    try {
      return store && lastOf(store);
    } catch {
      return undefined; // it opens, and is damaged
    }
  });
}

function lastOf(sql: Sql): LastAct | null {
  return sql.get<LastAct>("SELECT seq, id, kind, source, at FROM acts ORDER BY seq DESC LIMIT 1") ?? null;
}

function gapTo(file: Store, copy: string, last: LastAct | null): CopyGap | undefined {
  try {
    const seq = last?.seq ?? 0;
    if (seq <= (lastOf(file)?.seq ?? 0) && isAlike(idAt(file, seq), last?.id))
      return { behind: countSince(file, seq), ahead: 0 };
    return examining(copy, (other) => {
      if (other === undefined) return undefined;
      const common = lastCommon(file, other);
      return { behind: countSince(file, common), ahead: countSince(other, common) };
    });
  } catch {
    return undefined; // one of them is damaged
  }
}

/** `seq` of the last act that both hold; 0 if none. */
function lastCommon(file: Sql, other: Sql): number {
  let common = 0;
  let end = Math.min(lastOf(file)?.seq ?? 0, lastOf(other)?.seq ?? 0);
  while (common < end) {
    const middle = Math.ceil((common + end) / 2);
    if (isAlike(idAt(file, middle), idAt(other, middle))) common = middle;
    else end = middle - 1;
  }
  return common;
}

function idAt(sql: Sql, seq: number): ActId | undefined {
  return sql.list<ActId>("SELECT id FROM acts WHERE seq = ?", seq)[0];
}

/** An act that one of them has no more proves nothing. */
function isAlike(one: ActId | undefined, other: ActId | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

function countSince(sql: Sql, seq: number): number {
  return sql.list<number>("SELECT count(*) FROM acts WHERE seq > ?", seq)[0] ?? 0;
}

/** Runs `read` on a file, or on undefined if it does not open. */
function examining<Result>(path: string, read: (store: Store | undefined) => Result): Result {
  let store: Store | undefined;
  try {
    store = openToExamine(path, { clock: Date.now, mint: createMint() });
  } catch {
    // it is gone, or no manuscript
  }
  try {
    return read(store);
  } finally {
    store?.close();
  }
}

/** The revision that an act made, as a copy knows it; undefined if it does not, or cannot be read. */
export function findSaveIn(path: string, id: ActId): { chapterId: ChapterId; revision: number } | undefined {
  try {
    const copy = openToExamine(path, { clock: Date.now, mint: createMint() });
    try {
      return copy.get(
        "SELECT chapter_id AS chapterId, revision FROM revisions WHERE act = (SELECT seq FROM acts WHERE id = ?)",
        id,
      );
    } finally {
      copy.close();
    }
  } catch {
    return undefined;
  }
}
