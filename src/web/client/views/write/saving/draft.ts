/** What is typed and not yet on the server, as this browser keeps it. Documents are JSON, as the editor has them. */
export interface Draft {
  /** Of the tab that typed it. */
  id: string;
  chapterId: string;
  /** The revision that `base` is. */
  revision: number;
  base: string;
  doc: string;
  /** What was sent and never answered: the server may have it, as this revision. */
  doubt: Doubt | null;
}

/** A write whose answer never came: if the server has it, then as this revision of the chapter. */
export interface Doubt {
  revision: number;
  doc: string;
}

/** Where drafts are kept. */
export interface Drafts {
  /** Keeps a draft in place of the tab's last one; those named by `instead` go with the same stroke. */
  keep(draft: Draft, instead?: readonly string[]): Promise<void>;
  drop(id: string): Promise<void>;
  /** Those of a chapter whose tabs are gone. */
  left(chapterId: string): Promise<Draft[]>;
}
