import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useKeys } from "../parts/keys.ts";
import { later } from "../parts/later.tsx";
import { go } from "../router.ts";

const isOpen = signal(false);
const List = later(() => import("./key-list.tsx"));

/** Every shortcut that works here, behind `?`; and the keys that lead to the places of a book. */
export function KeySheet({ bookId }: { bookId: string | undefined }): JSX.Element | null {
  const dialog = useRef<HTMLDialogElement>(null);
  const to = (at: string) => () => go(bookId === undefined ? "/" : `/b/${bookId}${at}`);
  useKeys(
    [
      {
        keys: "?",
        does: "This sheet",
        run: () => {
          isOpen.value = true;
        },
      },
      { keys: "g d", does: "Desk", run: to("") },
      { keys: "g r", does: "Read the whole book", run: to("/read") },
      { keys: "g m", does: "Story map", run: to("/map") },
      { keys: "g n", does: "Notes", run: to("/notes") },
      { keys: "g p", does: "Proposals", run: to("/proposals") },
      { keys: "g h", does: "History", run: to("/acts") },
      { keys: "g s", does: "Settings", run: () => go("/settings") },
    ],
    [bookId],
  );
  const isShown = isOpen.value;
  useEffect(() => {
    if (isShown) dialog.current?.showModal();
  }, [isShown]);
  if (!isShown) return null;
  return (
    <dialog
      class="key-sheet"
      aria-label="Keys"
      ref={dialog}
      onClose={() => {
        isOpen.value = false;
      }}
    >
      <List onDone={() => dialog.current?.close()} />
    </dialog>
  );
}
