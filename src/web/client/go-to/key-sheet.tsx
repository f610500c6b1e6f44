import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useKeys } from "../parts/keys.ts";
import { later } from "../parts/later.tsx";
import { BOOK_VIEWS, go } from "../router.ts";

const Shortcuts = later(() => import("./shortcuts.tsx"));

const isOpen = signal(false);
const setOpen = (open: boolean) => {
  isOpen.value = open;
};

/** The shortcuts that work here, behind `?`; and the keys that lead to the views of a book. */
export function KeySheet({ bookId }: { bookId: string | undefined }): JSX.Element | null {
  const views = bookId === undefined ? [] : BOOK_VIEWS;
  useKeys(
    [
      { keys: "?", does: "This sheet", run: () => setOpen(true) },
      ...views.map(({ key, name, at }) => ({
        keys: `g ${key}`,
        does: name,
        run: () => go(`/b/${bookId}${at}`),
      })),
      { keys: "g s", does: "Settings", run: () => go("/settings") },
    ],
    [bookId],
  );
  if (!isOpen.value) return null;
  return <Shortcuts onClose={() => setOpen(false)} />;
}
