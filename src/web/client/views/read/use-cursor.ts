import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { useKeys } from "../../parts/keys.ts";

/** Which paragraph is meant. */
export interface Cursor {
  /** Its id: the paragraph that has the focus, else the first that is seen; null in an empty chapter. */
  current(): string | null;
}

/** A way through the paragraphs by `j` and `k`. */
export function useCursor(article: RefObject<HTMLElement | null>): Cursor {
  const cursor = useMemo(() => {
    const blocks = () => [...(article.current?.querySelectorAll<HTMLElement>("[data-block]") ?? [])];
    const at = (all: readonly HTMLElement[]) => {
      const focused = all.findIndex((block) => block.contains(document.activeElement));
      return focused === -1 ? all.findIndex((block) => block.getBoundingClientRect().bottom > 80) : focused;
    };
    const step = (by: number) => {
      const all = blocks();
      const isFirst = !all.some((block) => block.contains(document.activeElement));
      const next = all[Math.max(0, Math.min(all.length - 1, at(all) + (isFirst ? 0 : by)))];
      next?.focus({ preventScroll: true });
      next?.scrollIntoView({ block: "nearest" });
    };
    const current = () => {
      const all = blocks();
      return all[at(all)]?.dataset.block ?? null;
    };
    return { step, current };
  }, [article]);
  useKeys(
    [
      { keys: "j", does: "The next paragraph", run: () => cursor.step(1) },
      { keys: "k", does: "The paragraph before", run: () => cursor.step(-1) },
    ],
    [cursor],
  );
  return cursor;
}
