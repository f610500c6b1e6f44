import {
  type BaseEntry,
  type FileEntry,
  type Match,
  type Merged,
  mergeEntry,
  type Sides,
  saysSame,
} from "./merge-entries.ts";

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

/** How entries are written; `index` is that of the file's entry. */
export interface EntryRows<Fields> {
  /** What a field says that is left out. */
  empty: Fields;
  /** Gives the new id. */
  insert(fields: Fields, index: number): string;
  /** Writes these fields and no other. */
  update(id: string, fields: Partial<Fields>, index: number): void;
  drop(id: string): void;
  /** Fields that do not go together. */
  clash?(fields: Fields): string[];
}

/** What an import of such a file came to. */
export interface FileOutcome<Fields> {
  /** One for each of the file's entries. */
  entries: EntryOutcome[];
  /** Entries that the file had and has no more. */
  gone: EntryOutcome[];
  /** The base of the next import. */
  common: BaseEntry<Fields>[];
}

interface Options {
  force: "mine" | "theirs" | undefined;
  /** What is gone from the file goes from the manuscript, where that has not changed it since. */
  isDeleting: boolean;
}

/** Brings the manuscript in step with a file's entries, each by itself. */
export function importEntries<Fields extends object>(
  {
    asked,
    base,
    standing,
    matches,
    isCopy,
  }: Sides<Fields> & { matches: readonly Match<Fields>[]; isCopy: boolean },
  rows: EntryRows<Fields>,
  { force, isDeleting }: Options,
): FileOutcome<Fields> {
  const common: BaseEntry<Fields>[] = [];
  const entries = asked.map((entry, index) => {
    const match = matches[index]!; // one an entry
    const theirs = match.id === undefined ? undefined : standing.get(match.id);
    const {
      kept = false,
      forced = [],
      ...outcome
    } = theirs === undefined
      ? insertOrLeave({ entry, match, index }, rows, force)
      : { id: match.id!, ...writeMerged({ entry, match, index, theirs }, rows, force) };
    if (!kept) common.push(commonOf(outcome.id, entry, forced, match.base));
    else if (match.base !== undefined) common.push(match.base);
    return outcome;
  });
  const claimed = new Set(matches.map(({ id }) => id));
  const gone = base.flatMap((entry): EntryOutcome[] => {
    const theirs = standing.get(entry.id);
    if (theirs === undefined || claimed.has(entry.id) || isCopy) return [];
    if (isDeleting && saysSame(entry.fields, theirs, rows.empty)) {
      rows.drop(entry.id);
      return [{ id: entry.id, status: "deleted", gone: "file" }];
    }
    common.push(entry);
    return [{ id: entry.id, status: "left", gone: "file" }];
  });
  return { entries, gone, common };
}

/** An outcome, whether the base stays as it was, and the fields of which it does. */
type Decided = EntryOutcome & { kept?: boolean; forced?: string[] };

interface Asked<Fields> {
  entry: FileEntry<Fields>;
  match: Match<Fields>;
  index: number;
}

/** An entry that the manuscript has not: a new one, or one that it has given up since. */
function insertOrLeave<Fields extends object>(
  { entry: { fields }, match: { id, base }, index }: Asked<Fields>,
  rows: EntryRows<Fields>,
  force: Options["force"],
): Decided {
  const isNew = id === undefined || base === undefined;
  if (isNew || (force === "mine" && !saysSame(fields, base.fields, rows.empty))) {
    return { id: rows.insert({ ...rows.empty, ...fields }, index), status: "created" };
  }
  if (saysSame(fields, base.fields, rows.empty) || force === "theirs")
    return { id, status: "left", gone: "manuscript", kept: true };
  const { changed } = mergeEntry(
    { mine: fields, theirs: { ...rows.empty, ...base.fields }, base: base.fields },
    rows.empty,
    undefined,
  );
  return { id, status: "conflict", fields: changed, gone: "manuscript", kept: true };
}

/** An entry that both have. */
function writeMerged<Fields extends object>(
  { entry, match, index, theirs }: Asked<Fields> & { theirs: Fields },
  rows: EntryRows<Fields>,
  force: Options["force"],
): Omit<Decided, "id"> {
  const merged = settle({ entry, match, theirs }, rows, force);
  const { changed, left, forced, conflicts, fields } = merged;
  if (conflicts.length > 0) return { status: "conflict", fields: conflicts, kept: true };
  if (changed.length > 0) {
    const written = Object.fromEntries(changed.map((key) => [key, fields[key as keyof Fields]]));
    rows.update(match.id!, written as Partial<Fields>, index); // it is one of the manuscript's
    return { status: "updated", fields: changed, forced };
  }
  return left.length > 0 ? { status: "left", fields: left, forced } : { status: "same" };
}

/** The merge, and where the fields of both sides do not go together, a conflict or the forced side's. */
function settle<Fields extends object>(
  { entry: { fields: mine }, match: { base }, theirs }: Omit<Asked<Fields>, "index"> & { theirs: Fields },
  { empty, clash }: EntryRows<Fields>,
  force: Options["force"],
): Merged<Fields> {
  const merged = mergeEntry({ mine, theirs, base: base?.fields }, empty, force);
  const clashing = merged.conflicts.length > 0 ? [] : (clash?.(merged.fields) ?? []);
  if (clashing.length === 0) return merged;
  if (force === undefined) return { ...merged, conflicts: clashing };
  if (force === "mine") {
    const full = { ...empty, ...mine };
    const taken = Object.fromEntries(clashing.map((key) => [key, full[key as keyof Fields]]));
    const isOther = (key: string) => !clashing.includes(key);
    return {
      ...merged,
      fields: { ...merged.fields, ...taken },
      changed: [...merged.changed.filter(isOther), ...clashing],
      left: merged.left.filter(isOther),
    };
  }
  return { ...merged, fields: theirs, changed: [], left: clashing, forced: clashing };
}

/** What the file says now, but for fields that were forced to stay: those are still to be settled. */
function commonOf<Fields extends object>(
  id: string,
  { id: mark, fields, said }: FileEntry<Fields>,
  forced: readonly string[],
  base: BaseEntry<Fields> | undefined,
): BaseEntry<Fields> {
  const kept = Object.entries(base?.fields ?? {}).filter(([key]) => forced.includes(key));
  const rest = Object.entries(fields).filter(([key]) => !forced.includes(key));
  const common = Object.fromEntries([...rest, ...kept]) as Partial<Fields>;
  const saying = forced.length > 0 ? base?.said : said;
  return { id, mark: mark ?? null, fields: common, ...(saying === undefined ? {} : { said: saying }) };
}
