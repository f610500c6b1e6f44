/** The `Content-Type` of bare Markdown, in requests and answers. */
export const MARKDOWN_TYPE = "text/markdown";
/** Other types that are read as Markdown; no type at all is too. The last is curl's default. */
const READ_AS_MARKDOWN = [
  "text/plain",
  "application/octet-stream",
  "application/x-www-form-urlencoded",
] as const;
/** Every type that may hold bare Markdown, the usual one first. */
export const MARKDOWN_TYPES: readonly string[] = [MARKDOWN_TYPE, ...READ_AS_MARKDOWN];
/** The `Content-Type` of an answer that goes on. */
export const EVENTS_TYPE = "text/event-stream";
