import { smallest } from "../../text/extremes.ts";
import { mapLeaves } from "./leaves.ts";
import { compareText, isMention, joinTexts, mentionKey } from "./marks.ts";
import { leafText } from "./text.ts";
import type { DocMark, DocNode, MentionSpan } from "./types.ts";

/** A block without mention marks, and their places for each leaf in document order. */
export interface LiftedBlock {
  node: DocNode;
  spans: MentionSpan[][];
}

/**
 * Takes the mention marks out of a top-level block, and joins neighbouring texts that become equal. A mark over
 * neighbouring texts is one span, a mark around another inline node is two. Spans are sorted by `from`, `to`, fact.
 * `liftMentions(weaveMentions(block, spans))` returns block and spans. O(block).
 */
export function liftMentions(block: DocNode): LiftedBlock {
  const spans: MentionSpan[][] = [];
  const node = mapLeaves(block, (leaf) => {
    spans.push(readSpans(leaf));
    const isMarked = leaf.content?.some((child) => child.marks?.some(isMention));
    return isMarked ? { ...leaf, content: withoutMentions(leaf.content ?? []) } : leaf;
  });
  return { node, spans };
}

/**
 * Puts mention marks back: the inverse of `liftMentions`; `byBlockId` has each leaf's spans. Texts are split at the
 * ends of spans. Marks of a text are in the schema's order, mentions last, by fact.
 */
export function weaveMentions(
  block: DocNode,
  byBlockId: ReadonlyMap<string, readonly MentionSpan[]>,
): DocNode {
  return mapLeaves(block, (leaf) => {
    const spans = byBlockId.get((leaf.attrs?.blockId as string | null | undefined) ?? "");
    if (!spans || spans.length === 0 || !leaf.content) return leaf;
    return { ...leaf, content: weaveLeaf(leaf.content, spans) };
  });
}

function readSpans(leaf: DocNode): MentionSpan[] {
  const open = new Map<string, MentionSpan>();
  const spans: MentionSpan[] = [];
  let offset = 0;
  for (const child of leaf.content ?? []) {
    const end = offset + (child.text?.length ?? 0);
    if (child.text === undefined) open.clear(); // no occurrence spans a break or an image
    for (const mark of child.marks ?? []) {
      if (!isMention(mark)) continue;
      const key = mentionKey(mark);
      const before = open.get(key);
      if (before?.to === offset) before.to = end;
      else if (end > offset) open.set(key, openSpan(mark, offset, end));
      if (open.get(key) !== before) spans.push(open.get(key) as MentionSpan);
    }
    offset = end;
  }
  if (spans.length > 0) quote(spans, leafText(leaf));
  return spans;
}

function openSpan(mark: DocMark, from: number, to: number): MentionSpan {
  const { mentionId, factId } = mark.attrs as { mentionId?: string | null; factId: string };
  return { mentionId: mentionId ?? null, factId, from, to, text: "" };
}

function quote(spans: MentionSpan[], text: string): void {
  for (const span of spans) span.text = text.slice(span.from, span.to);
  spans.sort(compareSpans);
}

function compareSpans(a: MentionSpan, b: MentionSpan): number {
  return (
    a.from - b.from ||
    a.to - b.to ||
    compareText(a.factId, b.factId) ||
    compareText(a.mentionId ?? "", b.mentionId ?? "")
  );
}

/** Returns a leaf's inline nodes without mention marks. Neighbouring texts that become equal are joined. */
export function withoutMentions(content: readonly DocNode[]): DocNode[] {
  return joinTexts(content.map(withoutMention));
}

function withoutMention(child: DocNode): DocNode {
  if (!child.marks?.some(isMention)) return child;
  const { marks: all, text, ...rest } = child;
  const marks = all.filter((mark) => !isMention(mark));
  const marked = marks.length > 0 ? { ...rest, marks } : rest;
  return text === undefined ? marked : { ...marked, text };
}

// Sweeps over the texts once; `active` are the spans over the piece from `from`.
function weaveLeaf(content: readonly DocNode[], spans: readonly MentionSpan[]): DocNode[] {
  const waiting = spans.filter(({ from, to }) => to > from).sort((a, b) => b.from - a.from);
  let active: MentionSpan[] = [];
  const woven: DocNode[] = [];
  let offset = 0;
  for (const child of content) {
    const start = offset;
    offset += child.text?.length ?? 0;
    if (child.text === undefined) woven.push(child);
    for (let from = start; from < offset; ) {
      active = active.filter((span) => span.to > from);
      while ((waiting.at(-1)?.from ?? offset) <= from) active.push(waiting.pop() as MentionSpan);
      const next = smallest([offset, waiting.at(-1)?.from ?? offset, ...active.map((span) => span.to)]);
      const text = (child.text as string).slice(from - start, next - start);
      woven.push(markText(text, [...(child.marks ?? []), ...toMarks(active)]));
      from = next;
    }
  }
  return woven;
}

function toMarks(spans: readonly MentionSpan[]): DocMark[] {
  return spans
    .map(({ mentionId, factId }): DocMark => ({ type: "mention", attrs: { mentionId, factId } }))
    .sort((a, b) => compareText(mentionKey(a), mentionKey(b)));
}

function markText(text: string, marks: DocMark[]): DocNode {
  return marks.length > 0 ? { type: "text", marks, text } : { type: "text", text };
}
