import type { Answer } from "../../api/operations.ts";

/** A piece of marginalia. */
export type Snippet = Answer<"listSnippets">["snippets"][number];

/** The kinds of marginalia as they are called. */
export const KIND_NAMES: Readonly<Record<Snippet["kind"], string>> = {
  note: "Note",
  reference: "Reference",
  todo: "To do",
  research: "Research",
};

/** What a note holds, as a write replaces it: what is not sent would be lost. */
export function contentOf({
  kind,
  text,
  url,
  items,
}: Snippet): Pick<Snippet, "kind" | "text" | "url" | "items"> {
  return { kind, text, url, ...(kind === "todo" ? { items } : { items: null }) };
}
