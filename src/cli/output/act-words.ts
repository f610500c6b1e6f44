import type { AnswerOf } from "../../contract/index.ts";
import { counted } from "./columns.ts";

type Act = AnswerOf<"listActs">["acts"][number];

/** What an act did, in the words of the command line: "replace prose", "create note", "sync". */
export function kindInWords({ kind, source }: Pick<Act, "kind" | "source">): string {
  if (kind === "importBook" && source !== "import") return "sync";
  return kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\bsnippet/, "note");
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
