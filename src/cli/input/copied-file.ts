import { readdirSync } from "node:fs";
import { join } from "node:path";
import { NotFound } from "../../refusals.ts";
import type { Call } from "../io/call.ts";
import { ENDING, namedFile, theManuscriptFile } from "./manuscript-file.ts";

const COPIES = "-backups";

/**
 * The manuscript whose copies a call is about. It need not be there any more: then it is the one that is named, or the one
 * whose folder of copies is here. Throws as `theManuscriptFile` does.
 */
export function copiedFile(call: Pick<Call, "file" | "terminal">): string {
  try {
    return theManuscriptFile(call);
  } catch (error) {
    const named = namedFile(call);
    if (named !== undefined) return named;
    const { cwd } = call.terminal;
    const [only, ...others] = readdirSync(cwd).filter((name) => name.endsWith(COPIES));
    if (!(error instanceof NotFound) || only === undefined || others.length > 0) throw error;
    return join(cwd, only.slice(0, -COPIES.length) + ENDING);
  }
}
