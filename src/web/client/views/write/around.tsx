import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Outline } from "../../parts/view.tsx";
import { go } from "../../router.ts";
import { Bubble } from "./bubble.tsx";
import { FindBar } from "./find-bar.tsx";
import { Margin } from "./margin/margin.tsx";
import { showStart, useKeptPlace } from "./place.ts";
import { preference } from "./preferences.ts";
import { Strip } from "./strip.tsx";
import { addPlugins } from "./text/plugins.ts";
import { applyFocus, useWriteKeys } from "./use-write-keys.ts";
import { languageOf, type Writer } from "./writer.ts";

// What is not needed for the first key is loaded once the text stands: the text is there sooner.

/** The properties of the parts around a text. */
export interface AroundText {
  writer: Writer;
  book: Outline;
  chapterId: string;
  /** The address where one goes when one has done. */
  done: string;
  /** True if the cursor is put into the text by who opens it; else it goes to where it was last. */
  isEntered?: boolean;
}

/** Adds to a text what these parts rest on, and goes to where one was; before they are shown. */
export function prepare({ writer: { view }, book, chapterId, done, isEntered }: AroundText): void {
  addPlugins(view, {
    isCurly: () => preference("curly").peek() === "on",
    language: languageOf(book),
    isTypewriter: () => preference("typewriter").peek() === "on",
    onEscape: () => go(done),
  });
  applyFocus(view);
  if (!isEntered) showStart(view, chapterId);
}

/** The toolbar over the text, the margin beside it, and the shortcuts. */
export function Beside({ writer, book, chapterId, done }: AroundText): JSX.Element {
  const [isFinding, setFinding] = useState(false);
  const [newNoteAt, setNewNoteAt] = useState<string>();
  const addNote = () => void noteHere(writer).then(setNewNoteAt);
  useWriteKeys(writer, { done, book: book.id, find: () => setFinding(true), note: addNote });
  useKeptPlace(writer.view, chapterId);
  const lost = writer.lost.value;
  useEffect(() => {
    if (lost !== undefined)
      void import("./put-back.ts").then(({ putBack }) => putBack(writer.view, lost.notes, lost.doc));
  }, [lost]);
  return (
    <>
      <Bubble writer={writer} bookId={book.id} onNote={addNote} />
      <Margin
        writer={writer}
        at={{ bookId: book.id, chapterId }}
        newNoteAt={newNoteAt}
        onNoted={() => setNewNoteAt(undefined)}
      />
      {isFinding && <FindBar writer={writer} bookId={book.id} onClose={() => setFinding(false)} />}
    </>
  );
}

/** The line below. */
export function Below({ writer, book, done }: AroundText): JSX.Element {
  return <Strip writer={writer} book={book} done={done} />;
}

/** The paragraph that a new note is to stand beside; a new paragraph is saved first, so that it has an id. */
async function noteHere({ view, saver }: Writer): Promise<string | undefined> {
  const idHere = () => view.state.selection.$from.parent.attrs.blockId as string | null | undefined;
  if (idHere() === null) await saver.saveAll();
  return idHere() ?? undefined;
}
