/** A journey through the source, and how many of its files the journey may enter. */
export interface Walk {
  /** Files entered today. */
  budget: number;
  /** Files that are enough. */
  bar: number;
}

/** Each change that shortens a walk lowers its budget; one that lengthens it has to say so here. */
export const WALKS = {
  "PATCH a paragraph": { budget: 58, bar: 45 },
  "PUT a chapter with one word changed": { budget: 72, bar: 60 },
  "GET a chapter's text": { budget: 21, bar: 16 },
  "GET a chapter's text, cached": { budget: 9, bar: 10 },
  "search, with its index built": { budget: 36, bar: 36 },
  "sync, one word in one file": { budget: 143, bar: 90 },
  "read_chapter over MCP": { budget: 48, bar: 55 },
} as const satisfies Readonly<Record<string, Walk>>;
