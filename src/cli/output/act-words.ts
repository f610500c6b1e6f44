import type { AnswerOf } from "../../contract/index.ts";
import { counted } from "./columns.ts";

type Act = AnswerOf<"listActs">["acts"][number];

/** Kinds whose own name is not how the command line puts it: what the wire calls a snippet is a note here. */
const OTHERWISE_NAMED: Readonly<Record<string, string>> = {
  createSnippet: "create note",
  updateSnippet: "update note",
  deleteSnippet: "delete note",
};

/** What an act did, in the words of the command line: "replace prose", "create note", "sync". */
export function kindInWords({ kind, source }: Pick<Act, "kind" | "source">): string {
  if (kind === "importBook" && source !== "import") return "sync";
  return OTHERWISE_NAMED[kind] ?? kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** How much an act touched: "2 chapters, 1 note"; "nothing" of one that changed nothing. */
export function reachOf({ books, parts, chapters, facts, snippets }: Act["touched"]): string {
  const touched = [
    [books, "book"],
    [parts, "part"],
    [chapters, "chapter"],
    [facts, "fact"],
    [snippets, "note"],
  ] as const;
  const counts = touched.flatMap(([ids, noun]) => (ids.length === 0 ? [] : [counted(ids.length, noun)]));
  return counts.length === 0 ? "nothing" : counts.join(", ");
}
