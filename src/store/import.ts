import type { BookId } from "../ids.ts";
import type { Store } from "./store.ts";

/** Keeps what an imported list of the book says besides title, parts, goal and chapters, as JSON; null for nothing. */
export function setManifest(store: Store, id: BookId, manifest: string | null): void {
  store.run("UPDATE books SET manifest = ? WHERE id = ?", manifest, id);
}
