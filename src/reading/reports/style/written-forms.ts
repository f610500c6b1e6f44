const LENGTH_BITS = 8;
const LENGTHS = (1 << LENGTH_BITS) - 1;
/** So many forms there is room for at first, of so many units each. */
const FORMS = 1 << 15;
const UNITS_EACH = 8;

/**
 * Words as written, each with a place of its own, counted from 0. A `Map` of strings does the same in three times the
 * time: it needs a string of every word that is looked up.
 */
export class WrittenForms {
  /** The units of all forms, one behind the other, and of each where it begins. */
  #units = new Uint16Array(UNITS_EACH * FORMS);
  #starts = new Int32Array(FORMS + 1);
  /** Two cells a slot: the hash of a form, and its length with its place counted from 1, 0 for none. */
  #slots = new Int32Array(4 * FORMS);
  #size = 0;

  /** The place of the form of so many units that begins there: the next one if it is new. */
  placeOf(units: Uint16Array, from: number, length: number): number {
    const slots = this.#slots;
    const mask = slots.length - 2;
    const hash = hashOf(units, from, length);
    let at = slotOf(hash) & mask;
    for (; slots[at + 1] !== 0; at = (at + 2) & mask) {
      const cell = slots[at + 1]!; // inside the mask
      if (slots[at] !== hash || (cell & LENGTHS) !== length) continue;
      const place = (cell >>> LENGTH_BITS) - 1;
      if (this.#isAt(place, units, from, length)) return place;
    }
    slots[at] = hash;
    slots[at + 1] = ((this.#size + 1) << LENGTH_BITS) | length;
    return this.#add(units, from, length);
  }

  #isAt(place: number, units: Uint16Array, from: number, length: number): boolean {
    const own = this.#units;
    const start = this.#starts[place]!; // a place that was given
    for (let at = 0; at < length; at++) if (own[start + at] !== units[from + at]) return false;
    return true;
  }

  #add(units: Uint16Array, from: number, length: number): number {
    const place = this.#size++;
    const start = this.#starts[place]!; // there is one more of them than forms
    if (start + length > this.#units.length) this.#units = longer(this.#units);
    if (place + 2 > this.#starts.length) this.#starts = longer(this.#starts);
    const own = this.#units;
    for (let at = 0; at < length; at++) own[start + at] = units[from + at]!; // the caller's own
    this.#starts[place + 1] = start + length;
    if (4 * this.#size > this.#slots.length) this.#slots = spread(this.#slots);
    return place;
  }
}

function hashOf(units: Uint16Array, from: number, length: number): number {
  let hash = 0;
  for (let at = from; at < from + length; at++) hash = (Math.imul(hash, 31) + units[at]!) | 0; // the callers' own
  return hash;
}

/** Where a form of this hash is looked for first, before the mask. */
function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) << 1;
}

/** Copies the slots into a table of twice the size. */
function spread(old: Int32Array): Int32Array<ArrayBuffer> {
  const slots = new Int32Array(2 * old.length);
  const mask = slots.length - 2;
  for (let from = 0; from < old.length; from += 2) {
    if (old[from + 1] === 0) continue;
    let at = slotOf(old[from]!) & mask; // below its length
    while (slots[at + 1] !== 0) at = (at + 2) & mask;
    slots[at] = old[from]!; // as above
    slots[at + 1] = old[from + 1]!; // as above
  }
  return slots;
}

function longer<Cells extends Uint16Array | Int32Array>(cells: Cells): Cells {
  const made = new (cells.constructor as new (length: number) => Cells)(2 * cells.length);
  made.set(cells);
  return made;
}
