import type { Node } from "prosemirror-model";
import type { Problem } from "../../../api/problem.ts";

/** A chapter as the server has it. */
export interface ServerCopy {
  doc: Node;
  revision: number;
}

/** The server's answer to a write. */
export interface Written {
  revision: number;
  /** The id of each leaf, in order; undefined where none is new. */
  ids: string[] | undefined;
  /** Notes whose paragraph is gone. */
  detached: { id: string; quote: string; blockId: string | null }[];
  act: string | null;
}

/** The server, as a chapter that is written in needs it. All throw `Problem`. */
export interface Wire {
  /** Its newest revision, or an older one; undefined if there is no such revision. */
  read(revision?: number): Promise<ServerCopy | undefined>;
  /** Replaces the words of one leaf. */
  writeLeaf(leaf: Node, revision: number): Promise<Written>;
  /** Replaces the whole. */
  writeDoc(doc: Node, revision: number): Promise<Written>;
}

/** True if the write may have been done although no answer says so. */
export function isInDoubt({ status }: Problem): boolean {
  return status === 0 || status === 500 || status === 502 || status === 504;
}

/** Unsaved text as this browser keeps it. Documents are the editor's JSON. */
export interface Draft {
  /** Of the tab that typed it. */
  id: string;
  chapterId: string;
  /** The revision that `base` is. */
  revision: number;
  base: string;
  doc: string;
  /** A write that was never answered: the server may have it, as this revision. */
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
