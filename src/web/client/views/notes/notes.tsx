import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { counted, number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import type { Place } from "../../views.tsx";
import type { Outline } from "../desk/outline.ts";
import { Note } from "../read/note.tsx";
import { KIND_NAMES, type Snippet } from "../read/snippet.ts";
import { groupsOfNotes, isOpenTodo, type NoteGroup } from "./groups.ts";

/** All marginalia of a book: first what lost its paragraph, then by chapter. */
export function View({ bookId }: Place): JSX.Element {
  const outline = useRead("readOutline", { params: { bookId } });
  const notes = useRead("listSnippets", { params: { bookId } });
  useEffect(() => {
    document.title = "Notes · Manuscript";
  }, []);
  return (
    <main id="content" class="notes">
      <Await read={outline}>
        {(book) => <Await read={notes}>{({ snippets }) => <Notes book={book} snippets={snippets} />}</Await>}
      </Await>
    </main>
  );
}

const OPEN = "open";
type Filter = "all" | typeof OPEN | Snippet["kind"];

function Notes({ book, snippets }: { book: Outline; snippets: readonly Snippet[] }): JSX.Element {
  const [filter, setFilter] = useState<Filter>("all");
  const isShown = (snippet: Snippet) =>
    filter === "all" || (filter === OPEN ? isOpenTodo(snippet) : snippet.kind === filter);
  const kinds = Object.entries(KIND_NAMES) as [Snippet["kind"], string][];
  const filters: [Filter, string, number | undefined][] = [
    ["all", "All", undefined],
    ...kinds.map(([kind, name]): [Filter, string, number] => [
      kind,
      name,
      snippets.filter((snippet) => snippet.kind === kind).length,
    ]),
    [OPEN, "Open to-dos", snippets.filter(isOpenTodo).length],
  ];
  const groups = groupsOfNotes(book, snippets.filter(isShown));
  const lost = snippets.filter(({ detached }) => detached !== null).length;
  return (
    <>
      <header class="head">
        <div>
          <h1>Notes</h1>
          <p>
            <b>{number(snippets.length)}</b> {snippets.length === 1 ? "note" : "notes"} beside the prose
            {lost > 0 && ` · ${counted(lost, "note")} without a place`}
          </p>
        </div>
      </header>
      <fieldset class="filters">
        <legend class="hidden">Which notes are shown</legend>
        {filters.map(([key, name, count]) => (
          <button key={key} type="button" aria-pressed={filter === key} onClick={() => setFilter(key)}>
            {name} {count !== undefined && number(count)}
          </button>
        ))}
      </fieldset>
      {groups.length === 0 && <Nothing isEmpty={snippets.length === 0} />}
      {groups.map((group) => (
        <Group key={group.key} bookId={book.id} group={group} />
      ))}
    </>
  );
}

function Nothing({ isEmpty }: { isEmpty: boolean }): JSX.Element {
  return (
    <p class="empty">
      {isEmpty
        ? "No notes yet. In a chapter, press n beside a paragraph, and write what you do not want to forget."
        : "No note is of this kind."}
    </p>
  );
}

function Group({ bookId, group }: { bookId: string; group: NoteGroup }): JSX.Element {
  return (
    <section class="note-group">
      <h2>{group.to === undefined ? group.title : <a href={`/b/${bookId}${group.to}`}>{group.title}</a>}</h2>
      <div>
        {group.snippets.map((snippet) => (
          <div key={snippet.id} class="placed">
            <Note snippet={snippet} />
            <Where bookId={bookId} snippet={snippet} />
          </div>
        ))}
      </div>
    </section>
  );
}

/** The way to where a note stands, or where it once stood. */
function Where({ bookId, snippet }: { bookId: string; snippet: Snippet }): JSX.Element | null {
  const { chapterId, blockId, detached } = snippet;
  if (detached !== null)
    return (
      <p class="where">
        {detached.quote !== "" && (
          <>
            It stood beside <q>{detached.quote}</q>{" "}
          </>
        )}
        {chapterId !== null && (
          <a class="link" href={`/b/${bookId}/c/${chapterId}`}>
            Give it a paragraph
          </a>
        )}
      </p>
    );
  if (chapterId === null) return null;
  return (
    <p class="where">
      <a class="link" href={`/b/${bookId}/c/${chapterId}${blockId === null ? "" : `#${blockId}`}`}>
        {blockId === null ? "To the chapter" : "To its paragraph"}
      </a>
    </p>
  );
}
