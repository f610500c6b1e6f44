import { leavesOf } from "../../src/prose/document/leaves.ts";
import type { DocNode } from "../../src/prose/document/types.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import type { StoredProse } from "../../src/prose/plan.ts";
import {
  byDocument,
  byImport,
  byMap,
  byParagraph,
  byReplace,
  type Spot,
  sameOutside,
  store,
  type Target,
  targetsOf,
  tried,
  WORD,
  withLeaf,
  withoutWord,
  withWord,
} from "./fidelity.ts";

/** One edit of one leaf, and what came of it. */
export interface Edited {
  way: string;
  /** The Markdown after it. */
  after: string;
  /** Why it could not be done, if so. */
  refused: boolean;
  /** Whether all lines of other leaves, and between them, are as they were. */
  outside: boolean;
  /** Whether every byte is as it was but for the word that was put in; undefined where more was asked for. */
  letters: boolean | undefined;
}

/** Which leaves are edited, by their ordinal, and in which ways. */
export interface Choice {
  leaf?: (ordinal: number) => boolean;
  way?: (way: string) => boolean;
}

/** Edits the leaves of a text, one at a time and in every way, or as chosen. */
export function* editEach(
  text: string,
  { leaf: isLeafChosen = () => true, way: isWayChosen = () => true }: Choice = {},
): Generator<Edited> {
  const chapter = store(parseMarkdown(text));
  const ordinals = new Map(
    chapter.blocks.flatMap(({ node }) => leavesOf(node)).map(({ attrs }, at) => [String(attrs?.blockId), at]),
  );
  const targets = targetsOf(chapter);
  for (const [index, target] of targets.entries()) {
    if (!isLeafChosen(index)) continue;
    const leaf = ordinals.get(target.blockId)!; // a target is a leaf of it
    const other = targets[index + 1] ?? targets[index - 1];
    for (const [way, edit] of Object.entries(waysOf({ chapter, target, other, text }))) {
      if (!isWayChosen(way)) continue;
      const { after, letters } = edit();
      const refused = after.startsWith("refused: ") || after === "conflict";
      const outside = way === "import" || sameOutside(text, after, leaf); // an import is of two leaves
      yield { way, after, refused, outside, letters };
    }
  }
}

interface Task {
  chapter: StoredProse;
  target: Target;
  other: Target | undefined;
  text: string;
}

type Edit = () => Pick<Edited, "after" | "letters">;

/** Each way to edit a leaf. */
function waysOf(task: Task): Record<string, Edit> {
  const { chapter, target, text } = task;
  const put = (change: (leaf: DocNode) => DocNode): Edit => {
    return () => ({
      after: tried(() => byDocument(chapter, withLeaf(chapter, target.blockId, change))),
      letters: undefined,
    });
  };
  const insert = (spot: Spot): Edit => {
    return () => exactly(text, () => byDocument(chapter, withWord(chapter, target, spot)));
  };
  const sent = `${WORD}, all of it.`;
  return {
    "document, start": insert("start"),
    "document, middle": insert("middle"),
    "document, end": insert("end"),
    "document, anew": put((leaf) => ({ ...leaf, content: [{ type: "text", text: sent }] })),
    "document, shorter": put(withoutLastWord),
    "paragraph, anew": () => ({
      after: tried(() => byParagraph(chapter, target, sent)),
      letters: undefined,
    }),
    ...markdownWays(task),
  };
}

/** The ways that send Markdown. */
function markdownWays({ chapter, target, other, text }: Task): Record<string, Edit> {
  const markdown = editMarkdown(target.markdown);
  if (markdown === undefined) return {};
  const map = (own: StoredProse, edited: Target, sent: string) =>
    tried(() => byMap(own, new Map([[edited.blockId, sent]])));
  const again = (changed: string) => store(parseMarkdown(changed), chapter);
  const theirs = other && editMarkdown(other.markdown);
  const ways: Record<string, Edit> = {
    paragraph: () =>
      exactly(text, () => byParagraph(chapter, target, markdown.replace(/^[ \t]+|[ \t]+$/g, ""))),
    map: () => exactly(text, () => map(chapter, target, markdown)),
    "map and back": () => {
      const after = map(again(map(chapter, target, markdown)), target, target.markdown);
      return { after, letters: after === text };
    },
  };
  if (other === undefined || theirs === undefined) return ways;
  const merge = () => byImport(chapter, map(chapter, target, markdown), again(map(chapter, other, theirs)));
  return { ...ways, import: () => exactly(text, merge) };
}

function exactly(before: string, edit: () => string): ReturnType<Edit> {
  const after = tried(edit);
  return { after, letters: isExact(before, after) };
}

/** Replaces every `stride`-th word of a text, and takes it back. */
export function* replaceWords(text: string, stride: number): Generator<Edited> {
  const chapter = store(parseMarkdown(text));
  const after = tried(() => byReplace(chapter, (index) => index % stride === 0));
  const refused = after.startsWith("refused: ");
  yield { way: "replace", after, refused, outside: true, letters: isExact(text, after) };
  const back = refused ? after : tried(() => byReplace(store(parseMarkdown(after), chapter), undefined));
  yield { way: "replace and back", after: back, refused, outside: true, letters: back === text };
}

function isExact(before: string, after: string): boolean {
  return after.includes(WORD) && withoutWord(after) === before;
}

/** The Markdown with the word within one in its middle; undefined if it has none. */
function editMarkdown(markdown: string): string | undefined {
  const places = [...markdown.matchAll(/(?<=\p{Ll})(?=\p{Ll})/gu)].map(({ index }) => index);
  const at = places[places.length >> 1];
  return at === undefined ? undefined : markdown.slice(0, at) + WORD + markdown.slice(at);
}

function withoutLastWord(leaf: DocNode): DocNode {
  const content = leaf.content ?? [];
  const at = content.findLastIndex(({ text }) => text !== undefined && /\S\s+\S+\s*$/.test(text));
  const shorten = (child: DocNode) => ({ ...child, text: child.text?.replace(/\s+\S+\s*$/, "") ?? "" });
  return at < 0
    ? leaf
    : { ...leaf, content: content.map((child, index) => (index === at ? shorten(child) : child)) };
}
