import type { JSX } from "preact";
import { InPlace } from "../../parts/in-place.tsx";
import { counted, number } from "../../parts/numbers.ts";
import { StatusChoice } from "../../parts/status.tsx";
import type { Outline } from "../../parts/view.tsx";
import { AddChapter, AddPart } from "./add.tsx";
import { ChapterMenu } from "./chapter-menu.tsx";
import { draggedOf } from "./drag.ts";
import { moveBy, type OutlineChapter, saveSynopsis } from "./outline.ts";
import type { Shown } from "./outline-view.tsx";
import { PartHead } from "./part-head.tsx";

/** The chapters as cards in book order, dragged or moved by Alt and the arrows. */
export function View({ book, groups }: Shown): JSX.Element {
  return (
    <div>
      {groups.map(({ id, title, chapters }) => (
        <section class="part" key={id ?? ""}>
          {id !== null && (
            <PartHead book={book} partId={id} title={title} said={counted(chapters.length, "chapter")} />
          )}
          <ol class="cards">
            {chapters.map((chapter) => (
              <ChapterCard key={chapter.id} book={book} chapter={chapter} />
            ))}
          </ol>
          <AddChapter bookId={book.id} partId={id} />
        </section>
      ))}
      <AddPart bookId={book.id} />
    </div>
  );
}

const BY: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

function ChapterCard({ book, chapter }: { book: Outline; chapter: OutlineChapter }): JSX.Element {
  const dragged = draggedOf(book, chapter);
  return (
    <li
      class={`chapter-card ${dragged.mark}`}
      {...dragged.on}
      onKeyDown={(event) => {
        const by = BY[event.key];
        if (!event.altKey || by === undefined) return;
        event.preventDefault();
        moveBy(book, chapter, by);
      }}
    >
      <h3>
        <span>{chapter.position}</span>
        <a href={`/b/${book.id}/c/${chapter.id}`} data-chapter={chapter.id}>
          {chapter.title}
        </a>
        <ChapterMenu book={book} chapter={chapter} />
      </h3>
      <div class="syn">
        <InPlace
          value={chapter.synopsis}
          label={`Synopsis of ${chapter.title}`}
          none="No synopsis yet. Write one."
          isLong
          onSave={(text) => saveSynopsis(chapter, text)}
        />
      </div>
      <footer>
        <StatusChoice chapter={chapter} />
        <span>{number(chapter.wordCount)}</span>
      </footer>
    </li>
  );
}
