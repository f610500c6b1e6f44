import { LIMITS } from "../../contract/limits.ts";
import { PayloadTooLarge } from "../../refusals.ts";

/** Throws `PayloadTooLarge` for more Markdown than a chapter takes. */
export function assertSize(markdown: string): void {
  const bytes = Buffer.byteLength(markdown);
  if (bytes <= LIMITS.markdownBytes) return;
  throw new PayloadTooLarge(
    `The Markdown has ${bytes} bytes; a chapter takes at most ${LIMITS.markdownBytes} (4 MiB). Split the chapter.`,
  );
}
