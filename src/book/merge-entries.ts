import { judge, type Side } from "../three-way.ts";
import {
  type BaseEntry,
  type EntrySides,
  type FileEntry,
  isSame,
  type Match,
  saidOf,
  saysSame,
} from "./match-entries.ts";

/** What became of an entry. */
export interface EntryOutcome {
  id: string;
  /** `left`: only the manuscript has changed since, or one side took it out; `conflict`: both changed the same, and nothing of it was written. */
  status: "created" | "updated" | "same" | "left" | "conflict" | "deleted";
  /** Those written, left or in conflict. */
  fields?: string[];
  /** The side that took the entry out. */
  gone?: "file" | "manuscript";
}

/** What is to be done with an entry, and what both sides have of it in common then. */
export interface EntryPlan<Fields> {
  /** An entry that is inserted gets its id when it is. */
  outcome: Omit<EntryOutcome, "id"> & { id?: string };
  write?: { insert: Fields } | { update: Partial<Fields> } | "drop";
  /** File and manuscript say the same of it then. */
  isDone: boolean;
  /** The base of the next import, its id apart; undefined if nothing is in common. */
  common?: Omit<BaseEntry<Fields>, "id">;
}

/** How the entries of a file are read. */
interface EntryKind<Fields> {
  /** What a field says that is left out. */
  empty: Fields;
  /** Fields that do not go together. */
  clash?: ((fields: Fields) => string[]) | undefined;
}

interface MergeOptions {
  force: Side | undefined;
  /** What is gone from the file goes from the manuscript, if that has not changed it since. */
  isDeleting: boolean;
  /** The base is that of a folder that this one is a copy of, perhaps an older one: what it lacks is not gone from it. */
  isCopy: boolean;
}

/** Merges a file's entries, each by itself: a plan for each of the file's, then for those that it had and has no more. */
export function mergeEntries<Fields extends object>(
  { incoming, base, stored, matches }: EntrySides<Fields> & { matches: readonly Match<Fields>[] },
  kind: EntryKind<Fields>,
  { force, isDeleting, isCopy }: MergeOptions,
): { entries: EntryPlan<Fields>[]; gone: EntryPlan<Fields>[] } {
  const entries = incoming.map((entry, index): EntryPlan<Fields> => {
    const match = matches[index]!; // one for each
    const present = match.id === undefined ? undefined : stored.get(match.id);
    return present === undefined
      ? insertOrLeave(entry, match, kind, force)
      : mergeStored({ entry, match, present }, kind, force);
  });
  const claimed = new Set(matches.map(({ id }) => id));
  const gone = base.flatMap(({ id, ...common }): EntryPlan<Fields>[] => {
    const present = stored.get(id);
    if (present === undefined || claimed.has(id) || isCopy) return [];
    const sides = { base: common.fields, incoming: undefined, stored: present };
    const verdict = judge<Partial<Fields> | undefined>(sides, { same: sameEntry(kind.empty) });
    if (isDeleting && verdict === "incoming")
      return [{ outcome: { id, status: "deleted", gone: "file" }, write: "drop", isDone: true }];
    return [{ outcome: { id, status: "left", gone: "file" }, common, isDone: false }];
  });
  return { entries, gone };
}

/** Compares entries that may be missing. */
function sameEntry<Fields extends object>(empty: Fields) {
  return (one: Partial<Fields> | undefined, other: Partial<Fields> | undefined) =>
    one === undefined || other === undefined ? one === other : saysSame(one, other, empty);
}

/** An entry that the manuscript has not: a new one, or one that it has given up since. */
function insertOrLeave<Fields extends object>(
  { id: mark, fields, said }: FileEntry<Fields>,
  { base }: Match<Fields>,
  { empty }: EntryKind<Fields>,
  force: Side | undefined,
): EntryPlan<Fields> {
  const insert: EntryPlan<Fields> = {
    outcome: { status: "created" },
    isDone: true,
    write: { insert: { ...empty, ...fields } },
    common: commonOf({ id: mark, fields, ...(said === undefined ? {} : { said }) }, [], undefined),
  };
  if (base === undefined) return insert;
  const { id, ...common } = base;
  const sides = { base: base.fields, incoming: fields, stored: undefined };
  const verdict = judge<Partial<Fields> | undefined>(sides, { force, same: sameEntry(empty) });
  if (verdict === "incoming") return insert;
  if (verdict === "stored")
    return { outcome: { id, status: "left", gone: "manuscript" }, common, isDone: false };
  const present = { ...empty, ...base.fields };
  const { changed } = mergeEntry({ incoming: fields, stored: present, base: base.fields }, empty, undefined);
  return { outcome: { id, status: "conflict", fields: changed, gone: "manuscript" }, common, isDone: false };
}

