import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

const GAP_PX = 12;

/**
 * Moves notes of the margin down where they would lie over the one before: each as near its paragraph as there is room. The
 * article is at least so high that what stands behind it, level with its end, is below them.
 */
export function useStackedNotes(article: RefObject<HTMLElement | null>, changes: readonly unknown[]): void {
  useLayoutEffect(() => {
    const { current } = article;
    if (current === null) return;
    const stack = () => {
      const notes = [...current.querySelectorAll<HTMLElement>(".noted > .note")];
      for (const note of notes) note.style.marginTop = "";
      let end = Number.NEGATIVE_INFINITY;
      // All is measured before anything is moved: one layout, however many notes.
      const places = notes.map((note) => ({
        note,
        rect: note.getBoundingClientRect(),
        isBeside: getComputedStyle(note).position === "absolute",
      }));
      for (const { note, rect, isBeside } of places) {
        if (!isBeside) continue;
        const by = Math.max(0, end - rect.top);
        if (by > 0) note.style.marginTop = `${by}px`;
        end = rect.top + by + rect.height + GAP_PX;
      }
      const behind = current.nextElementSibling?.getBoundingClientRect().height ?? 0;
      const height = end - current.getBoundingClientRect().top + behind;
      current.style.minHeight = Number.isFinite(height) ? `${height}px` : "";
    };
    const observer = new ResizeObserver(stack);
    const slices = new MutationObserver(stack);
    observer.observe(current);
    slices.observe(current, { childList: true });
    stack();
    return () => {
      observer.disconnect();
      slices.disconnect();
    };
  }, changes);
}
