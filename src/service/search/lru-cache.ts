/** Something kept in memory that can be had again: its size in bytes, and how it is let go. */
export interface Kept {
  readonly bytes: number;
  drop(): void;
}

/**
 * Keeps what was used last within a budget of bytes: beyond it the least recently used goes. What is used now stays,
 * however large. It holds nothing alive by itself.
 */
export class Shelf<Book extends Kept> {
  readonly #budgetBytes: number;
  /** Least recently used first. */
  #books: WeakRef<Book>[] = [];
  /** Of the one used last, when it was weighed. */
  #lastBytes = 0;

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  /** Marks it as used last, and drops others until all fit. */
  use(book: Book): void {
    if (book.bytes === this.#lastBytes && this.#books.at(-1)?.deref() === book) return;
    const others = this.#alive().filter((other) => other !== book);
    let bytes = book.bytes + sizeOf(others);
    while (bytes > this.#budgetBytes && others.length > 0) {
      const oldest = others.shift()!; // length just checked
      bytes -= oldest.bytes;
      oldest.drop();
    }
    this.#lastBytes = book.bytes;
    this.#books = [...others, book].map((kept) => new WeakRef(kept));
  }

  /** Whether there is no room for more. */
  get isFull(): boolean {
    return sizeOf(this.#alive()) >= this.#budgetBytes;
  }

  #alive(): Book[] {
    return this.#books.flatMap((reference) => reference.deref() ?? []);
  }
}

function sizeOf(books: readonly Kept[]): number {
  return books.reduce((sum, { bytes }) => sum + bytes, 0);
}
