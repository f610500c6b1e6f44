import { signal } from "@preact/signals";
import { session } from "./api/session.ts";
import { go } from "./router.ts";

/** Something that was dropped: an entry of the file system where the browser tells it, else a file. */
export type Dropped = readonly [entry: FileSystemEntry | null, file: File | null];

/** What was dropped last and is not looked at yet. */
export const dropped = signal<readonly Dropped[] | undefined>(undefined);

/** From now on files that are dropped anywhere on the page are looked at where books come in. */
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
