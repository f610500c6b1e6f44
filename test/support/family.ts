import { readdirSync, readFileSync } from "node:fs";

/** A process and those that it has started, which are gone with it; none if it has ended, and elsewhere than on Linux. */
export function family(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" "))
      .filter(Boolean)
      .map(Number);
    return [pid, ...children.flatMap(family)];
  } catch {
    return [];
  }
}
