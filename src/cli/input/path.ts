import { resolve } from "node:path";
import { BadRequest } from "../../refusals.ts";
import type { Call } from "../io/call.ts";

/** The path that a command line names, `what` in messages. Throws `BadRequest` for "": an unset variable is not this folder. */
export function placeOf({ terminal }: Pick<Call, "terminal">, named: string, what: string): string {
  if (named === "") throw new BadRequest(`${what} is ""; name a place, "." for this folder.`);
  return resolve(terminal.cwd, named);
}
