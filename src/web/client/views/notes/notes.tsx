import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRead } from "../../api/reads.ts";
import { Switch } from "../../parts/choices/switch.tsx";
import { counted, number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { BookView, type Outline } from "../../parts/view.tsx";
import { Count, ViewHead } from "../../parts/view-head.tsx";
import type { Place } from "../../router.ts";
import { Note } from "../read/note.tsx";
import { KIND_NAMES, type Snippet } from "../read/snippet.ts";
import "../../style/notes.css";
import { groupsOfNotes, isOpenTodo, type NoteGroup } from "./groups.ts";

/** All marginalia of a book: first what lost its paragraph, then by chapter. */
export function View({ bookId }: Place): JSX.Element {
  const notes = useRead("listSnippets", { params: { bookId } });
  return (
    <BookView bookId={bookId} title="Notes" kind="notes">
      {(book) => <Await read={notes}>{({ snippets }) => <Notes book={book} snippets={snippets} />}</Await>}
    </BookView>
  );
}

const OPEN = "open";
type Filter = "all" | typeof OPEN | Snippet["kind"];

function Notes({ book, snippets }: { book: Outline; snippets: readonly Snippet[] }): JSX.Element {
  const chosen = useSignal<Filter>("all");
  const filter = chosen.value;
  const isShown = (snippet: Snippet) =>
    filter === "all" || (filter === OPEN ? isOpenTodo(snippet) : snippet.kind === filter);
  const kinds = Object.entries(KIND_NAMES) as [Snippet["kind"], string][];
  const filters: [Filter, string][] = [
    ["all", "All"],
    ...kinds.map(([kind, name]): [Filter, string] => [
      kind,
      `${name} ${number(snippets.filter((snippet) => snippet.kind === kind).length)}`,
    ]),
    [OPEN, `Open to-dos ${number(snippets.filter(isOpenTodo).length)}`],
  ];
  const groups = groupsOfNotes(book, snippets.filter(isShown));
  const lost = snippets.filter(({ detached }) => detached !== null).length;
  return (
    <>
      <ViewHead
        title="Notes"
        about={
          <>
            <Count of={snippets.length} one="note" /> beside the prose
            {lost > 0 && ` · ${counted(lost, "note")} without a place`}
          </>
        }
      />
      <Switch label="Which notes are shown" options={filters} chosen={chosen} />
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
        ? "No notes yet. In a chapter, press n beside a paragraph to write one."
        : "No notes of this kind."}
    </p>
  );
}

function Group({ bookId, group }: { bookId: string; group: NoteGroup }): JSX.Element {
  return (
    <section class="columns">
      <h2>{group.to === undefined ? group.title : <a href={`/b/${bookId}${group.to}`}>{group.title}</a>}</h2>
      <div>
        {group.snippets.map((snippet) => (
          <div key={snippet.id}>
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
