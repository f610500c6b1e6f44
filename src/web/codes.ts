import { Gone, Unavailable } from "../refusals.ts";
import {
  CODE_MS,
  digestOfSecret,
  newCode,
  newSecret,
  shownCode,
  takeApproval,
} from "../service/account/sign-in.ts";
import type { Manuscript } from "../service/manuscript.ts";
import type { OpenedSession, Sessions } from "./sessions.ts";

/** A code that a page shows until its owner types it elsewhere. */
interface OpenCode {
  code: string;
  until: number;
  /** Whose it turned out to be. */
  manuscript?: Manuscript;
}

const MOST_OPEN = 5;
const LOOK_MS = 300;
/** Of the time, at most about this part is spent on looking, where there are so many files that a look is long. */
const SHARE = 1 / 20;
const LONG_MS = 5;

/** Codes by which pages sign in that no link can reach: on a tablet, over ssh. */
export class Codes {
  readonly #sessions: Sessions;
  /** By the hash of the secret that its page claims it by. */
  readonly #open = new Map<string, OpenCode>();
  #looking: NodeJS.Timeout | undefined;
  #notBefore = -Infinity;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  /** A new code to show. Throws `Unavailable` if five are open. */
  create(): { code: string; secret: string; expiresAt: number } {
    const { clock, random } = this.#sessions;
    this.#dropStale();
    if (this.#open.size >= MOST_OPEN)
      throw new Unavailable(
        `${MOST_OPEN} codes are open already, and more would be guessed at; wait some minutes, or open the link that "manuscript open" prints.`,
      );
    const code = newCode(random);
    const secret = newSecret(random);
    const until = clock() + CODE_MS;
    this.#open.set(digestOfSecret(secret), { code, until });
    // The command waits for the answer, also while the page sleeps.
    this.#looking ??= setInterval(() => this.look(), LOOK_MS).unref();
    return { code: shownCode(code), secret, expiresAt: until };
  }

  /** The session, if the owner has typed the code; else until when it can be. Throws `Gone` for one that is not open. */
  claim(secret: string, browser: string): OpenedSession | { pending: true; expiresAt: number } {
    this.look();
    const key = digestOfSecret(secret);
    const found = this.#open.get(key);
    if (found === undefined)
      throw new Gone("This code has expired or was used; ask for a new one by loading the page again.");
    if (found.manuscript === undefined) return { pending: true, expiresAt: found.until };
    this.#open.delete(key);
    return this.#sessions.open(found.manuscript, browser);
  }

  /** Takes what the owner has approved. A file that cannot be read now is looked at again. */
  look(): void {
    this.#dropStale();
    const start = performance.now();
    if (start < this.#notBefore) return;
    const waiting = [...this.#open.values()].filter(({ manuscript }) => manuscript === undefined);
    if (waiting.length === 0) return;
    for (const manuscript of this.#sessions.shelf.approvedWithin(CODE_MS))
      for (const open of waiting) if (isApproved(manuscript, open.code)) open.manuscript ??= manuscript;
    const tookMs = performance.now() - start;
    if (tookMs > LONG_MS) this.#notBefore = start + tookMs / SHARE;
  }

  #dropStale(): void {
    const now = this.#sessions.clock();
    for (const [key, { until }] of this.#open) if (until <= now) this.#open.delete(key);
    if (this.#open.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }
}

/** A file that is busy or gone is looked at again: whoever asks for something of it is told. */
function isApproved(manuscript: Manuscript, code: string): boolean {
  try {
    return takeApproval(manuscript, code);
  } catch {
    return false;
  }
}
