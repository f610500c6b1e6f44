import type { AnswerOf } from "../../contract/index.ts";
import type { ImportAnswer } from "../../service/interchange/import-book.ts";
import { counted, grouped, oneLine } from "../../text/columns.ts";

/** The cost of a write in words: "2 mentions dropped, 1 note detached", of a dry run "2 mentions to drop"; none is left out. */
export function lossesOf(
  lost: {
    mentionsDropped?: { length: number } | undefined;
    snippetsDetached?: { length: number } | undefined;
    snippetsMoved?: { length: number } | undefined;
  },
  isDry: boolean,
): string[] {
  const counts = [
    [lost.mentionsDropped?.length ?? 0, "mention", isDry ? "to drop" : "dropped"],
    [lost.snippetsDetached?.length ?? 0, "note", isDry ? "to detach" : "detached"],
    [lost.snippetsMoved?.length ?? 0, "note", isDry ? "to move along" : "moved along"],
  ] as const;
  return counts.flatMap(([count, noun, done]) => (count === 0 ? [] : [`${counted(count, noun)} ${done}`]));
}

/** Words of a dry run for paragraphs. */
export const TO_DO = { edited: "to edit", new: "to add", moved: "to move", removed: "to remove" } as const;

/** How many paragraphs a write changes, of each way those that there are: "2 paragraphs edited, 1 removed". */
export function changedParagraphs(counts: Record<keyof typeof TO_DO, number>, isDry: boolean): string[] {
  return (["edited", "new", "moved", "removed"] as const)
    .filter((what) => counts[what] > 0)
    .map((what, index) => {
      const count = counts[what];
      if (index === 0 && what === "new" && !isDry) return counted(count, "new paragraph");
      const number = index === 0 ? counted(count, "paragraph") : grouped(count);
      return `${number} ${isDry ? TO_DO[what] : what}`;
    });
}

/** Which paragraphs went to another chapter, a line for each two: "2 paragraphs moved from One to Two". */
export function showMoved(moved: ImportAnswer["moved"], isDry: boolean): string[] {
  return moved.map(({ from, to, paragraphs }) => {
    const what = `${counted(paragraphs, "paragraph")} ${isDry ? "to move" : "moved"}`;
    return `${what} from ${oneLine(from.title, 60)} to ${oneLine(to.title, 60)}`;
  });
}

type Lost = Pick<AnswerOf<"deleteChapter">, "mentionsDropped" | "snippetsDetached">;

/** Describes what a deletion took along besides words: ", 3 mentions; 1 note stays with the book"; "" for nothing. */
export function listLost({ mentionsDropped, snippetsDetached }: Lost): string {
  const [mentions, notes] = [countOf(mentionsDropped), countOf(snippetsDetached)];
  const stay = `; ${counted(notes, "note")} ${notes === 1 ? "stays" : "stay"} with the book`;
  return (mentions === 0 ? "" : `, ${counted(mentions, "mention")}`) + (notes === 0 ? "" : stay);
}

/** Counts what an answer lists or counts. */
export function countOf(lost: number | { length: number }): number {
  return typeof lost === "number" ? lost : lost.length;
}

/** What an act that makes one of two kept in a note, on lines of its own; "" for no note. */
export function showKept(snippet: { text: string | null } | null): string {
  return snippet === null ? "" : `\nKept in a note:\n${snippet.text}`;
}
