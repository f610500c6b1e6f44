import { isMention, sameMark } from "./marks.ts";
import type { DocMark, DocNode } from "./types.ts";

/**
 * Whether two nodes are equal apart from blockIds and mention marks; how a text is cut into nodes does not matter.
 * `ignored` names more attributes that may differ. O(smaller node), no allocation but for texts that are cut.
 */
export function sameNode(a: DocNode, b: DocNode, ignored: ReadonlySet<string> = NOTHING): boolean {
  if (a === b) return true;
  if (a.type !== b.type || a.text !== b.text) return false;
  if (!sameAttributes(a.attrs, b.attrs, ignored) || !samePlainMarks(a.marks, b.marks)) return false;
  return sameContent(a.content ?? [], b.content ?? [], ignored);
}

const NOTHING: ReadonlySet<string> = new Set();

function sameContent(a: readonly DocNode[], b: readonly DocNode[], ignored: ReadonlySet<string>): boolean {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const left = a[i] as DocNode;
    const right = b[j] as DocNode;
    if (left.text === undefined || right.text === undefined) {
      if (!sameNode(left, right, ignored)) return false;
      i++;
      j++;
      continue;
    }
    if (!samePlainMarks(left.marks, right.marks)) return false;
    const leftEnd = runEnd(a, i);
    const rightEnd = runEnd(b, j);
    if (runText(a, i, leftEnd) !== runText(b, j, rightEnd)) return false;
    i = leftEnd;
    j = rightEnd;
  }
  return i === a.length && j === b.length;
}

function runEnd(content: readonly DocNode[], from: number): number {
  const first = content[from];
  let end = from + 1;
  while (end < content.length && content[end]?.text !== undefined) {
    if (!samePlainMarks(first?.marks, content[end]?.marks)) break;
    end++;
  }
  return end;
}

function runText(content: readonly DocNode[], from: number, to: number): string {
  let text = "";
  for (let at = from; at < to; at++) text += content[at]?.text ?? "";
  return text;
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
