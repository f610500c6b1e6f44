import { applyTextEdits } from "./document/text-edit.ts";

/** A stretch that one side changed: `from` to `to` of the base became `start` to `end`. */
export interface WordEdit {
  from: number;
  to: number;
  start: number;
  end: number;
}

/** A step of a comparison: text of both, or of only one of them. */
export type DiffOp = "same" | "added" | "removed";

/** Turns a comparison into edits; neighbouring steps make one. O(steps). */
export function wordEditsOf(steps: Iterable<{ op: DiffOp; size: number }>): WordEdit[] {
  const edits: WordEdit[] = [];
  let [from, start] = [0, 0];
  let open: WordEdit | undefined;
  for (const { op, size } of steps) {
    if (op !== "added") from += size;
    if (op !== "removed") start += size;
    if (op === "same") open = undefined;
    else if (open !== undefined) Object.assign(open, { to: from, end: start });
    else {
      open = {
        from: op === "removed" ? from - size : from,
        to: from,
        start: op === "added" ? start - size : start,
        end: start,
      };
      edits.push(open);
    }
  }
  return edits;
}

/** Rules for edits of one text that exclude each other. */
export interface WordRules {
  /** True if the two cannot both be made. */
  meets(ours: WordEdit, theirs: WordEdit): boolean;
  /** True if our side already has their edit, going by the edits of ours that it meets. */
  isOurs(theirs: WordEdit, met: readonly WordEdit[]): boolean;
}

/**
 * Returns their edits that are still to be made in our text; undefined if one of them meets a different one of ours.
 * Proposals and the editor both use this merge of words. O(ours × theirs).
 */
export function mergeEdits(
  ours: readonly WordEdit[],
  theirs: readonly WordEdit[],
  { meets, isOurs }: WordRules,
): WordEdit[] | undefined {
  const left: WordEdit[] = [];
  for (const edit of theirs) {
    const met = ours.filter((one) => meets(one, edit));
    if (met.length === 0) left.push(edit);
    else if (!isOurs(edit, met)) return undefined;
  }
  return left;
}

/** Compares two texts. Joined, "same" and "removed" make the first, "same" and "added" the second. */
export type CompareTexts = (before: string, after: string) => readonly { op: DiffOp; text: string }[];

/**
 * Merges both sides' edits of `base`; undefined if they meet: between any two of them at least one word must be
 * unchanged. Equal changes count once.
 */
export function mergeWords(
  { base, ours, theirs }: { base: string; ours: string; theirs: string },
  compare: CompareTexts,
): string | undefined {
  if (ours === theirs || theirs === base) return ours;
  if (ours === base) return theirs;
  const editsOf = (text: string) =>
    wordEditsOf(compare(base, text).map(({ op, text: { length: size } }) => ({ op, size })));
  const [own, other] = [editsOf(ours), editsOf(theirs)];
  // Two sides that both move delimiters could close each other's marks.
  const isMarkup = (text: string) => (edit: WordEdit) =>
    /[*_`~[\]<>\\!]/.test(text.slice(edit.start, edit.end) + base.slice(edit.from, edit.to));
  if (own.some(isMarkup(ours)) && other.some(isMarkup(theirs))) return undefined;
  const left = mergeEdits(own, other, {
    meets: (one, edit) => !/[\p{L}\p{N}]/u.test(between(base, one, edit)),
    isOurs: ({ from, to, start, end }, met) =>
      met.some(
        (one) =>
          one.from === from && one.to === to && ours.slice(one.start, one.end) === theirs.slice(start, end),
      ),
  });
  if (left === undefined) return undefined;
  const insert = (text: string) => (edit: WordEdit) => ({
    ...edit,
    insert: text.slice(edit.start, edit.end),
  });
  const edits = [...own.map(insert(ours)), ...left.map(insert(theirs))];
  return applyTextEdits(
    base,
    edits.sort((one, next) => one.from - next.from || one.to - next.to),
  );
}

function between(base: string, one: WordEdit, other: WordEdit): string {
  const [first, second] = one.from < other.from || one.to < other.to ? [one, other] : [other, one];
  return base.slice(first.to, Math.max(second.from, first.to));
}
