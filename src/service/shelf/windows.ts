/** Manuscripts beside the one that is shown, each opened in a window of its own. For a server that runs as a desktop program. */
export interface Windows {
  /** Where a new manuscript is made. */
  folder: string;
  /** The manuscripts that were opened before, the last one first. */
  files(): readonly string[];
  /** Opens a manuscript as a double click does. */
  open(file: string): void;
  /** True if a server of these manuscripts starts at login. */
  startsAtLogin(): boolean;
  /** Has one start, or no longer. Throws `Unavailable` where the system has no way to. */
  startAtLogin(isOn: boolean): void;
}
