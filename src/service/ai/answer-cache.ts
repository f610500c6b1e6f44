import type { Store } from "../../store/file/store.ts";
import { LruCache } from "../../text/lru-cache.ts";

/** An answer that was paid for, and the state of the book that it was given on. */
export interface Remembered<Answer> {
  ground: string;
  answer: Answer;
}

const AT_MOST = 100;

// Of each file, gone with it.
const remembered = new WeakMap<Store, LruCache<string, Remembered<unknown>>>();

/** What was paid for under this key. The key names the operation, so it tells the type. */
export function recall<Answer>(store: Store, key: string): Remembered<Answer> | undefined {
  return remembered.get(store)?.get(key) as Remembered<Answer> | undefined;
}

/** Keeps an answer in memory, and of the others the last hundred used. */
export function remember<Answer>(store: Store, key: string, answer: Remembered<Answer>): void {
  const answers = remembered.get(store) ?? new LruCache<string, Remembered<unknown>>(AT_MOST);
  remembered.set(store, answers);
  answers.set(key, answer);
}
