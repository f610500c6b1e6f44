import type { JSX } from "preact";
import { write } from "../../api/write.ts";
import { rename } from "./chapter-acts.ts";
import { moveBy, moveTo } from "./move.ts";
import type { Outline, OutlineChapter } from "./outline.ts";

/** What can be done with a whole chapter. */
export function View({ book, chapter, onDone }: ChapterMenuPlace): JSX.Element {
  const act = (run: () => void) => () => {
    onDone();
    run();
  };
  return (
    <>
      <RenameField chapter={chapter} onDone={onDone} />
      <PartChoice book={book} chapter={chapter} onDone={onDone} />
      <button type="button" onClick={act(() => moveBy(book, chapter, -1))}>
        Move up <kbd>Alt ↑</kbd>
      </button>
      <button type="button" onClick={act(() => moveBy(book, chapter, 1))}>
        Move down <kbd>Alt ↓</kbd>
      </button>
      <JoinButton book={book} chapter={chapter} onDone={onDone} />
      <a href={`/b/${book.id}/c/${chapter.id}/history`}>History</a>
      <button
        type="button"
        onClick={act(
          () =>
            void write(
              "deleteChapter",
              { params: { chapterId: chapter.id } },
              `“${chapter.title}” is deleted.`,
            ),
        )}
      >
        Delete
      </button>
    </>
  );
}

interface Choice {
  chapter: OutlineChapter;
  onDone: () => void;
}

interface ChapterMenuPlace extends Choice {
  book: Outline;
}

function RenameField({ chapter, onDone }: Choice): JSX.Element {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        rename(chapter, String(new FormData(event.currentTarget).get("title")).trim());
        onDone();
      }}
    >
      <label>
        Title <input class="field" name="title" type="text" defaultValue={chapter.title} />
      </label>
    </form>
  );
}

/** Its prose and the next chapter's become one chapter. */
function JoinButton({ book, chapter, onDone }: ChapterMenuPlace): JSX.Element | null {
  const next = book.chapters.find(({ position }) => position === chapter.position + 1);
  if (next === undefined) return null;
  const join = () => {
    onDone();
    void write(
      "joinChapters",
      { params: { chapterId: chapter.id }, body: { ifRevision: chapter.revision } },
      ({ joined }) => `“${joined.title}” is a part of “${chapter.title}” now.`,
    );
  };
  return (
    <button type="button" onClick={join}>
      Join with the next
    </button>
  );
}

function PartChoice({ book, chapter, onDone }: ChapterMenuPlace): JSX.Element {
  return (
    <label>
      Part{" "}
      <select
        class="field"
        value={chapter.partId ?? ""}
        onChange={({ currentTarget }) => {
          onDone();
          intoPart(book, chapter, currentTarget.value === "" ? null : currentTarget.value);
        }}
      >
        <option value="">none</option>
        {book.parts.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** To the end of another part, or before all parts. */
function intoPart(book: Outline, chapter: OutlineChapter, partId: string | null): void {
  const last = book.chapters.filter((other) => other.partId === partId && other.id !== chapter.id).at(-1);
  const isBehind = last !== undefined && chapter.position < last.position;
  moveTo(
    chapter,
    partId,
    last === undefined ? chapter.position : isBehind ? last.position : last.position + 1,
  );
}
