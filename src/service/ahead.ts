import type { ChapterId } from "../ids.ts";
import type { Store } from "../store/file/store.ts";
import { firstChangeSince, lastChange } from "../store/journal/acts.ts";

/** How often a plan is made again while others may go on writing; after that it is made while they wait. */
const TRIES = 3;

/** A chapter was written by another hand between its plan and the act. */
class Overtaken extends Error {}

interface Made<Value> {
  change: number;
  /** What it was, or the throwing of what was refused. */
  recall: () => Value;
}

/** What was made of a chapter, if it still holds. */
export type Recall<Value> = (id: ChapterId) => Value;

/**
 * Makes something of each of these chapters before others have to wait for it, and runs an act, which asks for it. What was
 * made of a chapter that another hand has written since is made again. Throws what `make` throws, only when it is asked for.
 */
export function ahead<Value, Result>(
  store: Store,
  chapters: () => readonly ChapterId[],
  make: (id: ChapterId) => Value,
  run: (recall: Recall<Value>) => Result,
): Result {
  const made = new Map<ChapterId, Made<Value>>();
  const changeOf = (id: ChapterId) => firstChangeSince(store, made.get(id)?.change ?? 0, id);
  for (let tries = TRIES; ; tries--) {
    store.snapshot(() => {
      for (const id of chapters())
        if (!made.has(id) || changeOf(id) !== undefined)
          made.set(id, { change: lastChange(store), recall: attempt(() => make(id)) });
    });
    try {
      return run((id) => {
        const known = made.get(id);
        const act = known && changeOf(id);
        if (known !== undefined && act === undefined) return known.recall();
        // What this act itself has written is there for it alone.
        if (tries > 0 && act !== undefined && act !== store.openAct) throw new Overtaken();
        return make(id);
      });
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
  }
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
