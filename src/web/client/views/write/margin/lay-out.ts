import type { EditorView } from "prosemirror-view";
import { setBeside } from "../text/beside.ts";

const GAP_PX = 16;

/**
 * Puts what stands in the margin level with its paragraph, the next below the one before. Where the margin is too narrow each
 * stands below its paragraph, in room that is made there. All is measured before anything is moved.
 */
export function layOut(margin: HTMLElement, view: EditorView): void {
  const groups = [...margin.children].flatMap((group) => {
    if (!(group instanceof HTMLElement)) return [];
    const id = group.dataset.beside ?? "";
    const block = view.dom.querySelector<HTMLElement>(`[data-block="${CSS.escape(id)}"]`);
    return block === null ? [] : [{ id, group, block }];
  });
  const isBelow = getComputedStyle(margin).getPropertyValue("--is-below").trim() === "1";
  const top = margin.getBoundingClientRect().top;
  const places = groups.map(({ id, group, block }) => {
    const rect = block.getBoundingClientRect();
    return { id, group, rect, height: group.offsetHeight };
  });
  let end = Number.NEGATIVE_INFINITY;
  const rooms = new Map<string, number>();
  for (const { id, group, rect, height } of places) {
    const room = isBelow ? height + GAP_PX : 0;
    rooms.set(id, room);
    const at = isBelow ? rect.bottom - top - height - GAP_PX / 2 : Math.max(rect.top - top, end);
    group.style.top = `${at}px`;
    end = at + height + GAP_PX;
  }
  tell(view, rooms);
}

const told = new WeakMap<EditorView, string>();

/** Only what is new is told: telling it draws the text again, and that asks for this again. */
function tell(view: EditorView, rooms: ReadonlyMap<string, number>): void {
  const words = JSON.stringify([...rooms]);
  if (told.get(view) === words) return;
  told.set(view, words);
  view.dispatch(setBeside(view.state, rooms));
}
