import { collapseSpace } from "../../text/fold.ts";
import { longestIncreasing } from "../../text/increasing-run.ts";
import { Signature } from "./similarity.ts";

/** A paragraph as reconciliation sees it. One without text, such as a scene break, has text "". */
export interface ParagraphText {
  type: string;
  text: string;
  /** True if it has notes or mentions: preferred among equals. */
  anchored?: boolean;
}

/** Result for every paragraph. All numbers are indexes in the two given lists. */
export interface Pairing {
  /** For each new paragraph the index of the old one that it continues, or -1. Each old index at most once. */
  from: Int32Array;
  /** For each old paragraph that a merge absorbed, the index of the surviving NEW paragraph, else -1. */
  into: Int32Array;
}

/**
 * Equality of texts: `exact` compares type and text apart from spacing, `folded` compares folded text of any type.
 */
export type KeyKind = "exact" | "folded";

/** The old or the new paragraphs, with cached keys and signatures. */
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

  /** Returns a key that is equal for equal paragraphs; "" equals nothing: a scene break has no folded key. */
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

/** Both sides, and the pairs made until now. A pair stays once it is made; -1 marks a free paragraph. */
export class Pairs {
  readonly old: ParagraphList;
  readonly next: ParagraphList;
  /** Old paragraph of each new one. */
  readonly from: Int32Array;
  /** New paragraph of each old one. */
  readonly to: Int32Array;

  constructor(old: readonly ParagraphText[], next: readonly ParagraphText[]) {
    this.old = new ParagraphList(old);
    this.next = new ParagraphList(next);
    this.from = new Int32Array(next.length).fill(-1);
    this.to = new Int32Array(old.length).fill(-1);
  }

  /** True if both exist and neither has a partner. */
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

/** Free paragraphs between two pairs of the backbone, in order. */
export interface Gap {
  olds: number[];
  news: number[];
}

/**
 * Finds the gaps that are not empty, in order: free paragraphs with words. They lie between pairs of the backbone,
 * the longest run of pairs that kept their order, so that moved paragraphs are no fences. O(n log n).
 */
export function findGaps(pairs: Pairs): Gap[] {
  const isFreeOld = (at: number): boolean => pairs.to[at] === -1 && pairs.old.signature(at).folded !== "";
  const isFreeNew = (at: number): boolean => pairs.from[at] === -1 && pairs.next.signature(at).folded !== "";
  const gaps: Gap[] = [];
  let oldStart = 0;
  let newStart = 0;
  for (const fence of [...longestIncreasing(pairs.from, -1), pairs.from.length]) {
    const oldEnd = pairs.from[fence] ?? pairs.to.length;
    const gap = {
      olds: range(oldStart, oldEnd).filter(isFreeOld),
      news: range(newStart, fence).filter(isFreeNew),
    };
    if (gap.olds.length + gap.news.length > 0) gaps.push(gap);
    oldStart = oldEnd + 1;
    newStart = fence + 1;
  }
  return gaps;
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, step) => start + step);
}
