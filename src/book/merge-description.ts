import { isDeepStrictEqual } from "node:util";
import { judge, type Side, type Sides, type Verdict } from "../three-way.ts";
import type { Description, Goal } from "./book.ts";

/** What became of the book's own description: its title, goal, parts, order, and the keys that are not ours. */
export interface BookOutcome {
  /** `left`: only the manuscript has changed since; `conflict`: both sides changed the same, each in its own way. */
  status: "created" | "updated" | "same" | "left" | "conflict";
  /** What was written of it. */
  fields: string[];
  /** What both sides changed; nothing of that was written. */
  conflicts: string[];
}

/** What is to be written of a book's description; a key that is not there stays as it is. */
export interface DescriptionPlan {
  title?: string;
  goal?: Goal | null;
  manifest?: Readonly<Record<string, unknown>>;
  /** The parts in their order: new ones, and those that get another title. */
  parts: readonly { title: string; was?: string }[];
  /** Whether parts that stand already change places. */
  arePartsMoved: boolean;
  /** The files of chapters in the order that they are to stand in; undefined if it stays. */
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

/** What is to be merged of a book's description; no base: nothing is known to have been in common. */
interface DescriptionSides {
  base?: Description | undefined;
  incoming: Description | undefined;
  stored: StoredDescription;
}

/** A key that has one value: the name that answers tell it by, and what a description says of it; undefined for nothing. */
interface DescriptionKey {
  key: "title" | "goal" | "manifest";
  name: string;
  said: (description: Description) => unknown;
}

const KEYS: readonly DescriptionKey[] = [
  { key: "title", name: "title", said: ({ title }) => title },
  { key: "goal", name: "goal", said: ({ goal }) => goal ?? null },
  { key: "manifest", name: "other keys", said: ({ manifest }) => manifest },
];

/** What decides besides the three sides. */
interface DescriptionOptions {
  /** The titles of parts that chapters name: they are made if they are missing. */
  wanted: readonly string[];
  /** The caller has named the book already. */
  isNamed: boolean;
  isNew: boolean;
  force?: Side | undefined;
}

/** Merges what a folder says of a book, key by key. Source: docs/decisions/007-three-way.md. */
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

/** Merges title, goal and other keys; those that get the folder's value. */
function mergeValues(
  { base, incoming, stored }: DescriptionSides,
  verdicts: Verdicts,
  isNamed: boolean,
): Partial<DescriptionPlan> {
  if (incoming === undefined) return {};
  const taken = KEYS.filter(({ key, name, said }) => {
    const value = said(incoming);
    // A folder that nobody knows and that names no goal says nothing of it.
    const isSilent = value === undefined || (key === "title" && isNamed) || (value === null && !base);
    return !isSilent && verdicts.takes(name, { ...of(base, said), incoming: value, stored: stored[key] });
  });
  return Object.fromEntries(taken.map(({ key, said }) => [key, said(incoming)]));
}

/** The parts that get another title, the folder they are in having one: the new title by the old one. */
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

/** The parts that are there, and behind them those that are made. */
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
  // One that both had and the manuscript has no more is not made again: it went there, or has another title.
  const had = force === "incoming" ? undefined : base?.parts;
  const named = (incoming?.parts ?? []).filter((title) => !had?.includes(title));
  const missing = [...new Set([...named, ...wanted])].filter((title) => !titles.has(title));
  return [...present, ...missing.map((title) => ({ title }))];
}

/** The base of a value, if there is a base at all and it says one. */
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

  /** The same for an order: what the sides do not both have does not count. */
  takesOrder(key: string, { base, incoming, stored }: Sides<readonly string[]>): boolean {
    const both = common(incoming, stored);
    if (isDeepStrictEqual(both(incoming), both(stored))) return false;
    if (base === undefined) return this.takes(key, { incoming, stored });
    const all = common(both(incoming), base);
    const sides = { base: all(base), incoming: all(incoming), stored: all(stored) };
    const verdict = judge(sides, { force: this.#force });
    // Both moved alike what was there before: what came since stays where the manuscript has it.
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

/** Keeps of a list what both of these hold. */
function common(one: readonly string[], other: readonly string[]) {
  const [inOne, inOther] = [new Set(one), new Set(other)];
  return (list: readonly string[]) => list.filter((entry) => inOne.has(entry) && inOther.has(entry));
}

/** A list whose named entries, and no others, change places among themselves to be in the order of the names. */
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