interface StoredEntry<Fields> {
  entry: FileEntry<Fields>;
  match: Match<Fields>;
  present: Fields;
}

/** An entry that both have. */
function mergeStored<Fields extends object>(
  { entry, match, present }: StoredEntry<Fields>,
  kind: EntryKind<Fields>,
  force: Side | undefined,
): EntryPlan<Fields> {
  const id = match.id ?? ""; // it is stored
  const { changed, left, forced, conflicts, fields } = mergeTogether({ entry, match, present }, kind, force);
  if (conflicts.length > 0) {
    const outcome = { id, status: "conflict" as const, fields: conflicts };
    if (match.base === undefined) return { outcome, isDone: false };
    const { id: _, ...common } = match.base;
    return { outcome, common, isDone: false };
  }
  const common = commonOf(entry, forced, match.base);
  if (changed.length > 0) {
    const update = Object.fromEntries(changed.map((key) => [key, fields[key as keyof Fields]]));
    return {
      outcome: { id, status: "updated", fields: changed },
      write: { update: update as Partial<Fields> },
      common,
      isDone: left.length === 0,
    };
  }
  const outcome =
    left.length > 0 ? { id, status: "left" as const, fields: left } : { id, status: "same" as const };
  return { outcome, common, isDone: left.length === 0 };
}

/** The merge, and if the fields of both sides do not go together, a conflict or the forced side's. */
function mergeTogether<Fields extends object>(
  { entry: { fields: incoming }, match: { base }, present }: StoredEntry<Fields>,
  { empty, clash }: EntryKind<Fields>,
  force: Side | undefined,
): MergedEntry<Fields> {
  const merged = mergeEntry({ incoming, stored: present, base: base?.fields }, empty, force);
  const clashing = merged.conflicts.length > 0 ? [] : (clash?.(merged.fields) ?? []);
  if (clashing.length === 0) return merged;
  if (force === undefined) return { ...merged, conflicts: clashing };
  if (force === "stored")
    return { ...merged, fields: present, changed: [], left: clashing, forced: clashing };
  const full = { ...empty, ...incoming };
  const taken = Object.fromEntries(clashing.map((key) => [key, full[key as keyof Fields]]));
  const isOther = (key: string) => !clashing.includes(key);
  return {
    ...merged,
    fields: { ...merged.fields, ...taken },
    changed: [...merged.changed.filter(isOther), ...clashing],
    left: merged.left.filter(isOther),
  };
}

/** What an entry came to, field by field. */
export interface MergedEntry<Fields> {
  fields: Fields;
  /** Fields that get the file's value. */
  changed: string[];
  /** Fields that keep the manuscript's, which alone has changed them. */
  left: string[];
  /** Of those, fields that both changed, decided by force. */
  forced: string[];
  /** Fields that both changed, each to another value. */
  conflicts: string[];
}

/**
 * Merges an entry by its fields. What the file leaves out is `empty` if it once met the manuscript, else it says nothing.
 * Source: docs/decisions/007-three-way.md.
 */
function mergeEntry<Fields extends object>(
  {
    incoming,
    stored,
    base,
  }: { incoming: Partial<Fields>; stored: Fields; base: Partial<Fields> | undefined },
  empty: Fields,
  force: Side | undefined,
): MergedEntry<Fields> {
  const merged: MergedEntry<Fields> = {
    fields: { ...stored },
    changed: [],
    left: [],
    forced: [],
    conflicts: [],
  };
  for (const key of Object.keys(empty) as (keyof Fields & string)[]) {
    const said = saidOf(incoming, key, base === undefined ? stored : empty);
    const sides = { incoming: said, stored: stored[key], ...(base && { base: saidOf(base, key, empty) }) };
    const verdict = judge(sides, { force, same: isSame });
    if (verdict === "conflict") merged.conflicts.push(key);
    if (verdict === "stored") {
      merged.left.push(key);
      if (judge(sides, { same: isSame }) === "conflict") merged.forced.push(key);
    }
    if (verdict === "incoming") {
      merged.changed.push(key);
      merged.fields[key] = said;
    }
  }
  return merged;
}

/** What the file says now, but for fields that were forced to stay: those are still to be decided. */
function commonOf<Fields extends object>(
  { id: mark, fields, said }: FileEntry<Fields>,
  forced: readonly string[],
  base: BaseEntry<Fields> | undefined,
): Omit<BaseEntry<Fields>, "id"> {
  const kept = Object.entries(base?.fields ?? {}).filter(([key]) => forced.includes(key));
  const rest = Object.entries(fields).filter(([key]) => !forced.includes(key));
  const common = Object.fromEntries([...rest, ...kept]) as Partial<Fields>;
  const saying = forced.length > 0 ? base?.said : said;
  return { mark: mark ?? null, fields: common, ...(saying === undefined ? {} : { said: saying }) };
}
