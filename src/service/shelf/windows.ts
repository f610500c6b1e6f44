/** Manuscripts beside the one that is shown, each opened in a window of its own. For a server that runs as a desktop program. */
export interface Windows {
  /** Where a new manuscript is made. */
  folder: string;
  /** The manuscripts that were opened before, the last one first. */
  files(): readonly string[];
  /** Opens a manuscript as a double click does. */
  open(file: string): void;
  /** Finds a place for the manuscript outside its cloud folder or share; null where it can stay. */
  movesTo(): string | null;
  /** Moves it there: its server stops, and it is opened again where it is then. Throws `NotFound` where it need not. */
  moveOut(): string;
  /** Resolves with that place once it is to be moved. */
  readonly moving: Promise<string>;
}
