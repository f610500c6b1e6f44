import { type RandomBytes, systemRandom } from "../ids.ts";
import { Gone, NotFound } from "../refusals.ts";
import { digestOfSecret, newSecret, redeemToken, TOKEN_MS } from "../service/account/sign-in.ts";
import type { Manuscript } from "../service/manuscript.ts";
import type { ServedShelf } from "../service/shelf/shelf.ts";

/** A page that is signed in; times in milliseconds since 1970. */
export interface Session {
  /** Names it without being it. */
  id: string;
  /** Whose manuscript it opens. */
  writer: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
  /** How its browser names itself. */
  browser: string;
}

/** What a page keeps: the session itself, which nobody else knows. */
export interface OpenedSession {
  session: string;
  expiresAt: number;
}

/** A manuscript, or what finds it when it is asked for; undefined if it is there no more. */
export type Whose = Manuscript | (() => Manuscript | undefined);

/** What sessions take from outside. */
export interface SessionOptions {
  shelf: ServedShelf;
  /** Milliseconds since 1970. */
  clock?: () => number;
  random?: RandomBytes;
  /** How long a session lasts, in milliseconds; twelve hours without it. */
  sessionMs?: number;
}

/** What a session begins with. */
export const SESSION_PREFIX = "mss_";
const SESSION_MS = 12 * 3_600_000;
const ID_BYTES = 8;
const BROWSER_CHARACTERS = 200;

/**
 * The pages of the owner that are signed in to one server. It knows their hashes alone, and only in memory: they end with
 * it. Source: docs/decisions/021-sessions.md.
 */
export class Sessions {
  readonly shelf: ServedShelf;
  readonly clock: () => number;
  readonly random: RandomBytes;
  readonly #sessionMs: number;
  /** By the hash of the bearer. */
  readonly #sessions = new Map<string, Session>();
  /** Tokens of this server's own links, by their hash. */
  readonly #tokens = new Map<string, { whose: Whose; until: number; used: () => void }>();

  constructor({ shelf, clock = Date.now, random = systemRandom, sessionMs = SESSION_MS }: SessionOptions) {
    this.#sessionMs = sessionMs;
    this.shelf = shelf;
    this.clock = clock;
    this.random = random;
  }

  /** A token for one link of this server's own, good once and for two minutes; `used` is called when it was. */
  issue(whose: Whose, used: () => void = () => {}): string {
    const now = this.clock();
    for (const [key, { until }] of this.#tokens) if (until <= now) this.#tokens.delete(key);
    const token = newSecret(this.random);
    this.#tokens.set(digestOfSecret(token), { whose, until: now + TOKEN_MS, used });
    return token;
  }

  /** A session for a one-time token, which is used up by it. Throws `Gone` if no manuscript here has issued it. */
  redeem(token: string, browser: string): OpenedSession {
    const manuscript = this.#redeemOwn(token) ?? this.#redeemIssued(token);
    if (manuscript === undefined)
      throw new Gone(
        'This link was used already, or is older than two minutes. Open a new one: run "manuscript open".',
      );
    return this.open(manuscript, browser);
  }

  /** A new session of a manuscript's owner. */
  open({ writer }: Manuscript, browser: string): OpenedSession {
    const now = this.clock();
    for (const [key, { expiresAt }] of this.#sessions) if (expiresAt <= now) this.#sessions.delete(key);
    const session = SESSION_PREFIX + newSecret(this.random);
    const id = `ses_${Buffer.from(this.random(ID_BYTES)).toString("hex")}`;
    const expiresAt = now + this.#sessionMs;
    const shown = browser.slice(0, BROWSER_CHARACTERS);
    this.#sessions.set(digestOfSecret(session), {
      ...{ id, writer, createdAt: now, lastUsedAt: now, expiresAt, browser: shown },
    });
    return { session, expiresAt };
  }

  /** The session of this bearer, which is used now; undefined for one that is unknown, has expired or was ended. */
  find(bearer: string): Session | undefined {
    const found = this.#sessions.get(digestOfSecret(bearer));
    const now = this.clock();
    if (found === undefined || found.expiresAt <= now) return undefined;
    found.lastUsedAt = now;
    return found;
  }

  /** The living sessions of a manuscript, newest first. */
  list({ writer }: Manuscript): Session[] {
    const now = this.clock();
    const living = [...this.#sessions.values()].filter(({ expiresAt }) => expiresAt > now);
    return living.filter((session) => session.writer === writer).reverse();
  }

  /** Ends a session of this manuscript. Throws `NotFound`. */
  end({ writer }: Manuscript, id: string | undefined): { id: string; ended: true } {
    const found = [...this.#sessions].find(([, session]) => session.id === id && session.writer === writer);
    if (found === undefined) throw new NotFound("session");
    const [key, session] = found;
    this.#sessions.delete(key);
    return { id: session.id, ended: true };
  }

  #redeemOwn(token: string): Manuscript | undefined {
    const key = digestOfSecret(token);
    const found = this.#tokens.get(key);
    if (found === undefined) return undefined;
    this.#tokens.delete(key);
    found.used();
    if (this.clock() >= found.until) return undefined;
    return typeof found.whose === "function" ? found.whose() : found.whose;
  }

  #redeemIssued(token: string): Manuscript | undefined {
    for (const manuscript of this.shelf.approvedWithin(TOKEN_MS))
      if (redeemToken(manuscript, token)) return manuscript;
    return undefined;
  }
}
