import type { Answer, Sent } from "../../api/operations.ts";
import { write } from "../../api/write.ts";

/** A piece of marginalia. */
export type Snippet = Answer<"listSnippets">["snippets"][number];

/** The kinds of marginalia by the names that the page gives them. */
export const KIND_NAMES: Readonly<Record<Snippet["kind"], string>> = {
  note: "Note",
  reference: "Reference",
  todo: "To do",
  research: "Research",
};

/** Changes something of a note; a write replaces all of it, and whatever is not sent would be lost. */
export function changeNote(
  { id, kind, text, url, items }: Snippet,
  changed: Partial<Sent<"updateSnippet">["body"]>,
  done?: string,
): void {
  const body = { kind, text, url, items: kind === "todo" ? items : null, ...changed };
  void write("updateSnippet", { params: { snippetId: id }, body }, done);
}
