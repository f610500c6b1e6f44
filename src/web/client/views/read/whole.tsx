import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { Button } from "../../parts/button.tsx";
import { later } from "../../parts/later.tsx";
import { counted } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { type Outline, useTitle } from "../../parts/view.tsx";
import { type Place, path } from "../../router.ts";
import { groupsOf, type OutlineChapter } from "../desk/outline.ts";
import { Contents } from "./contents.tsx";
import { bodyOf } from "./nodes.ts";
import { Prose } from "./prose.tsx";
import { useAwake } from "./use-awake.ts";

const InBook = later(() => import("../write/in-book.tsx"));

/** How far below what is seen a chapter is loaded. */
const AHEAD = "2500px";

/** A whole book, or one part of it, as one text that can be printed. */
export function View({ bookId, partId }: Place): JSX.Element {
  const outline = useRead("readOutline", { params: { bookId } });
  return <Await read={outline}>{(book) => <Whole book={book} partId={partId} />}</Await>;
}

function Whole({ book, partId }: { book: Outline; partId: string }): JSX.Element {
  const [isPrinted, setPrinted] = useState(false);
  const [loaded, setLoaded] = useState(0);
  const article = useRef<HTMLElement>(null);
  const awake = useAwake(article);
  const part = book.parts.find(({ id }) => id === partId);
  const groups = groupsOf(book).filter(({ id }) => partId === "" || id === partId);
  const chapters = groups.flatMap((group) => group.chapters);
  const title = part?.title ?? book.title;
  useTitle(`${title} · Manuscript`);
  useEffect(() => {
    if (!isPrinted || loaded < chapters.length) return;
    setPrinted(false);
    print();
  }, [isPrinted, loaded, chapters.length]);
  const textOf = (chapter: OutlineChapter) => {
    const heading = (
      <h2>
        <a href={`/b/${book.id}/c/${chapter.id}`}>{chapter.title}</a>
      </h2>
    );
    const text = (
      <ChapterText
        bookId={book.id}
        chapter={chapter}
        isFirst={chapter === chapters[0]}
        isPrinted={isPrinted}
        onLoad={() => setLoaded((count) => count + 1)}
      />
    );
    if (!awake.isWriting || !awake.entries.has(chapter.id))
      return (
        <>
          {heading}
          {text}
        </>
      );
    const leave = (by: 1 | -1) => {
      const next = chapters[chapters.indexOf(chapter) + by];
      if (next !== undefined) awake.enter(next.id, by > 0 ? "start" : "end");
    };
    return (
      <InBook
        book={book}
        chapter={chapter}
        done={path.value}
        entry={awake.entries.get(chapter.id)}
        isHere={awake.hereId === chapter.id}
        title={heading}
        asleep={text}
        onFocus={() => awake.enter(chapter.id)}
        onLeave={leave}
      />
    );
  };
  return (
    <main id="content" class="reading">
      <Contents book={book} chapterId={awake.hereId} />
      <article class="prose whole" ref={article} onClickCapture={awake.onClick}>
        <header>
          <p class="where">
            {part ? book.title : counted(chapters.length, "chapter")}
            <Button kind="plain edit" onClick={awake.turn}>
              {awake.isWriting ? "Done" : "Write"}
            </Button>
            <Button kind="plain edit" disabled={isPrinted} onClick={() => setPrinted(true)}>
              {isPrinted ? "One moment …" : "Print"}
            </Button>
          </p>
          <h1>{title}</h1>
        </header>
        {groups.map((group) =>
          group.chapters.map((chapter, index) => (
            <section key={chapter.id} data-chapter={chapter.id}>
              {part === undefined && group.id !== null && index === 0 && (
                <p class="part-title">
                  <a href={`/b/${book.id}/read/${group.id}`}>{group.title}</a>
                </p>
              )}
              {textOf(chapter)}
            </section>
          )),
        )}
      </article>
    </main>
  );
}

interface TextProps {
  bookId: string;
  chapter: OutlineChapter;
  isFirst: boolean;
  isPrinted: boolean;
  onLoad: () => void;
}

/** A chapter's prose, loaded when it comes near. Until then it takes about the room that it will need. */
function ChapterText(given: TextProps): JSX.Element {
  const [isNear, setNear] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = place;
    if (current === null) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      rootMargin: AHEAD,
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  if (isNear || given.isFirst || given.isPrinted) return <LoadedText {...given} />;
  // A line of some twelve words is 1.9 rem high.
  return <div ref={place} class="coming" style={{ height: `${(given.chapter.wordCount / 12) * 1.9}rem` }} />;
}

function LoadedText({ bookId, chapter: { id }, isPrinted, onLoad }: TextProps): JSX.Element {
  const read = useRead("readChapter", { params: { chapterId: id }, query: { format: "doc" } });
  const isThere = read.answer !== undefined;
  useEffect(() => {
    if (isThere) onLoad();
  }, [isThere]);
  return (
    <Await read={read}>
      {(chapter) => (
        <Prose blocks={bodyOf(chapter)} beside={{ bookId, chapterId: id }} isAtOnce={isPrinted} />
      )}
    </Await>
  );
}
