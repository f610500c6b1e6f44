import { BadRequest } from "../../refusals.ts";
import { decodeUtf8 } from "../../text/utf8.ts";
import { readInput, type Terminal } from "../io/terminal.ts";

/** The text on stdin, without a byte order mark. Throws `BadRequest` if it is not valid UTF-8. */
export async function readText(terminal: Terminal): Promise<string> {
  const text = decodeUtf8(await readInput(terminal));
  if (text === undefined) throw new BadRequest("What stdin gave is not valid UTF-8; nothing was changed.");
  return text.replace(/^\ufeff/, "");
}
