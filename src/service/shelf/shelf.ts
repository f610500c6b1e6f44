import type { Manuscript } from "../manuscript.ts";

/** The manuscripts that a server answers for, found by the writer that a key names. */
export interface ServedShelf {
  /**
   * The writer's manuscript, open; undefined if there is none. What was found stays open until the event loop turns, and as
   * long as anything that holds it. Throws `Unavailable` if it cannot be opened.
   */
  find(writer: string): Manuscript | undefined;
  /** Keeps a manuscript open until the work with it has ended, well or not. */
  hold(manuscript: Manuscript, work: Promise<unknown>): void;
  /** Lets go of a manuscript that is not where it was opened, so that it is looked for again. */
  lose(manuscript: Manuscript): void;
  /** The manuscripts in which an owner may have let a page in within so many milliseconds. */
  approvedWithin(ms: number): Iterable<Manuscript>;
}

/** A shelf of manuscripts that stay open. */
export function fixedShelf(manuscripts: readonly Manuscript[]): ServedShelf {
  const byWriter = new Map(manuscripts.map((manuscript) => [manuscript.writer, manuscript]));
  return {
    find: (writer) => byWriter.get(writer),
    hold: () => {},
    lose: () => {},
    approvedWithin: () => manuscripts,
  };
}

/** Several shelves as one: what stands on an earlier one is found there. */
export function joinShelves(shelves: readonly ServedShelf[]): ServedShelf {
  return {
    find: (writer) => {
      for (const shelf of shelves) {
        const found = shelf.find(writer);
        if (found !== undefined) return found;
      }
      return undefined;
    },
    hold: (manuscript, work) => {
      for (const shelf of shelves) shelf.hold(manuscript, work);
    },
    lose: (manuscript) => {
      for (const shelf of shelves) shelf.lose(manuscript);
    },
    approvedWithin: function* (ms) {
      for (const shelf of shelves) yield* shelf.approvedWithin(ms);
    },
  };
}
