import { isDeepStrictEqual } from "node:util";
import { METADATA } from "../contract/enums.ts";
import { judge, type Side, type Sides, type Verdict } from "../three-way.ts";
import type { Description, Goal } from "./book.ts";

/** Outcome for the book's own description: its title, goal, parts, order, and unknown keys. */
export interface BookOutcome {
  /** `left`: only the manuscript has changed since; `conflict`: both sides changed the same key differently. */
  status: "created" | "updated" | "same" | "left" | "conflict";
  /** Fields that were written. */
  fields: string[];
  /** Fields that both sides changed. Nothing of them was written. */
  conflicts: string[];
}

/** Changes to write to a book's description. A missing key stays unchanged. */
export interface DescriptionPlan {
  title?: string;
  goal?: Goal | null;
  manifest?: Readonly<Record<string, unknown>>;
  /** Parts in their new order: new ones, and renamed ones. */
  parts: readonly { title: string; was?: string }[];
  /** True if existing parts change places. */
  arePartsMoved: boolean;
  /** Files of chapters in their new order; undefined if the order stays. */
  order?: readonly string[];
}

/** The book's description as the manuscript has it; `order` names chapters by the files that come in. */
export interface StoredDescription {
  title: string;
  goal: Goal | null;
  manifest: Readonly<Record<string, unknown>>;
  parts: readonly string[];
  order: readonly string[];
}

/** Sides of a merge of a book's description. No base: no common past is known. */
interface DescriptionSides {
  base?: Description | undefined;
  incoming: Description | undefined;
  stored: StoredDescription;
}

/** A key with a single value: its name in answers, and its value in a description; undefined for none. */
interface DescriptionKey {
  key: "title" | "goal" | "manifest";
  name: string;
  said: (
    description: Pick<StoredDescription, "manifest"> & { title?: string; goal?: Goal | null },
  ) => unknown;
}

type Manifest = Description["manifest"];

const KEYS: readonly DescriptionKey[] = [
  { key: "title", name: "title", said: ({ title }) => title },
  { key: "goal", name: "goal", said: ({ goal }) => goal ?? null },
  ...METADATA.map(
    (name): DescriptionKey => ({ key: "manifest", name, said: ({ manifest }) => manifest[name] ?? null }),
  ),
  { key: "manifest", name: "other keys", said: ({ manifest }) => without(manifest, METADATA) },
];

/** Returns a book's keys, those of these names as another list has them. */
export function withKeysOf(manifest: Manifest, from: Manifest, names: readonly string[]): Manifest {
  const taken = METADATA.filter((name) => names.includes(name));
  const others = without(names.includes("other keys") ? from : manifest, METADATA);
  return { ...without(pick(manifest, METADATA), taken), ...pick(from, taken), ...others };
}

function pick(manifest: Manifest, names: readonly string[]): Manifest {
  return Object.fromEntries(Object.entries(manifest).filter(([name]) => names.includes(name)));
}

function without(manifest: Manifest, names: readonly string[]): Manifest {
  return Object.fromEntries(Object.entries(manifest).filter(([name]) => !names.includes(name)));
}

/** Options of a merge of descriptions besides the three sides. */
interface DescriptionOptions {
  /** Titles of parts that chapters name. Missing ones are created. */
  wanted: readonly string[];
  /** True if the caller has given the book its title. */
  isNamed: boolean;
  isNew: boolean;
  force?: Side | undefined;
}

/** Merges a folder's description of a book, key by key. Source: docs/decisions/007-three-way.md. */
export function mergeDescription(
  sides: DescriptionSides,
  { wanted, isNamed, isNew, force }: DescriptionOptions,
): { plan: DescriptionPlan; outcome: BookOutcome } {
  const verdicts = new Verdicts(force);
  const values = mergeValues(sides, verdicts, isNamed);
  const renames = renamedParts(sides, verdicts);
  const parts = mergeParts(sides, { wanted, renames, force });
  const { base, incoming, stored } = sides;
  const titles = parts.map(({ title }) => title);
  const arePartsMoved =
    incoming !== undefined &&
    verdicts.takesOrder("order of the parts", {
      ...of(base, (was) => was.parts),
      incoming: incoming.parts,
      stored: titles,
    });
  const order = incoming?.order;
  const isOrdered =
    order !== undefined &&
    verdicts.takesOrder("order", {
      ...of(base, (was) => was.order),
      incoming: order,
      stored: stored.order,
    });
  return {
    plan: {
      ...values,
      parts: arePartsMoved ? inOrder(parts, ({ title }) => title, incoming.parts) : parts,
      arePartsMoved,
      ...(isOrdered ? { order } : {}),
    },
    outcome: verdicts.outcome(isNew),
  };
}

