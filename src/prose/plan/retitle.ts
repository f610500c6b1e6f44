import { BadRequest } from "../../refusals.ts";
import { asTitle, headingTitle } from "../document/heading.ts";
import { leafText } from "../document/leaves.ts";
import type { TextEdit } from "../document/text-edit.ts";
import type { DocNode, SourceBlock } from "../document/types.ts";
import { definitionsOf, looseDefinitions } from "../markdown/definitions.ts";
import { joinBlocks } from "../markdown/join-blocks.ts";
import { writeBlock } from "../markdown/write.ts";
import type { NewProse } from "./plan.ts";
import { replaceText } from "./replace-text.ts";

/** A chapter with a new heading, and the edits of the heading's text, if they are known. */
export interface Retitled {
  prose: NewProse;
  edits: readonly TextEdit[] | undefined;
}

/**
 * Sets the text of the top-level heading at `index` to a title. Every other byte stays, and so do the heading's
 * level, its id and the marks around unchanged text. If the change crosses a footnote's reference, the reference goes
 * to the end and the marks are lost. Undefined if Markdown cannot say such a heading there. O(text).
 */
export function retitle(prose: NewProse, index: number, title: string): Retitled | undefined {
  const wanted = asTitle(title);
  const block = prose.blocks[index];
  if (block === undefined || wanted === "") return undefined;
  const edits = editsTo(leafText(block.node), wanted);
  const ways = [
    () => ({ changed: spliced(prose, block, edits), edits }),
    () => ({ changed: afresh(block, wanted, definitionsOf(prose)), edits: undefined }),
  ];
  for (const way of ways) {
    const found = orRefused(() => {
      const { changed, edits: known } = way();
      const joined = changed && joinBlocks({ head: prose.head, blocks: prose.blocks.with(index, changed) });
      const heading = joined?.blocks[index]?.node;
      if (heading === undefined || headingTitle(heading) !== wanted) return undefined;
      return { prose: { bom: prose.bom, eol: prose.eol, ...joined! }, edits: known }; // it holds the heading
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

function orRefused<Found>(find: () => Found | undefined): Found | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof BadRequest) return undefined;
    throw error;
  }
}

/**
 * Returns the edit between the equal beginning and the equal end; never an empty stretch, because nothing can be
 * spliced there.
 */
function editsTo(before: string, after: string): TextEdit[] {
  const [old, next] = [[...before], [...after]];
  const most = Math.min(old.length, next.length);
  let start = 0;
  while (start < most && isSame(old[start], next[start])) start++;
  let end = 0;
  while (end < most - start && isSame(old.at(-1 - end), next.at(-1 - end))) end++;
  if (start + end === old.length) {
    if (start > 0) start--;
    else if (end > 0) end--;
  }
  const from = old.slice(0, start).join("").length;
  const to = old.slice(0, old.length - end).join("").length;
  return [{ from, to, insert: next.slice(start, next.length - end).join("") }];
}

/** True if two characters are equal in a title, where a line end counts as a blank. */
function isSame(one: string | undefined, other: string | undefined): boolean {
  return one === other || (one === "\n" && other === " ");
}

/** Edits the heading in place; undefined if an edit crosses something other than text. */
function spliced(prose: NewProse, block: SourceBlock, edits: readonly TextEdit[]): SourceBlock | undefined {
  const head = `${looseDefinitions(prose).join("\n\n")}\n\n`;
  const { prose: done } = replaceText({ ...prose, head, blocks: [block] }, (texts) => {
    let end = 0;
    return texts.map((text) => {
      const start = end;
      end += text.length;
      const own = edits.filter(({ from, to }) => from >= start && to <= end);
      return own.map((edit) => ({ ...edit, from: edit.from - start, to: edit.to - start }));
    });
  });
  const [changed] = done?.blocks ?? [];
  return changed && { ...block, node: changed.node, source: changed.source };
}

/** Writes the heading anew: the title, then everything in it that is neither text nor a break. */
function afresh(block: SourceBlock, title: string, definitions: string): SourceBlock {
  const rest = (block.node.content ?? []).filter(
    ({ type, text }) => text === undefined && type !== "hard_break",
  );
  const content: DocNode[] = [{ type: "text", text: title }, ...rest];
  const node = { ...block.node, content };
  return { ...block, node, source: writeBlock(node, definitions) };
}
