import type { JSX } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { useKeys } from "../../parts/keys.ts";
import { counted } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import type { Outline } from "../../parts/view.tsx";
import { go, type Place, query } from "../../router.ts";
import { Contents } from "./contents.tsx";
import { FactCard, type OpenFact } from "./fact-card.tsx";
import { bodyOf } from "./nodes.ts";
import { Note } from "./note.tsx";
import { NoteForm } from "./note-form.tsx";
import { OldRevision } from "./old-revision.tsx";
import { ParagraphMenu } from "./paragraph-menu.tsx";
import { Prose } from "./prose.tsx";
import type { Snippet } from "./snippet.ts";
import { Tray } from "./tray.tsx";
import { useCursor } from "./use-cursor.ts";
import { useStackedNotes } from "./use-stacked-notes.ts";

type Chapter = Extract<Answer<"readChapter">, { doc: unknown }>;

/** Words that are read in a minute. Source: Brysbaert 2019, fiction in English. */
const WORDS_A_MINUTE = 260;

/** A chapter set as a page of a book, with its marginalia beside it. */
export function View(place: Place): JSX.Element {
  const outline = useRead("readOutline", { params: { bookId: place.bookId } });
  const revision = Number(query.value.get("r") ?? 0);
  if (revision > 0)
    return (
      <Await read={outline}>
        {(book) => <OldRevision book={book} chapterId={place.chapterId} revision={revision} />}
      </Await>
    );
  return <Newest {...place} />;
}

function Newest({ bookId, chapterId }: Place): JSX.Element {
  const outline = useRead("readOutline", { params: { bookId } });
  const chapter = useRead("readChapter", { params: { chapterId }, query: { format: "doc" } });
  const params = { bookId };
  const notes = useRead("listSnippets", { params, query: { chapterId } });
  const proposals = useRead("listProposals", { params, query: { chapterId, status: "open" } });
  return (
    <Await read={outline}>
      {(book) => (
        <Await read={chapter}>
          {(read) => (
            <Page
              book={book}
              chapter={read as Chapter}
              snippets={notes.answer?.snippets ?? []}
              proposals={proposals.answer?.proposals ?? []}
            />
          )}
        </Await>
      )}
    </Await>
  );
}

interface PageProps {
  book: Outline;
  chapter: Chapter;
  snippets: readonly Snippet[];
  /** The open ones of the chapter. */
  proposals: Answer<"listProposals">["proposals"];
}

function Page({ book, chapter, snippets, proposals }: PageProps): JSX.Element {
  const article = useRef<HTMLElement>(null);
  const [openFact, setOpenFact] = useState<OpenFact>();
  const [newNoteAt, setNewNoteAt] = useState<string>();
  const [pointed, setPointed] = useState<Snippet>();
  const cursor = useCursor(article);
  const body = useMemo(() => bodyOf(chapter), [chapter]);
  const index = book.chapters.findIndex(({ id }) => id === chapter.id);
  const [before, after] = [book.chapters[index - 1], book.chapters[index + 1]];
  const closeCard = useCallback(() => setOpenFact(undefined), []);
  useChapterKeys({ book, chapter, before, after, note: () => setNewNoteAt(cursor.current() ?? undefined) });
  useStackedNotes(article, [chapter, snippets, proposals, newNoteAt]);
  useEffect(() => {
    document.title = `${chapter.title} · ${book.title}`;
    if (location.hash)
      document
        .getElementById(decodeURIComponent(location.hash.slice(1)))
        ?.scrollIntoView({ block: "center" });
  }, [chapter.id, chapter.title, book.title]);
  const notesOf = (blockId: string) => {
    const own = snippets.filter((snippet) => snippet.blockId === blockId);
    const proposed = proposals.filter(({ blockIds }) => blockIds.includes(blockId));
    if (own.length + proposed.length === 0 && newNoteAt !== blockId) return undefined;
    return (
      <>
        {proposed.map(({ id, author }) => (
          <aside key={id} class="note">
            <a class="link" href={`/b/${book.id}/proposals#${id}`}>
              {author === "you" ? "You propose" : `${author} proposes`} a change
            </a>
          </aside>
        ))}
        {own.map((snippet) => (
          <Note key={snippet.id} snippet={snippet} />
        ))}
        {newNoteAt === blockId && (
          <NoteForm
            at={{ bookId: book.id, chapterId: chapter.id, blockId }}
            onDone={() => setNewNoteAt(undefined)}
          />
        )}
      </>
    );
  };
  const onMention = (event: MouseEvent, factId: string) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !(event.currentTarget instanceof HTMLElement))
      return;
    event.preventDefault();
    setOpenFact({ factId, mention: event.currentTarget });
  };
  return (
    <main id="content" class={pointed === undefined ? "reading" : "reading pointing"}>
      <Contents book={book} chapterId={chapter.id} />
      <article class="prose" ref={article} lang="">
        <ChapterHead book={book} chapter={chapter} />
        <Prose
          key={chapter.id}
          blocks={body}
          beside={{
            bookId: book.id,
            chapterId: chapter.id,
            notesOf,
            onMention,
            openFactId: openFact?.factId,
          }}
        />
        <ParagraphMenu article={article} acts={{ chapter, onNote: setNewNoteAt, current: cursor.current }} />
        {openFact && <FactCard book={book} open={openFact} onClose={closeCard} />}
      </article>
      <Tray
        snippets={snippets}
        article={article}
        pointed={pointed}
        onPoint={setPointed}
        at={{ bookId: book.id, chapterId: chapter.id, blockId: null }}
      />
      <footer class="foot">
        <span>
          {counted(chapter.wordCount, "word")} ·{" "}
          {counted(Math.ceil(chapter.wordCount / WORDS_A_MINUTE), "minute")} ·{" "}
          <a class="link" href={`/b/${book.id}/c/${chapter.id}/history`}>
            revision {chapter.revision}
          </a>
        </span>
        {after && (
          <a href={`/b/${book.id}/c/${after.id}`}>
            Next<b>{after.title}</b>
          </a>
        )}
      </footer>
    </main>
  );
}

function ChapterHead({ book, chapter }: { book: Outline; chapter: Chapter }): JSX.Element {
  const part = book.parts.find(({ id }) => id === chapter.partId);
  return (
    <header>
      <p class="where">
        {part ? `${part.title} · ` : ""}Chapter {chapter.position}
        <a class="btn plain edit" href={`/b/${book.id}/c/${chapter.id}/edit`}>
          Write
        </a>
      </p>
      {chapter.synopsis !== "" && <p class="synopsis">{chapter.synopsis}</p>}
      <h1>{chapter.title}</h1>
    </header>
  );
}

interface KeyPlace {
  book: Outline;
  chapter: Chapter;
  before: { id: string } | undefined;
  after: { id: string } | undefined;
  note: () => void;
}

function useChapterKeys({ book, chapter, before, after, note }: KeyPlace): void {
  const at = (id: string | undefined) => id !== undefined && go(`/b/${book.id}/c/${id}`);
  useKeys(
    [
      { keys: "e", does: "Write in this chapter", run: () => go(`/b/${book.id}/c/${chapter.id}/edit`) },
      { keys: "[", does: "The chapter before", run: () => void at(before?.id) },
      { keys: "]", does: "The chapter after", run: () => void at(after?.id) },
      { keys: "n", does: "A note beside this paragraph", run: note },
    ],
    [book.id, chapter.id, before?.id, after?.id],
  );
}
