/** A journey through the source, and how many of its files the journey may enter. */
export interface Walk {
  /** Files entered today. */
  budget: number;
  /** Files that are enough. */
  bar: number;
}

/** Each change that shortens a walk lowers its budget; one that lengthens it has to say so here. */
export const WALKS = {
  "PATCH a paragraph": { budget: 66, bar: 45 },
  "PUT a chapter with one word changed": { budget: 83, bar: 60 },
  "GET a chapter's text": { budget: 26, bar: 16 },
  "GET a chapter's text, cached": { budget: 11, bar: 10 },
  "search, with its index built": { budget: 40, bar: 36 },
  "sync, nothing changed": { budget: 61, bar: 35 },
  "sync, one word in one file": { budget: 150, bar: 90 },
  "read_chapter over MCP": { budget: 47, bar: 55 },
} as const satisfies Readonly<Record<string, Walk>>;
