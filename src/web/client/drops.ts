import { signal } from "@preact/signals";
import { session } from "./api/session.ts";
import { go } from "./router.ts";

/** Something that was dropped: an entry of the file system where the browser tells it, else a file. */
export type Dropped = readonly [entry: FileSystemEntry | null, file: File | null];

/** Files that were dropped last, until a view takes them. */
export const dropped = signal<readonly Dropped[] | undefined>(undefined);

/** Leads files that are dropped anywhere on the page to the view that imports them. */
export function followDrops(): void {
  const follow = (event: DragEvent) => {
    const given = event.dataTransfer;
    if (event.defaultPrevented || !session.value || !given?.types.includes("Files")) return;
    event.preventDefault();
    if (event.type !== "drop") return;
    // All are asked for at once: after the first wait the list is empty.
    dropped.value = [...given.items].map((item) => [item.webkitGetAsEntry(), item.getAsFile()]);
    go("/?new");
  };
  addEventListener("dragover", follow);
  addEventListener("drop", follow);
}
