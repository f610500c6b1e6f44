import { isLeaf } from "./leaves.ts";
import type { DocNode } from "./types.ts";

// Two signs that Markdown takes for something else than whoever wrote them.

/** A node, also in the page's form. */
interface Sign {
  type: string;
  attrs?: Readonly<Record<string, unknown>> | undefined;
  content?: readonly unknown[] | undefined;
}

/** True if a leaf parts two scenes: a scene break, or a lone `#`, which Markdown reads as an empty heading. */
export function partsScenes({ type, attrs, content = [] }: Sign): boolean {
  return type === "scene_break" || (type === "heading" && attrs?.level === 1 && content.length === 0);
}

/** Returns the year at a paragraph's start that Markdown reads as a list of one, `1984. It was cold`: "1984. ". */
export function yearBefore({ type, attrs, content = [] }: DocNode): string | undefined {
  const order = Number(attrs?.order);
  if (type !== "ordered_list" || attrs?.delim !== "." || order < 1000 || order > 9999) return undefined;
  const [first, more] = content.length === 1 ? (content[0]?.content ?? []) : [];
  return first?.type === "paragraph" && more === undefined ? `${order}. ` : undefined;
}

/** Returns the years in a top-level block by the paragraphs that begin with them. */
export function yearsIn(block: DocNode, found = new Map<DocNode, string>()): ReadonlyMap<DocNode, string> {
  if (isLeaf(block)) return found;
  const year = yearBefore(block);
  if (year !== undefined) found.set(block.content![0]!.content![0]!, year); // its only leaf
  for (const child of block.content ?? []) yearsIn(child, found);
  return found;
}

// Signs of other writing programs without a node in Markdown. They stay text, but readers do not see them.
const ATTRIBUTE = String.raw`(?:[.#][\w:-]+|[\w-]+=(?:"[^"\n]*"|[^\s"{}]+)|-(?=\s*\}))`;
const ATTRIBUTES = String.raw`\{:?\s*${ATTRIBUTE}(?:\s+${ATTRIBUTE})*\s*\}`;
const MARKUP = new RegExp(
  [
    "%%(?:[^%]|%(?!%))*%%", // a comment in Obsidian
    String.raw`\{\{(?:[<%](?:(?!\{\{)[^])*?[>%])?\}\}`, // a shortcode in Hugo or Quarto; Markdown may have read a tag in it
    String.raw`!\[\[[^[\]\n]*\]\]`, // an embedded file
    String.raw`\[\[(?:[^[\]|\n]*\|)?(?<link>[^[\]\n]*)\]\]`,
    String.raw`\[(?<span>[^[\]\n]*)\]${ATTRIBUTES}`,
    ATTRIBUTES,
    String.raw`^ {0,3}:{3,}[^\n]*\n?`, // a line that opens or closes a div
    String.raw`^\[!\w[\w|-]*\][+-]?`, // what kind of callout a quote is
    String.raw`\\(?:newpage|pagebreak|clear(?:double)?page|(?:big|med|small)skip|noindent|[vh]fill|(?:[vh]space\*?|begin|end)\{[^{}\n]*\})(?![A-Za-z])`,
  ].join("|"),
  "dgm",
);
/** Possible beginnings of such markup. */
const MAY_BE_MARKUP = /%%|\{[{.#:\w\s-]|\[[[!]|:::|\\[a-z]/;

/** True if a text holds markup that readers do not see. */
export function holdsMarkup(text: string): boolean {
  return MAY_BE_MARKUP.test(text) && placesOf(text).length > 0;
}

/**
 * Returns a leaf's content as readers see it, without comments, link targets, attributes and other signs, or with
 * `blank` for each of their characters. The same array if there are none. Code stays as it is. Linear.
 */
export function withoutMarkup(leaf: DocNode, blank: "" | " " = ""): readonly DocNode[] {
  const content = leaf.content ?? [];
  if (leaf.type === "code_block" || !content.some(({ text }) => text && MAY_BE_MARKUP.test(text)))
    return content;
  const places = placesOf(content.map(readable).join(""));
  if (places.length === 0) return content;
  let offset = 0;
  let next = 0;
  return content.map((child) => {
    if (child.text === undefined) return child;
    const behind = offset + child.text.length;
    let text = "";
    for (let at = offset; at < behind; ) {
      const [from, to] = places[next] ?? [behind, behind];
      if (from > at) text += child.text.slice(at - offset, Math.min(from, behind) - offset);
      text += blank.repeat(Math.max(0, Math.min(to, behind) - Math.max(from, at)));
      at = Math.min(to, behind);
      if (to <= behind) next += 1;
    }
    offset = behind;
    return { ...child, text };
  });
}

/** Returns an inline node's text, for code a letter for each character. */
function readable({ text = "", marks = [] }: DocNode): string {
  return marks.some(({ type }) => type === "code") ? "x".repeat(text.length) : text;
}

type Place = readonly [from: number, to: number];

/** Returns the stretches that readers do not see, in order. */
function placesOf(text: string): Place[] {
  const places: Place[] = [];
  for (const { index, 0: all, indices } of text.matchAll(MARKUP)) {
    const shown = indices?.groups?.link ?? indices?.groups?.span;
    const end = index + all.length;
    if (shown === undefined) places.push([index, end]);
    else places.push([index, shown[0]], [shown[1], end]);
  }
  return places;
}
