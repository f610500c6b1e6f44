import type { JSX } from "preact";
import { write } from "../../api/write.ts";
import { InPlace } from "../../parts/in-place.tsx";
import type { Outline } from "../../parts/view.tsx";
import type { OutlineChapter } from "../desk/outline.ts";

interface HeadProps {
  book: Outline;
  chapter: OutlineChapter;
  isTitled: boolean;
}

/** The head of a chapter: its place in the book, its synopsis and, unless the text begins with it, its title. */
export function Head({ book, chapter, isTitled }: HeadProps): JSX.Element {
  const part = book.parts.find(({ id }) => id === chapter.partId);
  const params = { chapterId: chapter.id };
  return (
    <header>
      <p class="where">
        {part ? `${part.title} · ` : ""}Chapter {chapter.position}
      </p>
      <div class="synopsis" dir="auto">
        <InPlace
          label="Synopsis"
          value={chapter.synopsis}
          none="No synopsis yet."
          isLong
          onSave={(synopsis) =>
            void write("saveSynopsis", { params, body: { synopsis } }, "The synopsis is saved.")
          }
        />
      </div>
      {!isTitled && (
        <h1 dir="auto">
          <InPlace
            label="Title"
            value={chapter.title}
            onSave={(title) =>
              void write("updateChapter", { params, body: { title } }, "The title is changed.")
            }
          />
        </h1>
      )}
    </header>
  );
}
