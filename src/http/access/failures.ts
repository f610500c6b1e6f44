import { LIMITS } from "../../contract/limits.ts";
import { RateLimited } from "../../refusals.ts";

const MINUTE_MS = 60_000;
const ADDRESSES = 10_000;

/** What was tried in vain, by the address that it came from: more than ten a minute are made to wait. */
export class Failures {
  readonly #clock: () => number;
  readonly #what: string;
  readonly #remedy: string;
  readonly #seen = new Map<string, { since: number; count: number }>();

  /** Of `what`, and what to do in its stead, for the refusal. */
  constructor(clock: () => number, what?: string, remedy?: string) {
    this.#clock = clock;
    this.#what = what ?? "failed keys";
    this.#remedy = remedy ?? "send a valid key";
  }

  /** Counts one more. Throws `RateLimited` beyond ten within a minute. */
  add(address = ""): void {
    const now = this.#clock();
    const seen = this.#seen.get(address);
    const window = seen === undefined || now - seen.since >= MINUTE_MS ? { since: now, count: 0 } : seen;
    if (window.count >= LIMITS.failedKeys)
      throw new RateLimited(Math.ceil((window.since + MINUTE_MS - now) / 1000), this.#what, this.#remedy);
    window.count++;
    if (this.#seen.size >= ADDRESSES) this.#seen.clear();
    this.#seen.set(address, window);
  }
}
