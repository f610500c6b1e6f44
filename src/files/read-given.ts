import { BadRequest } from "../refusals.ts";
import { decode, inEncoding } from "./disk/text-file.ts";
import { kindOf } from "./document-kinds.ts";
import { assertWhole } from "./documents/compare-text.ts";
import { bookOfDocument } from "./layouts/document/document.ts";
import type { LayoutOptions } from "./layouts/layout.ts";
import { bookOfText } from "./layouts/one-file/file.ts";
import type { PathBook, PathReading } from "./read-path.ts";

// A separate module, so that the sync of a folder in step does not load the Markdown parser.

/**
 * Reads a book from bytes without a name: one text, or a document. Throws `BadRequest` for no bytes, and like
 * `readPath`.
 */
export async function readGiven(
  bytes: Buffer,
  { encoding, ...reading }: LayoutOptions & Pick<PathReading, "encoding">,
): Promise<PathBook> {
  // The program that should have written to stdin may have failed.
  if (bytes.length === 0) throw new BadRequest("stdin was empty; nothing was imported.");
  const kind = kindOf(bytes, undefined);
  const whole = { file: null, name: "stdin" };
  const text = () => inEncoding(encoding, () => decode(bytes, "stdin"));
  const {
    guess,
    used: _,
    ...book
  } = kind === undefined
    ? await bookOfText({ ...whole, text: text() }, reading)
    : await bookOfDocument(bytes, kind, { ...whole, reading });
  const lost = assertWhole({ ...book, used: [] }, reading);
  const why = [kind?.called, guess].filter(Boolean).join("; ");
  return {
    ...book,
    skipped: [...book.skipped, ...lost],
    layout: "file",
    called: "one text",
    why: why || "stdin",
    isTelling: why !== "",
  };
}
