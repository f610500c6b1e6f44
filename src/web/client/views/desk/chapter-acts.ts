import { write } from "../../api/write.ts";
import type { OutlineChapter } from "./outline.ts";

/** Saves a chapter's title. */
export function rename({ id }: OutlineChapter, title: string): void {
  if (title !== "")
    void write("updateChapter", { params: { chapterId: id }, body: { title } }, "The chapter is renamed.");
}

/** Saves a chapter's synopsis. */
export function saveSynopsis({ id }: OutlineChapter, synopsis: string): void {
  void write("saveSynopsis", { params: { chapterId: id }, body: { synopsis } }, "The synopsis is saved.");
}
