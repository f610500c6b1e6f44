import type { IndexedPassage } from "./index/passages.ts";

/** What the index keeps of a chapter: its rank, its title and synopsis, and the order of its paragraphs. */
export class Chapter {
  /** Last, until it is known. */
  position = Number.MAX_SAFE_INTEGER;
  /** Passages of its title and synopsis. */
  heading: readonly IndexedPassage[] = [];
  readonly #places = new Map<string, string | undefined>();
  #ordinals: ReadonlyMap<string, number> | undefined;

  /** Enters a paragraph at its place, or moves it there. */
  put(blockId: string, place: string | undefined): void {
    if (this.#places.has(blockId) && this.#places.get(blockId) === place) return;
    this.#places.set(blockId, place);
    this.#ordinals = undefined;
  }

  /** Takes a paragraph out. */
  remove(blockId: string): void {
    this.#places.delete(blockId);
    this.#ordinals = undefined;
  }

  /** Its paragraphs, in no order. */
  blockIds(): string[] {
    return [...this.#places.keys()];
  }

  /** How many paragraphs of known place stand before this one; sorted once after each change. */
  ordinalOf(blockId: string): number | undefined {
    this.#ordinals ??= this.#ordered();
    return this.#ordinals.get(blockId);
  }

  #ordered(): ReadonlyMap<string, number> {
    const placed = [...this.#places].flatMap(([blockId, place]) =>
      place === undefined ? [] : [{ blockId, place }],
    );
    placed.sort((a, b) => compare(a.place, b.place) || compare(a.blockId, b.blockId));
    return new Map(placed.map(({ blockId }, ordinal) => [blockId, ordinal]));
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
