import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Answer } from "../api/operations.ts";
import { useRead } from "../api/reads.ts";
import { Button } from "./button.tsx";
import { number } from "./numbers.ts";
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

/** The head of a view: its title, a sentence below it, and what can be done. */
export function ViewHead({
  title,
  about,
  children,
}: {
  title: ComponentChildren;
  about?: ComponentChildren;
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <header class="head">
      <div>
        <h1>{title}</h1>
        {about && <p>{about}</p>}
      </div>
      {children}
    </header>
  );
}

/** A number in bold, with its noun behind it. */
export function Count({
  of,
  one,
  many = `${one}s`,
}: {
  of: number;
  one: string;
  many?: string;
}): JSX.Element {
  return (
    <>
      <b>{number(of)}</b> {of === 1 ? one : many}
    </>
  );
}

/** The button behind a list of which only a part is shown; null once all of it is. */
export function More({
  shown,
  all,
  noun = "",
  onMore,
}: {
  shown: number;
  all: number;
  noun?: string;
  onMore: () => void;
}): JSX.Element | null {
  if (shown >= all) return null;
  return (
    <Button kind="plain" onClick={onMore}>
      Show all {number(all)}
      {noun && ` ${noun}`}
    </Button>
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
  kind: string;
  onClose: () => void;
  children: (close: () => void) => ComponentChildren;
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class={kind} aria-label={label} ref={dialog} onClose={onClose}>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}

/** A text in which these stretches are marked; of two that overlap, the first. */
export function Highlighted({
  text,
  highlights,
}: {
  text: string;
  highlights: readonly (readonly [from: number, to: number])[];
}): JSX.Element {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const [from, to] of highlights.toSorted(([one], [other]) => one - other)) {
    if (from < end) continue;
    parts.push(text.slice(end, from), <mark>{text.slice(from, to)}</mark>);
    end = to;
  }
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
}
