/** Manuscripts beside the one that is shown, each opened in a window of its own. For a server that runs as a desktop program. */
export interface Windows {
  /** Where a new manuscript is made. */
  folder: string;
  /** The manuscripts that were opened before, the last one first. */
  files(): readonly string[];
  /** Opens a manuscript as a double click does. */
  open(file: string): void;
  /** Where the manuscript that is shown would be moved to; null unless it lies in a cloud folder or on a share. */
  movesTo(): string | null;
  /** Moves it there: its server stops, and it is opened again where it is then. Throws `NotFound` where it need not. */
  moveOut(): string;
  /** Resolves once it is to be moved. */
  readonly moving: Promise<void>;
  /** True if a server of these manuscripts starts at login. */
  startsAtLogin(): boolean;
  /** Has one start, or no longer. Throws `Unavailable` where the system has no way to. */
  startAtLogin(isOn: boolean): void;
}
