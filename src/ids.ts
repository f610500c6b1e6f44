import { randomBytes } from "node:crypto";

/**
 * A string that names one kind of record. The brand is optional, so a plain string from a request is accepted,
 * while a chapter's id given where a book's is asked for fails to compile.
 */
type Id<Kind extends string> = string & { readonly kind?: Kind };

export type BookId = Id<"book">;
export type PartId = Id<"part">;
export type ChapterId = Id<"chapter">;
export type BlockId = Id<"block">;
export type FactId = Id<"fact">;
export type MentionId = Id<"mention">;
export type SnippetId = Id<"snippet">;
export type KeyId = Id<"key">;
export type ActId = Id<"act">;

/** What an id begins with, by the kind of record. `row` names a block's row inside the file and is never shown. */
export const PREFIXES = {
  book: "bk_",
  part: "pt_",
  chapter: "ch_",
  block: "b_",
  row: "r_",
  fact: "fa_",
  mention: "me_",
  snippet: "sn_",
  key: "key_",
  act: "act_",
} as const;

/** Gives a new id of a kind; two calls never give the same one. */
export type Mint = (kind: keyof typeof PREFIXES) => string;

/** Random bytes; a test gives a seeded one and gets the same ids every time. */
export type RandomBytes = (length: number) => Uint8Array;

// 32 letters and digits that cannot be mistaken for one another: one character holds exactly five random bits.
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 16;
const POOL_BYTES = LENGTH * 256;

/** A mint over a source of random bytes: 16 characters of 5 bits, so 80 random bits an id. */
export function createMint(random: RandomBytes = randomBytes): Mint {
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;
  return (kind) => {
    if (used + LENGTH > pool.length) {
      pool = random(POOL_BYTES);
      used = 0;
    }
    let id: string = PREFIXES[kind];
    for (let end = used + LENGTH; used < end; used++) id += ALPHABET[pool[used]! & 31]; // used < pool.length, see above
    return id;
  };
}
