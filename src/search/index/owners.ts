/** A number for each owner of passages, below `size`, so that a list can be kept by it; one that has none left is free again. */
export class Owners {
  readonly #numbers = new Map<string, number>();
  /** Passages of each, by its number. */
  readonly #counts: number[] = [];
  readonly #free: number[] = [];

  /** Above every number. */
  get size(): number {
    return this.#counts.length;
  }

  /** The owner's number, once another passage of it has come. */
  enter(owner: string): number {
    let number = this.#numbers.get(owner);
    if (number === undefined) {
      number = this.#free.pop() ?? this.#counts.length;
      this.#numbers.set(owner, number);
      this.#counts[number] = 0;
    }
    this.#counts[number]! += 1; // set when it got its number
    return number;
  }

  /** One of its passages has gone. */
  leave(owner: string): void {
    const number = this.#numbers.get(owner)!; // as many leave as came
    this.#counts[number]! -= 1; // as above
    if (this.#counts[number]! > 0) return; // as above
    this.#numbers.delete(owner);
    this.#free.push(number);
  }
}
