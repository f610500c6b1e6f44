import { collapseSpace } from "../../text/fold.ts";
import { Signature } from "./signature.ts";

/** One paragraph as reconciliation sees it. One that holds no text, such as a scene break, has text "". */
export interface ParagraphText {
  type: string;
  text: string;
  /** Carries marginalia or mentions: preferred among paragraphs that would do equally well. */
  anchored?: boolean;
}

/** What became of every paragraph. All numbers are places in the two lists that were given. */
export interface Pairing {
  /** For each new paragraph the index of the old one that it continues, or -1. Each old index at most once. */
  from: Int32Array;
  /** For each old paragraph that a merge absorbed, the index of the surviving NEW paragraph, else -1. */
  into: Int32Array;
}

/** How strictly texts are held equal: as typed but for spacing, and type too; or as folded, whatever the type. */
export type KeyKind = "exact" | "folded";

/** The old or the new paragraphs, with what was worked out about them, kept. */
export class ParagraphList {
  readonly paragraphs: readonly ParagraphText[];
  readonly #exactKeys: (string | undefined)[];
  readonly #signatures: (Signature | undefined)[];

  constructor(paragraphs: readonly ParagraphText[]) {
    this.paragraphs = paragraphs;
    this.#exactKeys = new Array(paragraphs.length);
    this.#signatures = new Array(paragraphs.length);
  }

  signature(at: number): Signature {
    this.#signatures[at] ??= new Signature(this.paragraphs[at]!.text); // callers stay in range, here and below
    return this.#signatures[at];
  }

  /** Two paragraphs with the same key are equal; "" equals nothing: a scene break has no folded key. */
  key(kind: KeyKind, at: number): string {
    if (kind === "folded") return this.signature(at).folded;
    const { type, text } = this.paragraphs[at]!; // as above
    this.#exactKeys[at] ??= `${type}\n${collapseSpace(text)}`;
    return this.#exactKeys[at];
  }

  isAnchored(at: number): boolean {
    return this.paragraphs[at]?.anchored === true;
  }
}

/** Both sides and the pairs made so far. A pair stays once it is made; -1 marks a paragraph that is still free. */
export class Pairs {
  readonly old: ParagraphList;
  readonly next: ParagraphList;
  /** For each new paragraph its old one. */
  readonly from: Int32Array;
  /** For each old paragraph its new one. */
  readonly to: Int32Array;

  constructor(old: readonly ParagraphText[], next: readonly ParagraphText[]) {
    this.old = new ParagraphList(old);
    this.next = new ParagraphList(next);
    this.from = new Int32Array(next.length).fill(-1);
    this.to = new Int32Array(old.length).fill(-1);
  }

  /** Whether both exist and neither has a partner. */
  areFree(oldAt: number, newAt: number): boolean {
    return this.to[oldAt] === -1 && this.from[newAt] === -1;
  }

  areEqual(kind: KeyKind, oldAt: number, newAt: number): boolean {
    const key = this.old.key(kind, oldAt);
    return key !== "" && key === this.next.key(kind, newAt);
  }

  link(oldAt: number, newAt: number): void {
    this.to[oldAt] = newAt;
    this.from[newAt] = oldAt;
  }
}
