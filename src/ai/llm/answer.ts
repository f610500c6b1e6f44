import { createHash } from "node:crypto";

/** Returns what the model wrote as one line of plain text of at most so many characters; "" if it wrote nothing. */
export function plainLine(text: string, characters: number): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, characters);
}

/** An id that is the same for the same content in every run. */
export function contentId(...content: readonly (string | number | null)[]): string {
  return `llm_${createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 24)}`;
}
