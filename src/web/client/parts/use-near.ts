import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** How far beyond what is seen something counts as near. */
const AROUND = "1500px";
const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

/**
 * Whether an element is, or was, near what is seen: of hundreds of rows only those are worth their fields and menus. With
 * `isAtOnce` it is from the beginning.
 */
export function useNear<Kind extends Element>(
  isAtOnce: boolean,
): { isNear: boolean; place: RefObject<Kind | null> } {
  const [isNear, setNear] = useState(isAtOnce);
  const place = useRef<Kind>(null);
  useEffect(() => {
    const { current } = place;
    if (isNear || current === null) return;
    observer ??= new IntersectionObserver(tell, { rootMargin: AROUND });
    waiting.set(current, () => setNear(true));
    observer.observe(current);
    return () => forget(current);
  }, [isNear]);
  return { isNear, place };
}

function tell(entries: readonly IntersectionObserverEntry[]): void {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    waiting.get(target)?.();
    forget(target);
  }
}

function forget(element: Element): void {
  observer?.unobserve(element);
  waiting.delete(element);
}
