/**
 * A string that names one kind of record. The brand is optional, so a plain string from a request is accepted,
 * while passing a chapter's id for a book's fails to compile.
 */
type Id<Kind extends string> = string & { readonly kind?: Kind };

/** Names a book: `bk_…`. */
export type BookId = Id<"book">;
/** Names a part of a book: `pt_…`. */
export type PartId = Id<"part">;
/** Names a chapter: `ch_…`. */
export type ChapterId = Id<"chapter">;
/** Names a leaf block of prose, at any depth: `b_…`. It stays with its paragraph through every rewrite. */
export type BlockId = Id<"block">;
/** Names an entry of the story map: `fa_…`. */
export type FactId = Id<"fact">;
/** Names a span of prose that is linked to a fact: `me_…`. */
export type MentionId = Id<"mention">;
/** Names a piece of marginalia: `sn_…`. */
export type SnippetId = Id<"snippet">;
/** Names a proposal to change a chapter's prose: `prop_…`. */
export type ProposalId = Id<"proposal">;
/** Names a milestone of a book: `ms_…`. */
export type MilestoneId = Id<"milestone">;
/** Names an API key without being one: `key_…`. */
export type KeyId = Id<"key">;
/** Names a write, to undo it by: `act_…`. */
export type ActId = Id<"act">;

/** Names a call of the AI tier in the ledger: `call_…`. */
export type CallId = Id<"call">;

/** Prefixes of ids by kind of record. `row` names a block's row inside the file and is never shown. */
export const PREFIXES = {
  book: "bk_",
  part: "pt_",
  chapter: "ch_",
  block: "b_",
  row: "r_",
  fact: "fa_",
  mention: "me_",
  snippet: "sn_",
  proposal: "prop_",
  milestone: "ms_",
  key: "key_",
  act: "act_",
  call: "call_",
} as const;

/** Returns a new id of a kind; no two calls return the same one. */
export type Mint = (kind: keyof typeof PREFIXES) => string;

/**
 * Returns a new id of one kind at each call, each batch of them in ascending order: rows that are written in the order of
 * their ids are written to each index from front to back. Batches grow from 16 to 32,768.
 */
export function mintAscending(mint: Mint, kind: keyof typeof PREFIXES): () => string {
  let size = 8;
  let ids: string[] = [];
  return () => {
    if (ids.length === 0) {
      size = Math.min(2 * size, 32_768);
      ids = Array.from({ length: size }, () => mint(kind))
        .sort()
        .reverse();
    }
    return ids.pop()!; // a batch is never empty
  };
}

/** Source of random bytes. A test passes a seeded one and gets the same ids every time. */
export type RandomBytes = (length: number) => Uint8Array;

/** The system's random bytes. Loaded when first needed: a command that only reads starts 4 ms sooner. */
export const systemRandom: RandomBytes = (length) =>
  process.getBuiltinModule("node:crypto").randomBytes(length);

// 32 letters and digits that cannot be mistaken for one another: one character holds exactly five random bits.
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 16;
/** The characters after the prefix of an id, as the source of a regular expression. */
export const MINTED = `[${ALPHABET}]{${LENGTH}}`;
const POOL_BYTES = LENGTH * 256;

/** A mint over a source of random bytes: 16 characters of 5 bits, so 80 random bits an id. */
export function createMint(random: RandomBytes = systemRandom): Mint {
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;
  const units: number[] = new Array(LENGTH).fill(0);
  return (kind) => {
    if (used + LENGTH > pool.length) {
      pool = random(POOL_BYTES);
      used = 0;
    }
    for (let at = 0; at < LENGTH; at++) units[at] = ALPHABET.charCodeAt(pool[used++]! & 31); // used < pool.length, see above
    return PREFIXES[kind] + String.fromCharCode.apply(null, units);
  };
}
