import { mapLeaves } from "./leaves.ts";
import { leafText } from "./text.ts";
import type { DocMark, DocNode, MentionSpan } from "./types.ts";

/** A block without mention marks, and for each of its leaves, in document order, where they stood. */
export interface LiftedBlock {
  node: DocNode;
  spans: MentionSpan[][];
}

/**
 * Takes the mention marks out of a top-level block; texts that become equal neighbours are joined. A mark over
 * neighbouring texts is one span, and only a gap in the offsets breaks it. Spans come by `from`, then `to`, then
 * fact. `liftMentions(weaveMentions(block, spans))` gives block and spans back. O(block).
 */
export function liftMentions(block: DocNode): LiftedBlock {
  const spans: MentionSpan[][] = [];
  const node = mapLeaves(block, (leaf) => {
    const found = readSpans(leaf);
    spans.push(found.spans);
    return found.marked ? { ...leaf, content: withoutMentions(leaf.content ?? []) } : leaf;
  });
  return { node, spans };
}

/**
 * The inverse of `liftMentions`: `byBlockId` gives the spans of a leaf by its `blockId`. Texts are split where a span
 * starts or ends; the marks of one text stand in the order of the schema, mentions last, by fact.
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

/** Whether the mark is a mention. */
export function isMention(mark: DocMark): boolean {
  return mark.type === "mention";
}

/** The order of the mention marks on one text: by fact, then by mention. */
export function compareMentions(a: DocMark, b: DocMark): number {
  return compare(markKey(a), markKey(b));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function markKey(mark: DocMark): string {
  return `${String(mark.attrs?.factId)}\u0000${String(mark.attrs?.mentionId ?? "")}`;
}

function readSpans(leaf: DocNode): { spans: MentionSpan[]; marked: boolean } {
  const open = new Map<string, MentionSpan>();
  const spans: MentionSpan[] = [];
  let marked = false;
  let offset = 0;
  for (const child of leaf.content ?? []) {
    const end = offset + (child.text?.length ?? 0);
    for (const mark of child.marks ?? []) {
      if (!isMention(mark)) continue;
      marked = true;
      if (end > offset) extendSpan(mark, offset, end, open, spans);
    }
    offset = end;
  }
  if (spans.length > 0) {
    const text = leafText(leaf);
    for (const span of spans) span.text = text.slice(span.from, span.to);
    spans.sort(compareSpans);
  }
  return { spans, marked };
}

function extendSpan(
  mark: DocMark,
  from: number,
  to: number,
  open: Map<string, MentionSpan>,
  spans: MentionSpan[],
): void {
  const key = markKey(mark);
  const before = open.get(key);
  if (before && before.to === from) {
    before.to = to;
    return;
  }
  const mentionId = (mark.attrs?.mentionId as string | null | undefined) ?? null;
  const span = { mentionId, factId: mark.attrs?.factId as string, from, to, text: "" };
  open.set(key, span);
  spans.push(span);
}

function compareSpans(a: MentionSpan, b: MentionSpan): number {
  return (
    a.from - b.from ||
    a.to - b.to ||
    compare(a.factId, b.factId) ||
    compare(a.mentionId ?? "", b.mentionId ?? "")
  );
}

function withoutMentions(content: readonly DocNode[]): DocNode[] {
  return joinTexts(
    content.map((child) =>
      withMarks(
        child,
        (child.marks ?? []).filter((mark) => !isMention(mark)),
      ),
    ),
  );
}

/** The inline nodes with neighbouring texts of equal marks joined, as ProseMirror keeps them. */
export function joinTexts(content: readonly DocNode[]): DocNode[] {
  const joined: DocNode[] = [];
  for (const child of content) {
    const last = joined.at(-1);
    if (last?.text !== undefined && child.text !== undefined && sameMarks(last.marks, child.marks)) {
      joined[joined.length - 1] = { ...last, text: last.text + child.text };
    } else joined.push(child);
  }
  return joined;
}

/** Whether two nodes carry equal marks in equal order. */
export function sameMarks(a: readonly DocMark[] = [], b: readonly DocMark[] = []): boolean {
  return a.length === b.length && a.every((mark, at) => sameMark(mark, b[at] as DocMark));
}

/** Whether two marks have the same type and attributes. */
export function sameMark(a: DocMark, b: DocMark): boolean {
  if (a === b) return true;
  if (a.type !== b.type) return false;
  const keys = new Set([...Object.keys(a.attrs ?? {}), ...Object.keys(b.attrs ?? {})]);
  for (const key of keys) if ((a.attrs?.[key] ?? null) !== (b.attrs?.[key] ?? null)) return false;
  return true;
}

function withMarks(child: DocNode, marks: DocMark[]): DocNode {
  if (marks.length === (child.marks?.length ?? 0)) return child;
  const { marks: _dropped, text, ...rest } = child;
  const marked = marks.length > 0 ? { ...rest, marks } : rest;
  return text === undefined ? marked : { ...marked, text };
}

function weaveLeaf(content: readonly DocNode[], spans: readonly MentionSpan[]): DocNode[] {
  const cuts = [...new Set(spans.flatMap((span) => [span.from, span.to]))].sort((a, b) => a - b);
  const woven: DocNode[] = [];
  let offset = 0;
  let cut = 0;
  for (const child of content) {
    if (child.text === undefined) {
      woven.push(child);
      continue;
    }
    const end = offset + child.text.length;
    let from = offset;
    while (from < end) {
      while (cut < cuts.length && (cuts[cut] as number) <= from) cut++;
      const to = Math.min(end, cuts[cut] ?? end);
      woven.push(markText(child, from - offset, to - offset, mentionsAt(spans, from, to)));
      from = to;
    }
    offset = end;
  }
  return woven;
}

function mentionsAt(spans: readonly MentionSpan[], from: number, to: number): DocMark[] {
  const marks: DocMark[] = [];
  for (const { mentionId, factId, ...span } of spans) {
    if (span.from <= from && span.to >= to) marks.push({ type: "mention", attrs: { mentionId, factId } });
  }
  return marks.sort(compareMentions);
}

function markText(child: DocNode, from: number, to: number, mentions: readonly DocMark[]): DocNode {
  const text = (child.text as string).slice(from, to);
  const marks = [...(child.marks ?? []), ...mentions];
  return marks.length > 0 ? { type: "text", marks, text } : { type: "text", text };
}
