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
    const look = () => {
      const all = [...(article.current?.querySelectorAll<HTMLElement>(`[data-${name}]`) ?? [])];
      const focused = all.findIndex((block) => block.contains(document.activeElement));
      const seen = all.findIndex((block) => block.getBoundingClientRect().bottom > 80);
      return { all, focused, seen };
    };
    const step = (by: number) => {
      const { all, focused, seen } = look();
      const next = all[focused === -1 ? seen : Math.max(0, Math.min(all.length - 1, focused + by))];
      next?.focus({ preventScroll: true });
      next?.scrollIntoView({ block: "nearest" });
    };
    const current = () => {
      const { all, focused, seen } = look();
      return all[focused === -1 ? seen : focused]?.dataset[name] ?? null;
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
