import type { BookId } from "../../ids.ts";
import { booksToWarm } from "../list-books.ts";
import type { Manuscript } from "../manuscript.ts";
import { buildIndex, warmIndex } from "./search-index.ts";

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

/** Of a process that does nothing but search. */
const SEARCHING_MS = 10;

/** Resolves once the book's index is built, in slices between other questions. A fault is left to the question. */
export async function readyToSearch({ store }: Manuscript, bookId: BookId): Promise<void> {
  try {
    const steps = buildIndex(store, bookId);
    for (let end = performance.now() + SEARCHING_MS; !steps.next().done; ) {
      if (performance.now() < end) continue;
      await new Promise((resolve) => setImmediate(resolve));
      end = performance.now() + SEARCHING_MS;
    }
  } catch {
    // the question meets it, too, and can tell of it
  }
}

function* warmAll(manuscripts: readonly Manuscript[]): Generator<void> {
  for (const { manuscript, id } of booksToWarm(manuscripts)) yield* warmIndex(manuscript.store, id);
}
