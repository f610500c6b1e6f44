import { useEffect, useState } from "preact/hooks";

/** Not later than so, however busy the browser is. */
const LATEST_MS = 100;

/** Runs something when the browser has nothing else to do; the answer takes that back. */
function whenIdle(run: () => void): () => void {
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(run, LATEST_MS);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(run, { timeout: LATEST_MS });
  return () => cancelIdleCallback(asked);
}

/** Until then what the window shows may still wait for an answer or a font, which go first. */
const FIRST_MS = 150;

/** How much of a long list is shown by now: at first what a window holds, then `more` whenever the browser is idle. */
export function useSlices(all: number, atFirst: number, more: number): number {
  const [shown, setShown] = useState(atFirst);
  useEffect(() => {
    if (shown >= all) return;
    let leave: (() => void) | undefined;
    const next = () => {
      leave = whenIdle(() => setShown((count) => count + more));
    };
    const timer = setTimeout(next, shown === atFirst ? FIRST_MS : 0);
    return () => {
      clearTimeout(timer);
      leave?.();
    };
  }, [shown, all, atFirst, more]);
  return Math.min(shown, all);
}
