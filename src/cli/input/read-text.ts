import { BadRequest } from "../../refusals.ts";
import { readInput, type Terminal } from "../io/terminal.ts";

/** The text on stdin. Throws `BadRequest` where it is not valid UTF-8: nothing is ever read with characters replaced. */
export async function readText(terminal: Terminal): Promise<string> {
  const bytes = await readInput(terminal);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new BadRequest("What stdin gave is not valid UTF-8; nothing was changed.");
  }
}
