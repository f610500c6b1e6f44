import { useEffect, useState } from "preact/hooks";

/** Until then what the window shows may still wait for an answer or a font, which go first. */
const FIRST_MS = 150;

/** How much of a long list is shown by now: at first what a window holds, then `more` at a time, with whatever waits in between. */
export function useSlices(all: number, atFirst: number, more: number): number {
  const [shown, setShown] = useState(atFirst);
  useEffect(() => {
    if (shown >= all) return;
    const timer = setTimeout(() => setShown(shown + more), shown === atFirst ? FIRST_MS : 0);
    return () => clearTimeout(timer);
  }, [shown, all, atFirst, more]);
  return Math.min(shown, all);
}
