import { resolve } from "node:path";
import { TIERS } from "../../contract/enums.ts";
import { faultOnWindows } from "../../files/file-names.ts";
import { BadRequest } from "../../refusals.ts";
import { isDay } from "../../text/day.ts";
import { decodeUtf8 } from "../../text/utf8.ts";
import type { Call } from "../io/call.ts";
import { readInput, type Terminal } from "../io/terminal.ts";

/** The path that a command line names, `what` in messages. Throws `BadRequest` for "", for an unset variable is not this folder, for an address of the web, and on Windows for what is no name there. */
export function placeOf({ terminal }: Pick<Call, "terminal">, named: string, what: string): string {
  if (named === "") throw new BadRequest(`${what} is ""; name a place, "." for this folder.`);
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(named))
    throw new BadRequest(`${named} is an address, and ${what} must be a file or folder of this computer.`);
  const fault = process.platform === "win32" ? faultOnWindows(named) : undefined;
  if (fault !== undefined) throw new BadRequest(`Windows has no ${named}: ${fault}. Name another place.`);
  return resolve(terminal.cwd, named);
}

/** The text on stdin, without a byte order mark. Throws `BadRequest` if it is not valid UTF-8. */
export async function readText(terminal: Terminal): Promise<string> {
  const text = decodeUtf8(await readInput(terminal));
  if (text === undefined) throw new BadRequest("What stdin gave is not valid UTF-8; nothing was changed.");
  return text.replace(/^\ufeff/, "");
}

/** The day that an option names. Throws `BadRequest` for what is none. */
export function dayOf(option: string, text: string): string {
  if (!isDay(text))
    throw new BadRequest(`${option} must be a day such as 2027-01-31, or none, got "${text}".`);
  return text;
}

type Tier = (typeof TIERS)[number];

/** The tiers of a list such as `read,ai`, each once. Throws `BadRequest` for a word that is none. */
export function tiersOf(option: string, list: string): Tier[] {
  const words = list.split(",").map((word) => word.trim());
  const unknown = words.filter((word) => !TIERS.includes(word as Tier));
  if (unknown.length > 0) {
    throw new BadRequest(
      `${option} takes ${TIERS.join(", ")}, joined by commas, got "${unknown.join(",")}".`,
    );
  }
  return TIERS.filter((tier) => words.includes(tier));
}
