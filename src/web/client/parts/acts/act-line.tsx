import type { JSX } from "preact";
import { doneOf } from "../../../../contract/act-words.ts";
import { counted } from "../numbers.ts";
import type { Outline } from "../view.tsx";
import { type Act, whoOf } from "./act-words.ts";

/** Acts on prose; one that changed no chapter belongs to no book. */
const WRITTEN = /^(?:replaceProse|replaceParagraph|insertParagraphs|deleteParagraph)$/;

/** True if an act is about this book; one that touches neither a book nor a chapter may be any book's. */
export function isOf({ id, chapters }: Outline, { kind, touched }: Act): boolean {
  if (kind === "deleteChapter") return true; // nothing says any more of which book it was
  if (touched.chapters.length > 0 || WRITTEN.test(kind))
    return touched.chapters.some((one) => chapters.some((chapter) => chapter.id === one));
  return touched.books.length === 0 || touched.books.includes(id);
}

/** Who did what, in which chapter, or with what else. */
export function ActLine({ act }: { act: Act }): JSX.Element {
  const { length } = act.touched.chapters;
  const [name] = Object.values(act.names);
  return (
    <span>
      {whoOf(act)} {act.sitting !== undefined && act.sitting.count > 1 ? "wrote" : doneOf(act)}
      {length > 1
        ? `, ${counted(length, "chapter")}`
        : name && (
            <>
              {length ? " in " : ": "}
              <i class="serif" dir="auto">
                {name}
              </i>
            </>
          )}
    </span>
  );
}
