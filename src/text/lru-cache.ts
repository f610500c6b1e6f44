/**
 * A cache with a budget: beyond it the least recently used values go. The value in use stays, however large. Sizes
 * are read anew at each `set`; a value of size 0 counts as dropped.
 */
export class LruCache<Key, Value> {
  readonly #most: number;
  readonly #sizeOf: (value: Value) => number;
  /** Least recently used first. */
  readonly #entries = new Map<Key, Value>();

  /** Takes `most` values, or values of that total size. */
  constructor(most: number, sizeOf: (value: Value) => number = () => 1) {
    this.#most = most;
    this.#sizeOf = sizeOf;
  }

  /** Returns the value and marks it as used last. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#use(key, value);
    return value;
  }

  /** Stores a value as used last. Returns the values that were dropped for it. */
  set(key: Key, value: Value): Value[] {
    this.#use(key, value);
    let size = this.#size();
    const dropped: Value[] = [];
    for (const [oldest, other] of this.#entries) {
      const freed = this.#sizeOf(other);
      if (oldest === key || (freed > 0 && size <= this.#most)) continue;
      this.#entries.delete(oldest);
      size -= freed;
      dropped.push(other);
    }
    return dropped;
  }

  /** Drops all values. */
  clear(): void {
    this.#entries.clear();
  }

  /** True if the cache is full. */
  get isFull(): boolean {
    return this.#size() >= this.#most;
  }

  #use(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }

  #size(): number {
    let size = 0;
    for (const value of this.#entries.values()) size += this.#sizeOf(value);
    return size;
  }
}
