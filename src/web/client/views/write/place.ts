import { useEffect } from "preact/hooks";
import type { EditorView } from "prosemirror-view";
import { takeTyped } from "../../parts/ahead.ts";
import { address } from "../../router.ts";
import { findLeaf, leafAt } from "./text/leaves.ts";
import { select, typeIn } from "./text/open-text.ts";

const KEY = "manuscript.write.at.";
/** Below the bar, in pixels. */
const TOP = 96;

/** A place in a block, and how far below the window's top it was seen. */
type Spot = [id: string | null | undefined, offset: number, top: number];

/** Remembers where one was in a chapter: the cursor, and what stood at the top of the window. */
export function useKeptPlace(view: EditorView, chapterId: string): void {
  useEffect(() => {
    const keep = () => {
      const { left, right } = view.dom.getBoundingClientRect();
      const seen = view.posAtCoords({ left: (left + right) / 2, top: TOP })?.pos;
      const spots = [view.state.selection.head, ...(seen === undefined ? [] : [seen])].map((pos): Spot => {
        const leaf = leafAt(view.state.doc, pos);
        return [leaf?.id, pos - (leaf?.pos ?? 0), view.coordsAtPos(pos).top];
      });
      localStorage.setItem(KEY + chapterId, JSON.stringify(spots));
    };
    addEventListener("pagehide", keep);
    const end = address.subscribe(keep); // hears of it before the window is scrolled back
    return () => {
      removeEventListener("pagehide", keep);
      end();
    };
  }, [view, chapterId]);
}

/** One can write at once: at the paragraph that the address names, else where one was last. What was typed by now stands there. */
export function showStart(view: EditorView, chapterId: string): void {
  const typed = takeTyped();
  if (document.activeElement === document.body) {
    const named = findLeaf(view.state.doc, decodeURIComponent(location.hash.slice(1)));
    view.focus();
    if (named === undefined) goBack(view, chapterId);
    else {
      select(view, named.pos);
      (view.nodeDOM(named.pos) as Element).scrollIntoView({ block: "center" });
    }
  }
  typeIn(view, typed);
}

function goBack(view: EditorView, chapterId: string): void {
  const { doc } = view.state;
  const spots: Spot[] = JSON.parse(localStorage.getItem(KEY + chapterId) ?? "[]");
  const [cursor, seen] = spots.map(([id, offset, top]) => {
    const leaf = findLeaf(doc, id ?? "");
    return leaf && { pos: leaf.pos + Math.min(offset, leaf.node.nodeSize - 1), top };
  });
  if (cursor !== undefined) select(view, cursor.pos);
  // Paragraphs drawn on the way may be taller or shorter than their estimate.
  for (let tries = 0; seen !== undefined && tries < 3; tries++)
    scrollBy({ top: view.coordsAtPos(seen.pos).top - seen.top, behavior: "instant" });
}
