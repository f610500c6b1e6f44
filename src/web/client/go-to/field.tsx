import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useKeys } from "../parts/keys.ts";
import { later } from "../parts/later.tsx";
import { isGoToOpen } from "./open.ts";

const Finder = later(() => import("./finder.tsx"));

/** The field that goes anywhere: chapters, facts, commands, and what full-text search finds. */
export function GoToField({ bookId }: { bookId: string | undefined }): JSX.Element | null {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = () => {
    isGoToOpen.value = true;
  };
  useKeys(
    [
      { keys: "/", does: "Go to a chapter, a fact, a command, or search", run: open },
      { keys: "Ctrl+k", does: "The same, from everywhere", run: open, isEverywhere: true },
    ],
    [],
  );
  const isOpen = isGoToOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  if (!isOpen) return null;
  return (
    <dialog
      class="go-to"
      aria-label="Go to"
      ref={dialog}
      onClose={() => {
        isGoToOpen.value = false;
      }}
    >
      <Finder bookId={bookId} onDone={() => dialog.current?.close()} />
    </dialog>
  );
}
