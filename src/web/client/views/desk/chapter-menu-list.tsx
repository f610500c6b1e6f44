import type { JSX } from "preact";
import { write } from "../../api/write.ts";
import { Choice, Field } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import type { Outline } from "../../parts/view.tsx";
import { moveBy, moveTo, type OutlineChapter, rename } from "./outline.ts";

interface ChapterMenuPlace {
  book: Outline;
  chapter: OutlineChapter;
  onDone: () => void;
}

/** The menu of a chapter. */
export function View({ book, chapter, onDone }: ChapterMenuPlace): JSX.Element {
  const act = (run: () => unknown) => () => {
    onDone();
    void run();
  };
  const { id, title, partId, position, revision } = chapter;
  const params = { chapterId: id };
  const isLast = !book.chapters.some((other) => other.position === position + 1);
  const join = () =>
    write(
      "joinChapters",
      { params, body: { ifRevision: revision } },
      ({ joined, snippet }) =>
        `“${joined.title}” is now part of “${title}”.${snippet === null ? "" : " What else it held is in a note."}`,
    );
  return (
    <>
      <Form
        onSave={(values) => {
          rename(chapter, values.title ?? "");
          onDone();
        }}
      >
        <Field label="Title" name="title" type="text" defaultValue={title} />
      </Form>
      <Choice
        isShown
        label="Part"
        value={partId ?? ""}
        options={[["", "none"], ...book.parts.map((part) => [part.id, part.title] as const)]}
        onChange={(chosen) => act(() => intoPart(book, chapter, chosen === "" ? null : chosen))()}
      />
      <button type="button" onClick={act(() => moveBy(book, chapter, -1))}>
        Move up <kbd>Alt ↑</kbd>
      </button>
      <button type="button" onClick={act(() => moveBy(book, chapter, 1))}>
        Move down <kbd>Alt ↓</kbd>
      </button>
      {!isLast && (
        <button type="button" onClick={act(join)}>
          Join with the next
        </button>
      )}
      <a href={`/b/${book.id}/c/${id}/history`}>History</a>
      <button type="button" onClick={act(() => write("deleteChapter", { params }, `“${title}” is deleted.`))}>
        Delete
      </button>
    </>
  );
}

/** Moves a chapter to the end of another part, or before all parts. */
function intoPart(book: Outline, chapter: OutlineChapter, partId: string | null): void {
  const last = book.chapters.filter((other) => other.partId === partId && other.id !== chapter.id).at(-1);
  const isBehind = last !== undefined && chapter.position < last.position;
  moveTo(
    chapter,
    partId,
    last === undefined ? chapter.position : isBehind ? last.position : last.position + 1,
  );
}
