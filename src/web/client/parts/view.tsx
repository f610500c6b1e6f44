import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Answer } from "../api/operations.ts";
import { useRead } from "../api/reads.ts";
import { typeAhead } from "./ahead.ts";
import { Await } from "./states.tsx";

/** A book with its parts, chapters, goal and progress. */
export type Outline = Answer<"readOutline">;

/** Sets the window's title. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** A view of a book, shown once its outline is there. */
export function BookView({
  bookId,
  title,
  kind,
  children,
}: {
  bookId: string;
  /** Of the window; undefined where the view sets it. */
  title?: string;
  kind?: string;
  children: (book: Outline) => ComponentChildren;
}): JSX.Element {
  const outline = useRead("readOutline", { params: { bookId } });
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Manuscript`;
  }, [title]);
  return (
    <main id="content" class={kind}>
      <Await read={outline}>{children}</Await>
    </main>
  );
}

/** A window over the page, open while it is shown. */
export function Dialog({
  label,
  kind,
  onClose,
  children,
}: {
  label: string;
  kind?: string;
  onClose: () => void;
  children: (close: () => void) => ComponentChildren;
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    if (document.activeElement === current) typeAhead(current!); // its field is still on its way
  }, []);
  return (
    <dialog class={kind} aria-label={label} ref={dialog} onClose={onClose}>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}
