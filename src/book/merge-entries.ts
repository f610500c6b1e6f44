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

/** Outcome of an entry. */
export interface EntryOutcome {
  id: string;
  /**
   * `left`: only the manuscript has changed it, or one side removed it; `conflict`: both changed the same field
   * differently, and nothing of the entry was written.
   */
  status: "created" | "updated" | "same" | "left" | "conflict" | "deleted";
  /** Fields that were written, left or in conflict. */
  fields?: string[];
  /** The side that removed the entry. */
  gone?: "file" | "manuscript";
}

/** Planned change to an entry, and the common base after it. */
export interface EntryPlan<Fields> {
  /** The outcome; a new entry gets its id when it is inserted. */
  outcome: Omit<EntryOutcome, "id"> & { id?: string };
  write?: { insert: Fields } | { update: Partial<Fields> } | "drop";
  /** True if file and manuscript agree on it afterwards. */
  isDone: boolean;
  /** Base of the next import, without its id; undefined if nothing is in common. */
  common?: Omit<BaseEntry<Fields>, "id">;
}

/** How the entries of a file are read. */
interface EntryKind<Fields> {
  /** Value of a field that an entry leaves out. */
  empty: Fields;
  /** Returns the fields that contradict each other. */
  clash?: ((fields: Fields) => string[]) | undefined;
}

interface MergeOptions {
  force: Side | undefined;
  /** True if an entry missing from the file is deleted, unless the manuscript has changed it since. */
  isDeleting: boolean;
  /**
   * True if the base is that of another folder of which this one is a copy, perhaps an older one: an entry that it
   * lacks was not removed here.
   */
  isCopy: boolean;
}

/** Merges a file's entries one by one. Returns a plan for each of the file's, then for those that it had and lost. */
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

/** Plans an entry that the manuscript lacks: a new one, or one that was deleted there. */
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

/** Plans an entry that both sides have. */
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

/**
 * Merges an entry. If the fields of both sides contradict each other, the result is a conflict, or the forced side's.
 */
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

/** Result of merging an entry field by field. */
export interface MergedEntry<Fields> {
  fields: Fields;
  /** Fields that get the file's value. */
  changed: string[];
  /** Fields that keep the manuscript's value, because only the manuscript changed them or `force` says so. */
  left: string[];
  /** Fields of `left` that both sides changed; `force` decided them. */
  forced: string[];
  /** Fields that both sides changed to different values. */
  conflicts: string[];
}

/**
 * Merges an entry by its fields. A field that the file leaves out is `empty` if the entry has a base, else it says
 * nothing. Source: docs/decisions/007-three-way.md.
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

/**
 * Returns the file's fields as the next base. Fields that were forced to stay keep their old base, because they are
 * still undecided.
 */
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
