import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import { useKeys } from "../../parts/keys.ts";

/** Which paragraph is meant, or whatever else is gone through. */
export interface Cursor {
  /** Its id: the one that has the focus, else the first that is seen; null where there is none. */
  current(): string | null;
}

/** A way by `j` and `k` through the elements with a `data-` of this name, which holds their ids. */
export function useCursor(
  article: RefObject<HTMLElement | null>,
  { name, noun } = { name: "block", noun: "paragraph" },
): Cursor {
  const cursor = useMemo(() => {
    const blocks = () => [...(article.current?.querySelectorAll<HTMLElement>(`[data-${name}]`) ?? [])];
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
      return all[at(all)]?.dataset[name] ?? null;
    };
    return { step, current };
  }, [article, name]);
  useKeys(
    [
      { keys: "j", does: `The next ${noun}`, run: () => cursor.step(1) },
      { keys: "k", does: `The ${noun} before`, run: () => cursor.step(-1) },
    ],
    [cursor],
  );
  return cursor;
}
