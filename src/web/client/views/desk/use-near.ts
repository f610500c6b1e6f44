import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { whenIdle } from "../../parts/use-slices.ts";

/** So many rows get their fields and menus in one go: some 5 ms of work. */
const AT_ONCE = 4;
const TOLD = "contentvisibilityautostatechange";

/**
 * Whether a chapter's row is, or was, near what is seen: of hundreds of rows only those are worth their fields and menus.
 * The browser says itself when it begins to lay a row out; a browser that does not gets all of them.
 */
export function useNear(list: RefObject<HTMLElement | null>): (chapterId: string) => boolean {
  const [near, setNear] = useState<ReadonlySet<string>>(() => new Set());
  useLayoutEffect(() => {
    const { current } = list;
    if (current === null) return;
    const coming = new Set<string>();
    let leave: (() => void) | undefined;
    const take = () => {
      const next = [...coming].slice(0, AT_ONCE);
      for (const id of next) coming.delete(id);
      setNear((known) => new Set([...known, ...next]));
      leave = coming.size > 0 ? whenIdle(take) : undefined;
    };
    const follow = (event: Event) => {
      const id = event.target instanceof HTMLElement ? event.target.dataset.far : undefined;
      if (id === undefined) return;
      if ((event as ContentVisibilityAutoStateChangeEvent).skipped) coming.delete(id);
      else coming.add(id);
      leave ??= whenIdle(take);
    };
    current.addEventListener(TOLD, follow);
    return () => {
      current.removeEventListener(TOLD, follow);
      leave?.();
    };
  }, [list]);
  return (chapterId) => near.has(chapterId) || !(`on${TOLD}` in document);
}