/** Merges title, goal and other keys. Returns those that get the folder's value. */
function mergeValues(
  { base, incoming, stored }: DescriptionSides,
  verdicts: Verdicts,
  isNamed: boolean,
): Partial<DescriptionPlan> {
  if (incoming === undefined) return {};
  const taken = KEYS.filter(({ key, name, said }) => {
    const value = said(incoming);
    // A folder without a known past and without a goal says nothing about the goal.
    const isSilent = value === undefined || (key === "title" && isNamed) || (value === null && !base);
    return !isSilent && verdicts.takes(name, { ...of(base, said), incoming: value, stored: said(stored) });
  });
  const names = taken.filter(({ key }) => key === "manifest").map(({ name }) => name);
  return {
    ...Object.fromEntries(taken.map(({ key, said }) => [key, said(incoming)])),
    ...(names.length > 0 ? { manifest: withKeysOf(stored.manifest, incoming.manifest, names) } : {}),
  };
}

/** Maps old titles of parts to new ones, for renamed parts whose folder keeps its name. */
function renamedParts(
  { base, incoming, stored }: DescriptionSides,
  verdicts: Verdicts,
): ReadonlyMap<string, string> {
  const renames = new Map<string, string>();
  for (const [folder, to] of incoming?.folders ?? []) {
    const from = base?.folders.get(folder) ?? to;
    const titles = stored.parts.map((part) => renames.get(part) ?? part);
    if (!titles.includes(from) || titles.includes(to)) continue;
    if (verdicts.takes(`part ${to}`, { base: from, incoming: to, stored: from })) renames.set(from, to);
  }
  return renames;
}

/** Returns the existing parts, followed by the new ones. */
function mergeParts(
  { base, incoming, stored }: DescriptionSides,
  {
    wanted,
    renames,
    force,
  }: Pick<DescriptionOptions, "wanted" | "force"> & { renames: ReadonlyMap<string, string> },
): DescriptionPlan["parts"] {
  const present = stored.parts.map((part) => ({ title: renames.get(part) ?? part, was: part }));
  const titles = new Set(present.map(({ title }) => title));
  // A part that is in the base and missing from the manuscript is not made again: it was removed or renamed there.
  const had = force === "incoming" ? undefined : base?.parts;
  const named = (incoming?.parts ?? []).filter((title) => !had?.includes(title));
  const missing = [...new Set([...named, ...wanted])].filter((title) => !titles.has(title));
  return [...present, ...missing.map((title) => ({ title }))];
}

/** Returns the base of a value, if there is a base and it has that value. */
function of<Value>(
  base: Description | undefined,
  read: (base: Description) => Value | undefined,
): { base?: Value } {
  const value = base && read(base);
  return value === undefined ? {} : { base: value };
}

/** Collects the verdicts on the keys of a description. */
class Verdicts {
  readonly #force: Side | undefined;
  readonly #fields: string[] = [];
  readonly #conflicts: string[] = [];
  #isLeft = false;

  constructor(force: Side | undefined) {
    this.#force = force;
  }

  /** True if the folder's value is to be written. */
  takes<Value>(key: string, sides: Sides<Value>): boolean {
    return this.#record(key, judge(sides, { force: this.#force }));
  }

  /** True if the folder's order is to be written. Items that one side lacks do not count. */
  takesOrder(key: string, { base, incoming, stored }: Sides<readonly string[]>): boolean {
    const both = common(incoming, stored);
    if (isDeepStrictEqual(both(incoming), both(stored))) return false;
    if (base === undefined) return this.takes(key, { incoming, stored });
    const all = common(both(incoming), base);
    const sides = { base: all(base), incoming: all(incoming), stored: all(stored) };
    const verdict = judge(sides, { force: this.#force });
    // Both sides moved the common items alike, so newer items stay where the manuscript has them.
    return this.#record(key, verdict === "same" ? "stored" : verdict);
  }

  #record(key: string, verdict: Verdict): boolean {
    if (verdict === "incoming") this.#fields.push(key);
    if (verdict === "conflict") this.#conflicts.push(key);
    if (verdict === "stored") this.#isLeft = true;
    return verdict === "incoming";
  }

  outcome(isNew: boolean): BookOutcome {
    const [fields, conflicts] = [this.#fields, this.#conflicts];
    if (isNew) return { status: "created", fields, conflicts };
    if (conflicts.length > 0) return { status: "conflict", fields, conflicts };
    return { status: fields.length > 0 ? "updated" : this.#isLeft ? "left" : "same", fields, conflicts };
  }
}

/** Returns the items of a list that both of these lists hold. */
function common(one: readonly string[], other: readonly string[]) {
  const [inOne, inOther] = [new Set(one), new Set(other)];
  return (list: readonly string[]) => list.filter((entry) => inOne.has(entry) && inOther.has(entry));
}

/** Returns a list in which only the named entries change places, into the order of the names. */
export function inOrder<Entry extends object>(
  list: readonly Entry[],
  nameOf: (entry: Entry) => string | undefined,
  names: readonly string[],
): Entry[] {
  const byName = new Map(list.map((entry) => [nameOf(entry), entry]));
  const wanted = names.flatMap((name) => byName.get(name) ?? []);
  const moving = new Set(wanted);
  const next = wanted.values();
  return list.map((entry) => (moving.has(entry) ? (next.next().value ?? entry) : entry));
}
