import { asTyped } from "../../../prose/document/text.ts";
import type { DocMark, DocNode } from "../../../prose/document/types.ts";
import type { WordMarks, WordPicture, WordRun } from "./paragraph.ts";

/** Returns a footnote's label by the key of its reference; undefined if the note is not there. */
export type LabelOf = (key: string) => string | undefined;

/** Returns the node of a picture; undefined if it is left out. */
export type ImageOf = (picture: WordPicture) => DocNode | undefined;

/** Returns runs as the inline content of a leaf. */
export function inlineOf(
  runs: readonly WordRun[],
  labelOf: LabelOf,
  imageOf: ImageOf = () => undefined,
): DocNode[] {
  return tidyInline(
    runs.flatMap((run): DocNode | DocNode[] => {
      const marks = marksOf(run.marks);
      if (run.type === "text") return [withMarks({ type: "text", text: run.text }, marks)];
      if (run.type === "break") return [{ type: "hard_break" }];
      if (run.type === "picture") return imageOf(run.picture) ?? [];
      const label = run.type === "note" ? labelOf(run.key) : undefined;
      return label === undefined ? [] : [{ type: "footnote_ref", attrs: { label } }];
    }),
  );
}

/**
 * Returns inline content as a good hand writes it: marks embrace no blanks at their ends, a blank between two equally
 * marked words is marked too, and there is none at both ends of all. Signs of markup are text: Word has none.
 */
export function tidyInline(content: readonly DocNode[]): DocNode[] {
  const whole = joined(bridged(joined(content)));
  return asTyped(joined(trimmed(joined(whole.flatMap(expelled)))));
}

function marksOf({ em, strong, strike, code, href }: WordMarks): DocMark[] {
  return [
    ...(href === undefined || href.startsWith("scrivcmt:")
      ? []
      : [{ type: "link", attrs: { href, title: null } }]),
    ...(em ? [{ type: "em" }] : []),
    ...(strong ? [{ type: "strong" }] : []),
    ...(strike ? [{ type: "strike" }] : []),
    ...(code ? [{ type: "code" }] : []),
  ];
}

function withMarks({ marks: _, ...node }: DocNode, marks: readonly DocMark[]): DocNode {
  return marks.length === 0 ? node : { ...node, marks: [...marks] };
}

/** Returns marks as text, to compare them by. */
export function keyOfMarks({ marks = [] }: DocNode): string {
  return marks
    .map(({ type, attrs }) => (type === "link" ? `link ${String(attrs?.href)}` : type))
    .sort()
    .join("\n");
}

function joined(content: readonly DocNode[]): DocNode[] {
  const made: DocNode[] = [];
  for (const node of content) {
    const last = made.at(-1);
    if (node.text === "") continue;
    if (node.text !== undefined && last?.text !== undefined && keyOfMarks(node) === keyOfMarks(last))
      made[made.length - 1] = { ...last, text: last.text + node.text };
    else made.push(node);
  }
  return made;
}

/** Gives a blank the marks that the words on both its sides have. */
function bridged(content: readonly DocNode[]): DocNode[] {
  return content.map((node, at) => {
    const [before, after] = [content[at - 1], content[at + 1]];
    const isBridge =
      node.text?.trim() === "" &&
      before?.text !== undefined &&
      after?.text !== undefined &&
      keyOfMarks(before) === keyOfMarks(after);
    return isBridge ? withMarks(node, before.marks ?? []) : node;
  });
}

/** Returns a marked text with the blanks at its ends outside of its marks. */
function expelled(node: DocNode): DocNode[] {
  const { text, marks = [] } = node;
  if (text === undefined || marks.length === 0 || !/^\s|\s$/.test(text)) return [node];
  const plain = (blank: string): DocNode => ({ type: "text", text: blank });
  const words = text.trim();
  if (words === "") return [plain(text)];
  const from = text.indexOf(words);
  return [plain(text.slice(0, from)), { ...node, text: words }, plain(text.slice(from + words.length))];
}

function trimmed(content: readonly DocNode[]): DocNode[] {
  const kept = [...content];
  const isNothing = (node: DocNode | undefined) =>
    node !== undefined && (node.type === "hard_break" || node.text?.trim() === "");
  while (isNothing(kept[0])) kept.shift();
  while (isNothing(kept.at(-1))) kept.pop();
  return kept.map((node, at) => {
    if (node.text === undefined) return node;
    const isAfter = at === 0 || kept[at - 1]?.type === "hard_break";
    const isBefore = at === kept.length - 1 || kept[at + 1]?.type === "hard_break";
    const start = isAfter ? node.text.trimStart() : node.text;
    return { ...node, text: isBefore ? start.trimEnd() : start };
  });
}
