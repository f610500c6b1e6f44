import { reply } from "../../api/ask.ts";
import type { Sent } from "../../api/operations.ts";

/** Choices of an export: format, style, chapters and notes. */
export type Wanted = Sent<"exportBook">["query"] & object;

/** A document that the server made, under the name that it gave it. */
interface Made {
  name: string;
  bytes: Blob;
}

/** Asks for a book as one document. Throws `Problem`. */
export async function makeDocument(bookId: string, query: Wanted): Promise<Made> {
  const response = await reply("exportBook", { params: { bookId }, query });
  const [, name = ""] =
    /filename\*=UTF-8''([^;]+)/.exec(response.headers.get("Content-Disposition") ?? "") ?? [];
  return { name: decodeURIComponent(name), bytes: await response.blob() };
}

/** How long a browser may take to begin a download. */
const BEGUN_MS = 60_000;

/** Gives a document to the browser, which saves it where it saves downloads. */
export function save({ name, bytes }: Made): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(bytes);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), BEGUN_MS);
}
