import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useKeys } from "../parts/keys.ts";
import { later } from "../parts/later.tsx";
import { Dialog } from "../parts/view.tsx";

const Finder = later(() => import("./finder.tsx"));
const isOpen = signal(false);

/** Opens the field that goes anywhere. */
export function openGoTo(): void {
  isOpen.value = true;
}

/** The field that goes anywhere: to chapters, facts and commands, and to what full-text search finds. */
export function GoToField({ bookId }: { bookId: string | undefined }): JSX.Element | null {
  useKeys(
    [
      { keys: "/", does: "Go to a chapter, a fact or a command, or search", run: openGoTo },
      { keys: "Ctrl+k", does: "Go to, from within a text too", run: openGoTo, isEverywhere: true },
    ],
    [],
  );
  if (!isOpen.value) return null;
  const close = () => {
    isOpen.value = false;
  };
  return (
    <Dialog label="Go to" kind="go-to" onClose={close}>
      {(done) => <Finder bookId={bookId} onDone={done} />}
    </Dialog>
  );
}
