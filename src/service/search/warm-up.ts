import { listBooks } from "../list-books.ts";
import type { Manuscript } from "../manuscript.ts";
import { warmIndex } from "./search-index.ts";

/** What a test decides instead. */
export interface Pace {
  /** Milliseconds of work between two turns of the event loop. */
  sliceMs?: number;
  /** Milliseconds from any moment on. */
  now?: () => number;
  /** Runs the next slice after whatever waits by then. */
  later?: (slice: () => void) => void;
}

/** Far below the 12 ms that a request may wait: the collector of garbage takes up to 9 on top. */
const SLICE_MS = 2;

/**
 * Builds the search indexes of these manuscripts, the book that was written last first, in slices between requests; the
 * first question then finds them ready. Returns what stops it.
 */
export function warmSearch(manuscripts: readonly Manuscript[], pace: Pace = {}): () => void {
  const { sliceMs = SLICE_MS, now = performance.now.bind(performance), later = setImmediate } = pace;
  const steps = warmAll(manuscripts);
  let isStopped = false;
  const slice = () => {
    const end = now() + sliceMs;
    try {
      while (!isStopped && now() < end) if (steps.next().done) isStopped = true;
    } catch {
      isStopped = true; // a question will meet the same fault, and can tell of it
    }
    if (!isStopped) later(slice);
  };
  later(slice);
  return () => {
    isStopped = true;
  };
}

function* warmAll(manuscripts: readonly Manuscript[]): Generator<void> {
  const books = manuscripts.flatMap((manuscript) =>
    listBooks(manuscript).books.map(({ id, updatedAt }) => ({ store: manuscript.store, id, updatedAt })),
  );
  books.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  for (const { store, id } of books) yield* warmIndex(store, id);
}
