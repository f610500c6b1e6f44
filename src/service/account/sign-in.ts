import { hash } from "node:crypto";
import type { RandomBytes } from "../../ids.ts";
import { dropSetting, listSettings, readSetting, saveSetting } from "../../store/rows/account.ts";
import type { Manuscript } from "../manuscript.ts";

// Whoever may write the file is its owner: what lets a page in passes through its settings, as a hash, from the command
// to the server. Backups do not count these rows as a change; see `readMark`.
const TOKEN = "page:token:";
const CODE = "page:code:";
const SERVED = "page:served";

const TOKEN_BYTES = 32;
/** How long a link opens the page. */
export const TOKEN_MS = 2 * 60_000;
/** How long a code may be typed. */
export const CODE_MS = 5 * 60_000;

/** A new secret of 32 random bytes, in hexadecimal. */
export function newSecret(random: RandomBytes): string {
  return Buffer.from(random(TOKEN_BYTES)).toString("hex");
}

/** The SHA-256 of a secret, in hexadecimal: all that is ever kept of it. */
export function digestOfSecret(secret: string): string {
  return hash("sha256", secret);
}

/** A token for one link, good once and for two minutes; the file knows its hash. */
export function issueToken({ store, random }: Manuscript): string {
  const token = newSecret(random);
  const now = store.clock();
  store.setAside(() => {
    dropStale(store, now);
    saveSetting(store, TOKEN + digestOfSecret(token), String(now + TOKEN_MS));
  });
  return token;
}

/** Whether this token was issued for the manuscript, and not used yet; from now on it is. A wrong one writes nothing. */
export function redeemToken({ store }: Manuscript, token: string): boolean {
  return take(store, TOKEN + digestOfSecret(token));
}

/** Whether a token that was issued still waits to be used. */
export function isTokenWaiting({ store }: Manuscript, token: string): boolean {
  return readSetting(store, TOKEN + digestOfSecret(token)) !== undefined;
}

/** Takes a token back. */
export function dropToken({ store }: Manuscript, token: string): void {
  dropSetting(store, TOKEN + digestOfSecret(token));
}

/** Lets the page in that shows this code, as `plainCode` writes it. */
export function approveCode({ store }: Manuscript, code: string): void {
  const now = store.clock();
  store.setAside(() => {
    dropStale(store, now);
    saveSetting(store, CODE + digestOfSecret(code), String(now + CODE_MS));
  });
}

/** Whether the owner has approved this code; then it is used up. */
export function takeApproval({ store }: Manuscript, code: string): boolean {
  return take(store, CODE + digestOfSecret(code));
}

/** Whether an approval still waits for its page. */
export function isApprovalWaiting({ store }: Manuscript, code: string): boolean {
  return readSetting(store, CODE + digestOfSecret(code)) !== undefined;
}

/** Takes an approval back. False if it was taken meanwhile. */
export function dropApproval({ store }: Manuscript, code: string): boolean {
  return dropSetting(store, CODE + digestOfSecret(code));
}

const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LETTERS = 8;

/** A new code of 40 random bits, of letters and digits that are not mistaken for one another. */
export function newCode(random: RandomBytes): string {
  return Array.from(random(CODE_LETTERS), (byte) => LETTERS[byte & 31]).join("");
}

/** A code as it is shown: 4F7K-9Q2M. */
export function shownCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** A code as somebody typed it, without what people add and mistake; undefined if it can be none. */
export function plainCode(typed: string): string | undefined {
  const plain = typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  return plain.length === CODE_LETTERS && [...plain].every((letter) => LETTERS.includes(letter))
    ? plain
    : undefined;
}

/** Where a manuscript is served, and by which process: one that was killed leaves it behind. */
export interface ServedAt {
  url: string;
  pid: number;
}

/** Writes down where the manuscript is served from now on. */
export function announceServer({ store }: Manuscript, url: string): void {
  if (store.refusal === undefined)
    saveSetting(store, SERVED, JSON.stringify({ url, pid: process.pid } satisfies ServedAt));
}

/** Where a server said last that it serves the manuscript. */
export function readServer({ store }: Manuscript): ServedAt | undefined {
  return JSON.parse(readSetting(store, SERVED) ?? "null") ?? undefined;
}

type Store = Manuscript["store"];

function take(store: Store, name: string): boolean {
  const until = readSetting(store, name);
  // Of two that come at once, one deletes it.
  return until !== undefined && dropSetting(store, name) && store.clock() < Number(until);
}

function dropStale(store: Store, now: number): void {
  for (const prefix of [TOKEN, CODE])
    for (const { name, value } of listSettings(store, prefix))
      if (Number(value) <= now) dropSetting(store, name);
}
