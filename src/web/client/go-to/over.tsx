import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useKeys } from "../parts/keys.ts";
import { later } from "../parts/later.tsx";
import { Dialog } from "../parts/view.tsx";
import { address, BOOK_VIEWS, go } from "../router.ts";

const Finder = later(() => import("./finder.tsx"));
const Shortcuts = later(() => import("./shortcuts.tsx"));

const shown = signal<"" | "finder" | "keys">("");

/** Opens the field that goes anywhere. */
export function openGoTo(): void {
  shown.value = "finder";
}

function openKeys(): void {
  shown.value = "keys";
}

function close(): void {
  shown.value = "";
}

/** Shows what is here beside something else; in one of two panes, shows it alone again. */
function turnPanes(bookId: string): void {
  if (!frameElement?.dispatchEvent(new Event("close")))
    go(`/b/${bookId}/panes?left=${encodeURIComponent(address.peek())}`);
}

/**
 * Over every view: the field that goes to chapters, facts and commands and to what full-text search finds, and the sheet of
 * the shortcuts that work here; with them the keys that lead to the views of a book.
 */
export function OverView({ bookId }: { bookId: string | undefined }): JSX.Element | null {
  const views = bookId === undefined ? [] : BOOK_VIEWS;
  useKeys(
    [
      { keys: "?", does: "This sheet", run: openKeys },
      ...views.map(({ key, name, at }) => ({
        keys: `g ${key}`,
        does: name,
        run: () => go(`/b/${bookId}${at}`),
      })),
      ...(bookId === undefined ? [] : [{ keys: "\\", does: "Two panes", run: () => turnPanes(bookId) }]),
      { keys: "g s", does: "Settings", run: () => go("/settings") },
      { keys: "/", does: "Go to a chapter, a fact or a command, or search", run: openGoTo },
      { keys: "Ctrl+k", does: "Go to, from within a text too", run: openGoTo, isEverywhere: true },
    ],
    [bookId],
  );
  if (shown.value === "keys") return <Shortcuts onClose={close} />;
  if (shown.value === "") return null;
  return (
    <Dialog label="Go to" kind="go-to" onClose={close}>
      {(done) => <Finder bookId={bookId} onDone={done} />}
    </Dialog>
  );
}
