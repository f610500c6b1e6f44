import type { ChapterId } from "../ids.ts";
import type { Store } from "../store/file/store.ts";
import { firstChangesSince, isBookChangedSince, lastChange } from "../store/journal/acts.ts";
import { lastCopied } from "../store/working-copies.ts";

/** How often a plan is made again while others may go on writing; after that it is made while they wait. */
const TRIES = 3;

/** Another hand has written between a plan and its act what the plan is made of. */
export class Overtaken extends Error {}

/** Runs what plans and then writes; once more where it was overtaken. `isLast`: it has to plan within its act. */
export function untilItHolds<Result>(run: (isLast: boolean) => Result): Result {
  for (let tries = TRIES; ; tries--) {
    try {
      return run(tries === 0);
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
  }
}

/** What was made of a chapter, if it still holds. */
export type Recall<Value> = (id: ChapterId) => Value;

/**
 * Makes something of each of these chapters, of itself alone, before others have to wait for it, and runs an act, which asks for
 * it. What was made of a chapter that another hand has written since is made again. Throws what `make` throws, only when it is asked for.
 */
export function ahead<Value, Result>(
  store: Store,
  chapters: () => readonly ChapterId[],
  make: (id: ChapterId) => Value,
  run: (recall: Recall<Value>) => Result,
): Result {
  const made = new Map<ChapterId, () => Value>();
  let change = 0;
  return untilItHolds((isLast) => {
    store.snapshot(() => {
      const changeOf = firstChangesSince(store, change);
      for (const id of [...made.keys()]) if (changeOf(id) !== undefined) made.delete(id);
      change = lastChange(store);
      for (const id of chapters())
        if (!made.has(id))
          made.set(
            id,
            attempt(() => make(id)),
          );
    });
    const changeOf = firstChangesSince(store, change);
    return run((id) => {
      const recall = made.get(id);
      const act = recall && changeOf(id);
      if (recall !== undefined && act === undefined) return recall();
      // What this act itself has written is there for it alone.
      if (!isLast && act !== undefined && act !== store.openAct) throw new Overtaken();
      return make(id);
    });
  });
}

/**
 * The same of what is made of several chapters at once: it is made again if any of them was written since, or if it is of others
 * by now.
 */
export function aheadOfAll<Value, Result>(
  store: Store,
  chapters: () => readonly ChapterId[],
  make: () => Value,
  run: (recall: () => Value) => Result,
): Result {
  return whileItHolds(store, () => markChapters(store, chapters), { make, run });
}

/** The same of what is made of a whole book, if there is one, asked for before the act has written anything. */
export function aheadOfBook<Value, Result>(
  store: Store,
  bookId: () => string | undefined,
  make: () => Value,
  run: (recall: () => Value) => Result,
): Result {
  const mark = () => {
    const id = bookId();
    const holds = markBook(store, id);
    return () => bookId() === id && holds();
  };
  return whileItHolds(store, mark, { make, run });
}

/** Makes something ahead, and once more where `mark`, asked with it, tells later that it holds no more. */
function whileItHolds<Value, Result>(
  store: Store,
  mark: () => () => boolean,
  { make, run }: { make: () => Value; run: (recall: () => Value) => Result },
): Result {
  return untilItHolds((isLast) => {
    const made = store.snapshot(() => ({ holds: mark(), recall: attempt(make) }));
    return run(() => {
      if (made.holds()) return made.recall();
      if (!isLast) throw new Overtaken();
      return make();
    });
  });
}

/** What tells later whether these are the same chapters, and none of them was written. */
function markChapters(store: Store, chapters: () => readonly ChapterId[]): () => boolean {
  const [changeOf, ids] = [firstChangesSince(store, lastChange(store)), chapters()];
  return () => {
    const now = chapters();
    const isAsMade = (id: ChapterId, at: number) => ids[at] === id && changeOf(id) === undefined;
    return now.length === ids.length && now.every(isAsMade);
  };
}

/**
 * What tells later whether a book, and what folders have in common with it, is as it is now; chapters of other books do not
 * count, and without a book nothing does.
 */
export function markBook(store: Store, bookId: string | undefined): () => boolean {
  if (bookId === undefined) return () => true;
  const [change, copied] = [lastChange(store), lastCopied(store)];
  return () => copied === lastCopied(store) && !isBookChangedSince(store, change, bookId);
}

/** What is made, or the refusal that it came to, once it is asked for. */
export function attempt<Value>(make: () => Value): () => Value {
  try {
    const value = make();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
