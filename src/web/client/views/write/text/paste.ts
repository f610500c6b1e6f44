import { Fragment, type Node, Slice } from "prosemirror-model";
import { Plugin } from "prosemirror-state";
import { SCENE_BREAK } from "../../../../../text/scene-break.ts";
import { schema } from "./schema.ts";

const { scene_break } = schema.nodes;

/**
 * Takes what a word processor gives as an import takes its documents: with its italics and bold, scene breaks made of what stands
 * for them, and without the empty paragraphs that are but room.
 */
export const paste: Plugin = new Plugin({
  props: {
    // The page's policy lets no style be read from where it stands. What the text itself has copied has none.
    transformPastedHTML: (html) =>
      html.includes("data-pm-slice") ? html : html.replace(/(<[^<>]*?\s)style=/gi, "$1data-style="),
    transformPasted: withoutRoom,
  },
});

/** Of several blocks: paragraphs that have no id, so that they are of another program, or new. */
function withoutRoom({ content, openStart, openEnd }: Slice): Slice {
  if (content.childCount < 2) return new Slice(content, openStart, openEnd);
  const blocks: Node[] = [];
  content.forEach((block) => {
    const text = isStrange(block) ? block.textBetween(0, block.content.size, " ", " ") : undefined;
    if (text !== undefined && SCENE_BREAK.test(text)) blocks.push(scene_break.create());
    else if (text === undefined || text.trim() !== "") blocks.push(block);
  });
  const stays = (one: Node | null | undefined, open: number) => (one && blocks.includes(one) ? open : 0);
  return new Slice(
    Fragment.from(blocks),
    stays(content.firstChild, openStart),
    stays(content.lastChild, openEnd),
  );
}

function isStrange({ type, attrs }: Node): boolean {
  return type === schema.nodes.paragraph && attrs.blockId === null;
}
