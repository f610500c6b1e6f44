import type { Store } from "../../store/file/store.ts";

/** An answer that was paid for, and the state of the book that it was given on. */
export interface Remembered<Answer> {
  ground: string;
  answer: Answer;
}

const AT_MOST = 100;

// Of each file, gone with it; the one used longest ago first.
const remembered = new WeakMap<Store, Map<string, Remembered<unknown>>>();

/** What was paid for under this key. The key names the operation, so it tells the type. */
export function recall<Answer>(store: Store, key: string): Remembered<Answer> | undefined {
  const answers = remembered.get(store);
  const known = answers?.get(key);
  if (answers === undefined || known === undefined) return undefined;
  answers.delete(key);
  answers.set(key, known);
  return known as Remembered<Answer>;
}

/** Keeps an answer in memory, and of the others the last hundred used. */
export function remember<Answer>(store: Store, key: string, answer: Remembered<Answer>): void {
  const answers = remembered.get(store) ?? new Map<string, Remembered<unknown>>();
  remembered.set(store, answers);
  answers.delete(key);
  answers.set(key, answer);
  const oldest = answers.keys().next();
  if (answers.size > AT_MOST && !oldest.done) answers.delete(oldest.value);
}
