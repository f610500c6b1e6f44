import { isMention, sameMark, withoutMentions } from "./marks.ts";
import type { DocMark, DocNode } from "./types.ts";

/**
 * True if two nodes are equal apart from blockIds and mention marks, however their text is cut into nodes. `ignored`
 * names more attributes that may differ. O(nodes). Allocates only for texts that differ or are cut.
 */
export function sameNode(a: DocNode, b: DocNode, ignored: ReadonlySet<string> = NOTHING): boolean {
  if (a === b) return true;
  if (a.type !== b.type || a.text !== b.text) return false;
  if (!sameAttributes(a.attrs, b.attrs, ignored) || !samePlainMarks(a.marks, b.marks)) return false;
  return sameContent(a.content ?? [], b.content ?? [], ignored);
}

const NOTHING: ReadonlySet<string> = new Set();

function sameContent(a: readonly DocNode[], b: readonly DocNode[], ignored: ReadonlySet<string>): boolean {
  if (sameEach(a, b, ignored)) return true;
  // Equal text may be cut differently, for example by mentions.
  const isInline = a.some(({ text }) => text !== undefined);
  return isInline && sameEach(withoutMentions(a), withoutMentions(b), ignored);
}

function sameEach(a: readonly DocNode[], b: readonly DocNode[], ignored: ReadonlySet<string>): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!sameNode(a[at]!, b[at]!, ignored)) return false; // of one length
  return true;
}

function samePlainMarks(a: readonly DocMark[] | undefined, b: readonly DocMark[] | undefined): boolean {
  if (a === b) return true;
  const left = a?.filter((mark) => !isMention(mark)) ?? [];
  const right = b?.filter((mark) => !isMention(mark)) ?? [];
  return left.length === right.length && left.every((mark, at) => sameMark(mark, right[at] as DocMark));
}

function sameAttributes(a: DocNode["attrs"], b: DocNode["attrs"], ignored: ReadonlySet<string>): boolean {
  if (a === b) return true;
  const counts = (name: string): boolean => name !== "blockId" && !ignored.has(name);
  for (const name in a) if (counts(name) && a[name] !== b?.[name]) return false;
  for (const name in b) if (counts(name) && b[name] !== a?.[name]) return false;
  return true;
}
