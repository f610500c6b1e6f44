import { groupBy } from "../text/group-by.ts";

/** An entry of facts.yaml or notes.yaml as the file has it. A missing field says nothing. */
export interface FileEntry<Fields> {
  id?: string | undefined;
  fields: Partial<Fields>;
  /**
   * The file's own wording of a field. Unchanged words keep their former meaning, even if they would resolve
   * differently now.
   */
  said?: string;
}

/** An entry as a folder and the manuscript last had it in common. */
export interface BaseEntry<Fields> {
  /** Id in the manuscript. */
  id: string;
  /** Id in the file; null if the file gives none. */
  mark: string | null;
  fields: Partial<Fields>;
  said?: string;
}

/**
 * The stored entry that an entry of the file stands for. `isGone` if the manuscript removed it; no id for a new
 * entry.
 */
export interface Match<Fields> {
  id?: string;
  isGone: boolean;
  base: BaseEntry<Fields> | undefined;
}

/** Three sides of a file of entries: incoming, base and stored. */
export interface EntrySides<Fields> {
  incoming: readonly FileEntry<Fields>[];
  base: readonly BaseEntry<Fields>[];
  stored: ReadonlyMap<string, Fields>;
}

/**
 * Matches each entry of the file with a stored one, each at most once. An id counts if the manuscript has it or had
 * it at the last exchange. An entry without an id is matched with its base entry: by all fields, else by `key`, else
 * by the other fields. If nothing is found, an unmatched stored entry with exactly the same fields is taken: the file
 * came from a copy of the folder. O(entries).
 */
export function matchEntries<Fields extends object>(
  { incoming, base, stored }: EntrySides<Fields>,
  { key, empty }: { key: keyof Fields & string; empty: Fields },
): Match<Fields>[] {
  const byMark = new Map(base.map((entry) => [entry.mark ?? entry.id, entry]));
  const byId = new Map(base.map((entry) => [entry.id, entry]));
  const claimed = new Set<string>();
  const claim = (id: string, entry: BaseEntry<Fields> | undefined): Match<Fields> => {
    claimed.add(id);
    return { id, isGone: !stored.has(id), base: entry };
  };
  const direct = incoming.map(({ id }) =>
    id !== undefined && stored.has(id) ? claim(id, byId.get(id)) : undefined,
  );
  const marked = incoming.map(({ id }, index): Match<Fields> | undefined => {
    if (id === undefined || direct[index] !== undefined) return direct[index];
    const known = byMark.get(id);
    return known === undefined || claimed.has(known.id) ? undefined : claim(known.id, known);
  });
  const open = base.filter(({ mark, id }) => mark === null && !claimed.has(id));
  const unmarked = incoming.map((entry, index) =>
    marked[index] === undefined && entry.id === undefined ? entry : undefined,
  );
  const known = findUnmarked(unmarked, open, key).map((entry) => entry && claim(entry.id, entry));
  const full = (fields: Partial<Fields>) => textOf({ ...empty, ...fields });
  const equals = groupBy(stored, ([, fields]) => full(fields));
  return incoming.map(({ fields }, index) => {
    const found = marked[index] ?? known[index];
    if (found !== undefined) return found;
    const [equal] = equals.get(full(fields))?.find(([id]) => !claimed.has(id)) ?? [];
    return equal === undefined ? NEW : claim(equal, undefined);
  });
}

const NEW = { isGone: false, base: undefined };

/** Finds the base entries, of those without an id in the file, that the entries without an id stand for. */
function findUnmarked<Fields extends object>(
  incoming: readonly (FileEntry<Fields> | undefined)[],
  base: readonly BaseEntry<Fields>[],
  key: keyof Fields & string,
): (BaseEntry<Fields> | undefined)[] {
  const open = new Set(base);
  const found: (BaseEntry<Fields> | undefined)[] = incoming.map(() => undefined);
  const isRest = (field: string, value: unknown) => field !== key && !isBlank(value);
  const ways = [
    (fields: Partial<Fields>) => textOf(fields),
    (fields: Partial<Fields>) => (isBlank(fields[key]) ? undefined : textOf(fields[key])),
    (fields: Partial<Fields>) => {
      const rest = Object.entries(fields).filter(([field, value]) => isRest(field, value));
      return rest.length < 2 ? undefined : textOf(Object.fromEntries(rest)); // a kind alone is no likeness
    },
  ];
  for (const way of ways) {
    const likes: Map<string | undefined, BaseEntry<Fields>[]> = groupBy(open, ({ fields }) => way(fields));
    incoming.forEach((entry, index) => {
      if (entry === undefined || found[index] !== undefined) return;
      const known = likes.get(way(entry.fields) ?? "")?.shift();
      found[index] = known;
      if (known !== undefined) open.delete(known);
    });
  }
  return found;
}

/** True if two entries have equal fields. A missing field counts as `empty`. */
export function saysSame<Fields extends object>(
  one: Partial<Fields>,
  other: Partial<Fields>,
  empty: Fields,
): boolean {
  const keys = Object.keys(empty) as (keyof Fields)[];
  return keys.every((key) => isSame(saidOf(one, key, empty), saidOf(other, key, empty)));
}

/** Returns an entry's value of a field, or `otherwise`'s if the entry leaves it out. */
export function saidOf<Fields extends object, Key extends keyof Fields>(
  said: Partial<Fields>,
  key: Key,
  otherwise: Fields,
): Fields[Key] {
  return Object.hasOwn(said, key) ? said[key]! : otherwise[key]; // it is there
}

/** True if two values are equal. The order of keys does not count, that of a list does. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || textOf(one) === textOf(other);
}

function isBlank(value: unknown): boolean {
  return value == null || value === "" || (Array.isArray(value) && value.length === 0);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (arePairs(inner) ? inner.toSorted(byKey) : inner)) ?? "";
}

interface KeyAndValue {
  key: string;
}

function arePairs(value: unknown): value is KeyAndValue[] {
  return Array.isArray(value) && value.every((item) => typeof item?.key === "string");
}

function byKey({ key: one }: KeyAndValue, { key: other }: KeyAndValue): number {
  return one < other ? -1 : Number(one > other);
}
