import { READING } from "./rows/reading.ts";
import { WRITING } from "./rows/writing.ts";
import type { Tool } from "./tool/tool.ts";

/** What an agent may do: read alone; read, note and propose; or write, too. */
export type Allowed = "read" | "propose" | "write";

/** The tools of an agent that may do so much, in the order in which they are listed. */
export function toolsFor(allowed: Allowed): Tool[] {
  if (allowed === "read") return [...READING];
  return [...READING, ...WRITING].filter(({ needsWrite }) => allowed === "write" || !needsWrite);
}
