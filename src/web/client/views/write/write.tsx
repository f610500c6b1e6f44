import type { JSX, RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { asProblem, type Problem } from "../../api/problem.ts";
import { useRead } from "../../api/reads.ts";
import { session } from "../../api/session.ts";
import { Await, Loading, ProblemNote } from "../../parts/states.tsx";
import { tell } from "../../parts/toasts.tsx";
import type { Place } from "../../views.tsx";
import type { Outline } from "../desk/outline.ts";
import { Contents } from "../read/contents.tsx";
import { Bubble } from "./bubble.tsx";
import { FindBar } from "./find-bar.tsx";
import { Head } from "./head.tsx";
import { Margin } from "./margin/margin.tsx";
import { putBack } from "./put-back.ts";
import { Strip } from "./strip.tsx";
import { useWriteKeys } from "./use-write-keys.ts";
import { wish } from "./wishes.ts";
import { openWriter, type Writer } from "./writer.ts";

/** A chapter that is written in. */
export function View({ bookId, chapterId }: Place): JSX.Element {
  const outline = useRead("readOutline", { params: { bookId } });
  return (
    <Await read={outline}>{(book) => <Writing key={chapterId} book={book} chapterId={chapterId} />}</Await>
  );
}

function Writing({ book, chapterId }: { book: Outline; chapterId: string }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [isFinding, setFinding] = useState(false);
  const [newNoteAt, setNewNoteAt] = useState<string>();
  const { writer, problem } = useWriter(place, chapterId);
  const chapter = book.chapters.find(({ id }) => id === chapterId);
  const done = `/b/${book.id}/c/${chapterId}`;
  useEffect(() => {
    document.title = `${chapter?.title ?? "Gone"} · writing`;
  }, [chapter?.title]);
  useEffect(() => {
    if (writer !== undefined && chapter !== undefined) void writer.saver.catchUp(chapter.revision);
  }, [writer, chapter?.revision]);
  const addNote = () => {
    if (writer !== undefined) void noteHere(writer).then(setNewNoteAt);
  };
  useWriteKeys(writer, { done, book: book.id, find: () => setFinding(true), note: addNote });
  return (
    <main id="content" class="reading write" data-focus={wish("focus").value}>
      <Contents book={book} chapterId={chapterId} />
      <article class="prose">
        {chapter !== undefined && (
          <Head book={book} chapter={chapter} isTitled={isTitled(writer, chapter.title)} />
        )}
        {problem !== undefined && <ProblemNote problem={problem} />}
        {writer === undefined && problem === undefined && <Loading />}
        <div ref={place} />
        {writer !== undefined && <Bubble writer={writer} bookId={book.id} onNote={addNote} />}
        {writer !== undefined && (
          <Margin
            writer={writer}
            at={{ bookId: book.id, chapterId }}
            newNoteAt={newNoteAt}
            onNoted={() => setNewNoteAt(undefined)}
          />
        )}
      </article>
      {writer !== undefined && isFinding && (
        <FindBar writer={writer} bookId={book.id} onClose={() => setFinding(false)} />
      )}
      {writer !== undefined && <Strip writer={writer} book={book} done={done} />}
    </main>
  );
}

/** Whether the text begins with the title: then that is changed there. Until the text is here it is taken for it. */
function isTitled(writer: Writer | undefined, title: string): boolean {
  void writer?.shape.value; // a heading that comes or goes
  const first = writer?.view.state.doc.firstChild;
  return writer === undefined || (first?.type.name === "heading" && first.textContent.trim() === title);
}

/** The open chapter; while it is on its way neither it nor a problem. */
function useWriter(
  place: RefObject<HTMLDivElement | null>,
  chapterId: string,
): { writer: Writer | undefined; problem: Problem | undefined } {
  const [writer, setWriter] = useState<Writer>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    let isGone = false;
    let opened: Writer | undefined;
    const onDetached: Parameters<typeof openWriter>[2]["onDetached"] = (notes, lost) => {
      if (opened !== undefined) putBack(opened.view, notes, lost);
    };
    openWriter(place.current!, chapterId, { label: "Text of the chapter", onDetached }).then(
      (made) => {
        opened = made;
        if (isGone) return made.close();
        if (made.isRestored) tell("What you had typed here and not saved is in the text again.");
        setWriter(made);
      },
      (thrown) => setProblem(asProblem(thrown)),
    );
    const keep = guard(() => opened);
    return () => {
      isGone = true;
      keep();
      if (opened?.saver.isUnsaved && session.peek() === null)
        tell("You are signed out. What you typed is kept in this browser and saved once you are in again.", {
          isProblem: true,
        });
      opened?.close();
    };
  }, [chapterId]);
  return { writer, problem };
}

/** While something is unsaved: kept and sent when the tab is hidden, and asked about when it is closed. */
function guard(current: () => Writer | undefined): () => void {
  const onHide = () => {
    const saver = current()?.saver;
    if (!saver?.isUnsaved) return;
    void saver.keepDraft();
    if (document.hidden) void saver.save();
  };
  const onClose = (event: BeforeUnloadEvent) => {
    if (current()?.saver.isUnsaved) event.preventDefault();
  };
  document.addEventListener("visibilitychange", onHide);
  addEventListener("pagehide", onHide);
  addEventListener("beforeunload", onClose);
  return () => {
    document.removeEventListener("visibilitychange", onHide);
    removeEventListener("pagehide", onHide);
    removeEventListener("beforeunload", onClose);
  };
}

/** The paragraph that a new note is to stand beside; a new paragraph is saved first, so that it has an id. */
async function noteHere({ view, saver }: Writer): Promise<string | undefined> {
  const idHere = () => view.state.selection.$from.parent.attrs.blockId as string | null | undefined;
  if (idHere() === null) await saver.saveAll();
  return idHere() ?? undefined;
}
