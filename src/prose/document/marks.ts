import { smallest } from "../../text/extremes.ts";
import { leafText, mapLeaves } from "./leaves.ts";
import type { DocMark, DocNode, MentionSpan } from "./types.ts";

/** True if the mark is a mention. */
export function isMention(mark: DocMark): boolean {
  return mark.type === "mention";
}

/** True if two marks have the same type and attributes. A missing attribute counts as null. */
export function sameMark(a: DocMark, b: DocMark): boolean {
  if (a === b) return true;
  if (a.type !== b.type) return false;
  const keys = new Set([...Object.keys(a.attrs ?? {}), ...Object.keys(b.attrs ?? {})]);
  for (const key of keys) if ((a.attrs?.[key] ?? null) !== (b.attrs?.[key] ?? null)) return false;
  return true;
}

/** Returns the fact and mention of a mark as one key. Keys sort by fact, then by mention. */
export function mentionKey(mark: DocMark): string {
  return `${String(mark.attrs?.factId)}\u0000${String(mark.attrs?.mentionId ?? "")}`;
}

/** Compares two strings by UTF-16 code units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Joins neighbouring texts of equal marks, as ProseMirror does. O(nodes). */
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

/**
 * Returns the types of marks that words lost although they are still there: `["em"]` for "very *late*" that became
 * "very late indeed". Mentions do not count. O(text of the marked words).
 */
export function lostMarks(old: DocNode, next: DocNode): string[] {
  const text = leafText(next);
  const kept = markedRuns(next);
  const lost = markedRuns(old).filter(
    (run) =>
      standsIn(text, run.text) &&
      !kept.some(({ type, text: own }) => type === run.type && own.includes(run.text)),
  );
  return [...new Set(lost.map(({ type }) => type))];
}

/** Returns the trimmed texts under each type of mark. Other inline nodes end a text. */
function markedRuns({ content = [] }: DocNode): { type: string; text: string }[] {
  const types = new Set(content.flatMap(({ marks = [] }) => marks.map(({ type }) => type)));
  types.delete("mention");
  return [...types].flatMap((type) => {
    const runs = [""];
    for (const { text = "", marks = [] } of content) {
      if (marks.some((mark) => mark.type === type)) runs.push(`${runs.pop()}${text}`);
      else if (runs.at(-1) !== "") runs.push("");
    }
    return runs.map((run) => ({ type, text: run.trim() })).filter(({ text }) => text !== "");
  });
}

/** True if the text contains these as whole words: "late" is not in "related". */
function standsIn(text: string, words: string): boolean {
  const isLetter = (at: number) => /[\p{L}\p{N}]/u.test(text.charAt(at));
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    if (!isLetter(at - 1) && !isLetter(at + words.length)) return true;
  return false;
}

function sameMarks(a: readonly DocMark[] = [], b: readonly DocMark[] = []): boolean {
  return a.length === b.length && a.every((mark, at) => sameMark(mark, b[at] as DocMark));
}

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
