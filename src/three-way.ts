import { isDeepStrictEqual } from "node:util";

/** The two sides that may have changed a value since their common base: the incoming one and the stored one. */
export type Side = "incoming" | "stored";

/** Side whose value counts; `same` if both agree, `conflict` if they changed it differently. */
export type Verdict = "same" | Side | "conflict";

/** A value on three sides. `base` is left out if no common past is known. */
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

/** Returns the side that `--force` names: mine are the files, theirs is the manuscript. */
export function sideOf(force: "mine" | "theirs" | undefined): Side | undefined {
  return force && ({ mine: "incoming", theirs: "stored" } as const)[force];
}
