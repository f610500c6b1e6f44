import type { Answer } from "../../api/operations.ts";

/** One write of the change feed. */
export type Act = Answer<"listActs">["acts"][number];

/** Who asked for an act, as it is called here. */
export function whoOf({ source, by }: Pick<Act, "source"> & Partial<Pick<Act, "by">>): string {
  if (source === "restore" || source === "undo") return "Taken back";
  if (source === "cli") return "The command line";
  if (source === "mcp") return by ?? "An agent";
  return source === "page" || source === "import" ? "You" : "A script";
}
