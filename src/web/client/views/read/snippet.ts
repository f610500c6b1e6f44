import type { Answer } from "../../api/operations.ts";

/** A piece of marginalia. */
export type Snippet = Answer<"listSnippets">["snippets"][number];

/** The kinds of marginalia by the names that the page gives them. */
export const KIND_NAMES: Readonly<Record<Snippet["kind"], string>> = {
  note: "Note",
  reference: "Reference",
  todo: "To do",
  research: "Research",
};

/** The content of a note, as a write replaces it: whatever is not sent would be lost. */
export function contentOf({ kind, text, url, items }: Snippet) {
  return { kind, text, url, items: kind === "todo" ? items : null };
}
