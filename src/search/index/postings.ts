/** Piece numbers are below this. */
export const MOST_PIECES = 2 ** 24;
/** A posting holds a piece's number above, and how often the term stands in it below; more than that stands apart. */
const TIMES_BITS = 8;
const TIMES_MASK = 2 ** TIMES_BITS - 1;
/** Fewer than that are kept as plain numbers: most terms are rare, and a typed array alone takes 200 bytes. */
const FEW = 24;

/** The pieces that hold a term, by their numbers, and how often each does: four bytes a piece. */
export class Postings {
  /** Ascending; beyond `count` a typed array has room for more. */
  #packed: number[] | Uint32Array = [];
  #count = 0;
  /** By a piece's number how often it holds the term, where that is beyond a posting. */
  #many: Map<number, number> | undefined;

  /** How many pieces hold the term. */
  get count(): number {
    return this.#count;
  }

  /** Enters a piece that was not entered. O(1) for the highest number, else it moves those above. */
  add(piece: number, times: number): void {
    const kept = Math.min(times, TIMES_MASK);
    if (kept < times) {
      this.#many ??= new Map();
      this.#many.set(piece, times);
    }
    const at = this.#placeOf(piece);
    this.#makeRoom();
    const packed = this.#packed;
    if (at < this.#count) packed.copyWithin(at + 1, at, this.#count);
    packed[at] = piece * (TIMES_MASK + 1) + kept;
    this.#count += 1;
  }

  /** Takes a piece out. Throws if it was never entered. */
  remove(piece: number): void {
    const at = this.#placeOf(piece);
    const packed = this.#packed;
    // What is behind the last one was taken out before.
    if (at === this.#count || pieceIn(packed[at]!) !== piece)
      throw new Error(`piece ${piece} is not indexed`);
    this.#many?.delete(piece);
    packed.copyWithin(at, at + 1, this.#count);
    this.#count -= 1;
    if (Array.isArray(packed)) packed.pop();
    else if (this.#count < FEW / 2) this.#packed = Array.from(packed.subarray(0, this.#count));
    else if (this.#count < packed.length / 4) this.#packed = packed.slice(0, this.#count * 2);
  }

  /** Hands over each piece, ascending, with how often it holds the term. */
  each(take: (piece: number, times: number) => void): void {
    const packed = this.#packed;
    const many = this.#many;
    const count = this.#count;
    for (let at = 0; at < count; at += 1) {
      const posting = packed[at]!; // below the count
      const times = posting & TIMES_MASK;
      const piece = pieceIn(posting);
      take(piece, times < TIMES_MASK ? times : (many?.get(piece) ?? times));
    }
  }

  /** Where the piece stands or would stand. */
  #placeOf(piece: number): number {
    const packed = this.#packed;
    let from = 0;
    let to = this.#count;
    // New pieces mostly have the highest number; the last stands below the count.
    if (to === 0 || pieceIn(packed[to - 1]!) < piece) return to;
    while (from < to) {
      const middle = (from + to) >> 1;
      const isBefore = pieceIn(packed[middle]!) < piece; // below the count
      if (isBefore) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #makeRoom(): void {
    const packed = this.#packed;
    if (Array.isArray(packed)) {
      packed.push(0);
      if (packed.length <= FEW) return;
    } else if (this.#count < packed.length) return;
    this.#packed = new Uint32Array(Math.ceil(this.#count * 1.5));
    for (let at = 0; at < this.#count; at += 1) this.#packed[at] = packed[at]!; // as long
  }
}

function pieceIn(posting: number): number {
  return posting >>> TIMES_BITS;
}
