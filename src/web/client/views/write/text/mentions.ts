import type { Mark, Node } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import { isFromServer } from "./ids.ts";
import { changedBlocks, placedLeaves } from "./leaves.ts";
import { schema } from "./schema.ts";

/** A stretch of text that names a fact. */
interface Mention {
  mark: Mark;
  from: number;
  to: number;
  text: string;
}

/** Takes the mark off a mention whose own words were changed: it names nobody any more. */
export const mentions: Plugin = new Plugin({
  appendTransaction(trs, old, now) {
    if (!trs.some((tr) => tr.docChanged && !isFromServer(tr))) return null;
    const changed = changedBlocks(old.doc, now.doc);
    if (changed === undefined) return null;
    const is = listMentions(now.doc, changed.pos, changed.nowEnd);
    if (is.length === 0) return null;
    const were = new Map<string, Set<string>>();
    for (const { mark, text } of listMentions(old.doc, changed.pos, changed.oldEnd))
      were.set(keyOf(mark), (were.get(keyOf(mark)) ?? new Set()).add(text));
    const { tr } = now;
    for (const { mark, from, to, text } of is) {
      if (were.get(keyOf(mark))?.has(text) === false) tr.removeMark(from, to, mark);
    }
    return tr.docChanged ? tr : null;
  },
});

/** The mentions between two positions. */
export function listMentions(doc: Node, from: number, to: number): Mention[] {
  return placedLeaves(doc, from, to).flatMap(({ node, pos }) => mentionsIn(node, pos + 1));
}

function mentionsIn(leaf: Node, start: number): Mention[] {
  const found: Mention[] = [];
  leaf.forEach((child, offset) => {
    for (const mark of child.marks) {
      if (mark.type !== schema.marks.mention) continue;
      const from = start + offset;
      const to = from + child.nodeSize;
      const text = child.text ?? "\n";
      const last = found.find((one) => one.to === from && one.mark.eq(mark));
      if (last === undefined) found.push({ mark, from, to, text });
      else {
        last.to = to;
        last.text += text;
      }
    }
  });
  return found;
}

function keyOf({ attrs }: Mark): string {
  return `${attrs.factId} ${attrs.mentionId ?? ""}`;
}
