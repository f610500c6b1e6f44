/** A stretch between two UTF-16 offsets of a text, and its replacement. */
export interface TextEdit {
  from: number;
  to: number;
  insert: string;
}

/** Returns the text with its edits done. They must be ascending and apart; one without `insert` only deletes. */
export function applyTextEdits(
  text: string,
  edits: readonly (Omit<TextEdit, "insert"> & Partial<TextEdit>)[],
): string {
  let done = "";
  let at = 0;
  for (const { from, to, insert = "" } of edits) {
    done += text.slice(at, from) + insert;
    at = to;
  }
  return done + text.slice(at);
}

/** Moves a stretch of the text by the edits; undefined if one of them changes any of it. */
export function movedBy<Span extends { from: number; to: number }>(
  span: Span,
  edits: readonly TextEdit[],
): Span | undefined {
  let shift = 0;
  for (const { from, to, insert } of edits) {
    if (from >= span.to) break;
    if (to > span.from) return undefined;
    shift += insert.length - (to - from);
  }
  return { ...span, from: span.from + shift, to: span.to + shift };
}

/**
 * Moves a stretch by the edits, and grows, shrinks and changes it with those inside it. Undefined if one crosses an
 * end of it.
 */
export function stretchedBy<Span extends { from: number; to: number; text: string }>(
  span: Span,
  edits: readonly TextEdit[],
): Span | undefined {
  const inside = edits.filter(({ from, to }) => from < span.to && to > span.from);
  if (inside.some(({ from, to }) => from < span.from || to > span.to)) return undefined;
  const before = edits.filter(({ to }) => to <= span.from);
  const shift = before.reduce((sum, { from, to, insert }) => sum + insert.length - (to - from), 0);
  const text = applyTextEdits(
    span.text,
    inside.map((edit) => ({ ...edit, from: edit.from - span.from, to: edit.to - span.from })),
  );
  const from = span.from + shift;
  return { ...span, from, to: from + text.length, text };
}

/** Characters that close up to the word before when a word between them is deleted. */
const CLOSING = /^[.,;:!?…)\]’”»]/u;

/**
 * Extends edits that delete a word by one of its blanks, so that no two blanks are left together, nor one at the end.
 */
export function closeUp(text: string, edits: readonly TextEdit[]): TextEdit[] {
  const done: TextEdit[] = [];
  /** First of several neighbouring words that go, each with the blank behind it. */
  let first: TextEdit | undefined;
  for (const edit of edits) {
    const { from, to, insert } = edit;
    const closed = { ...edit };
    const end = done.at(-1)?.to ?? 0;
    if (from !== end || done.length === 0) first = closed;
    const isAfterBlank = from === 0 || text[from - 1] === " ";
    const takesBlank = insert === "" && isAfterBlank && text[to] === " ";
    const isLast = to === text.length || CLOSING.test(text.slice(to, to + 1));
    if (takesBlank) closed.to = to + 1;
    else if (insert === "" && isAfterBlank && isLast && first !== undefined && first.from > 0)
      first.from -= 1;
    if (!takesBlank) first = undefined;
    done.push(closed);
  }
  return done;
}
