import type { LANGUAGE_KINDS } from "../../../contract/enums.ts";

/** Kind of a mark. */
export type MarkKind = (typeof LANGUAGE_KINDS)[number];

/** A place in a paragraph that a line editor would mark; offsets are UTF-16 in its text. */
export interface Mark {
  kind: MarkKind;
  /** The word or phrase by which such places are counted together: "could see", "seemed to". */
  word: string;
  from: number;
  to: number;
}

/** A paragraph as its marks are looked for. */
export interface MarkedText {
  text: string;
  /** For each character 1 between quotation marks; empty if there are none. */
  isQuoted: Uint8Array;
}
