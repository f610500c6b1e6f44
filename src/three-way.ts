import { isDeepStrictEqual } from "node:util";

/** The two sides that may have changed a value since they last had it in common: what comes in, and what is stored. */
export type Side = "incoming" | "stored";

/** Whose value counts; `same` if both say it, `conflict` if each has changed it in its own way. */
export type Verdict = "same" | Side | "conflict";

/** One value on three sides; `base` is what both had in common, and is left out if that is not known. */
export interface Sides<Value> {
  base?: Value;
  incoming: Value;
  stored: Value;
}

/**
 * Decides who has changed a value. The only place that does: chapters, their fields, their blocks, facts, notes and the
 * book's own description are all cases of this table.
 *
 * | incoming = stored | base known | incoming = base | stored = base | verdict |
 * |---|---|---|---|---|
 * | yes | | | | `same` |
 * | no | no | | | `force`, else `incoming`: a folder that nobody knows is taken at its word |
 * | no | yes | yes | no | `stored` |
 * | no | yes | no | yes | `incoming` |
 * | no | yes | no | no | `force`, else `conflict` |
 */
export function judge<Value>(
  sides: Sides<Value>,
  {
    force,
    same = isDeepStrictEqual,
  }: { force?: Side | undefined; same?: (one: Value, other: Value) => boolean } = {},
): Verdict {
  const { incoming, stored } = sides;
  if (same(incoming, stored)) return "same";
  if (!("base" in sides)) return force ?? "incoming";
  const base = sides.base as Value; // it is there
  if (same(incoming, base)) return "stored";
  if (same(stored, base)) return "incoming";
  return force ?? "conflict";
}

/** The side that `--force` names: mine are the files, theirs is the manuscript. */
export function sideOf(force: "mine" | "theirs" | undefined): Side | undefined {
  return force && ({ mine: "incoming", theirs: "stored" } as const)[force];
}
