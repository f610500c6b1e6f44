import type { Side } from "../../three-way.ts";

/** The side that `--force` names: mine are the files, theirs is the manuscript. */
export function sideOf(force: "mine" | "theirs" | undefined): Side | undefined {
  return force && ({ mine: "incoming", theirs: "stored" } as const)[force];
}
