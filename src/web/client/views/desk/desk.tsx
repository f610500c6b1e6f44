import type { JSX } from "preact";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { counted, day, number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { Status } from "../../parts/status.tsx";
import type { Place } from "../../views.tsx";

/** A book with its parts, chapters, goal and progress. */
export type Outline = Answer<"readOutline">;
/** A chapter of it. */
export type OutlineChapter = Outline["chapters"][number];

/** The desk: the whole book at a glance. */
export function View({ bookId }: Place): JSX.Element {
  const outline = useRead("readOutline", { params: { bookId } });
  return (
    <main id="content">
      <Await read={outline}>{(book) => <Desk book={book} />}</Await>
    </main>
  );
}

function Desk({ book }: { book: Outline }): JSX.Element {
  document.title = `${book.title} · Manuscript`;
  const longest = Math.max(1, ...book.chapters.map(({ wordCount }) => wordCount));
  const loose = book.chapters.filter(({ partId }) => partId === null);
  return (
    <>
      <header class="head">
        <div>
          <h1>{book.title}</h1>
          <Aim book={book} />
        </div>
      </header>
      <div class="desk">
        <div>
          {loose.length > 0 && <Chapters bookId={book.id} chapters={loose} longest={longest} />}
          {book.parts.map(({ id, title, wordCount }) => (
            <section class="part" key={id}>
              <header>
                <h2>{title}</h2>
                <span>{counted(wordCount, "word")}</span>
              </header>
              <Chapters
                bookId={book.id}
                chapters={book.chapters.filter(({ partId }) => partId === id)}
                longest={longest}
              />
            </section>
          ))}
        </div>
      </div>
    </>
  );
}

/** How far the book is, and what its goal asks for. */
function Aim({ book: { wordCount, chapters, goal } }: { book: Outline }): JSX.Element {
  return (
    <p>
      <b>{number(wordCount)}</b> {goal === null ? "words" : `of ${number(goal.targetWords)} words`} ·{" "}
      {counted(chapters.length, "chapter")}
      {goal?.deadline && ` · due ${day(goal.deadline)}`}
      {goal?.wordsPerDay ? (
        <>
          , which asks for <b>{number(goal.wordsPerDay)}</b> a day from here
        </>
      ) : null}
    </p>
  );
}

function Chapters({
  bookId,
  chapters,
  longest,
}: {
  bookId: string;
  chapters: readonly OutlineChapter[];
  longest: number;
}): JSX.Element {
  return (
    <ol>
      {chapters.map(({ id, position, title, synopsis, status, wordCount }) => (
        <li class="row" key={id}>
          <span class="n">{position}</span>
          <div>
            <h3>
              <a href={`/b/${bookId}/c/${id}`}>{title}</a>
            </h3>
            {synopsis === "" ? <p class="syn none">No synopsis yet.</p> : <p class="syn">{synopsis}</p>}
          </div>
          <Status status={status} />
          <div class="len">
            <span>{number(wordCount)}</span>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect width="100" height="4" rx="2" />
              <rect width={(100 * wordCount) / longest} height="4" rx="2" />
            </svg>
          </div>
        </li>
      ))}
    </ol>
  );
}
