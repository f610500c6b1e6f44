import type { AnswerOf } from "../../../contract/index.ts";
import { counted } from "../../output/columns.ts";

type Gone = Pick<AnswerOf<"deleteChapter">, "mentionsDropped" | "snippetsDetached">;

/** What went with a deletion besides words: ", 3 mentions; 1 note stays with the book"; "" for nothing. */
export function listLost({ mentionsDropped, snippetsDetached }: Gone): string {
  const [mentions, notes] = [mentionsDropped, snippetsDetached].map((lost) =>
    typeof lost === "number" ? lost : lost.length,
  ) as [number, number];
  return [
    mentions === 0 ? "" : `, ${counted(mentions, "mention")}`,
    notes === 0 ? "" : `; ${counted(notes, "note")} ${notes === 1 ? "stays" : "stay"} with the book`,
  ].join("");
}
