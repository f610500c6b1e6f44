import { computed, signal } from "@preact/signals";

/** The ids that an address names, each "" where it names none. */
export interface Place {
  bookId: string;
  partId: string;
  chapterId: string;
  factId: string;
}

/** The views of a book: the key that leads there behind `g`, and the address below the book's. */
export const BOOK_VIEWS = [
  { key: "d", name: "Desk", at: "" },
  { key: "r", name: "Read the whole book", at: "/read" },
  { key: "m", name: "Story map", at: "/map" },
  { key: "i", name: "Insight", at: "/insight" },
  { key: "n", name: "Notes", at: "/notes" },
  { key: "p", name: "Proposals", at: "/proposals" },
  { key: "v", name: "Review", at: "/review" },
  { key: "f", name: "Replace across the book", at: "/replace" },
  { key: "h", name: "History", at: "/acts" },
  { key: "t", name: "Milestones", at: "/milestones" },
  { key: "e", name: "Export", at: "/export" },
] as const;

/** Where the page is: the address without its origin. */
export const address = signal(location.pathname + location.search + location.hash);
/** The path alone. */
export const path = computed(() => new URL(address.value, location.origin).pathname);
/** The query, such as `?r=3`. */
export const query = computed(() => new URL(address.value, location.origin).searchParams);

/** Goes to an address of the page; `isReplaced` leaves no way back to the one before. */
export function go(to: string, { isReplaced = false } = {}): void {
  history[isReplaced ? "replaceState" : "pushState"](null, "", to);
  address.value = location.pathname + location.search + location.hash;
  if (!location.hash) scrollTo(0, 0);
}

/** The parameters of a path by a pattern such as `/b/:bookId/c/:chapterId`; undefined if it is another's. */
export function match(pattern: string, of: string): Record<string, string> | undefined {
  const found = new RegExp(`^${pattern.replace(/:(\w+)/g, "(?<$1>[^/]+)")}/?$`).exec(of);
  return found ? { ...found.groups } : undefined;
}

/** From now on links of the page change the view and load nothing. */
export function followLinks(): void {
  addEventListener("popstate", () => {
    address.value = location.pathname + location.search + location.hash;
  });
  document.addEventListener("click", (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link =
      event.target instanceof Element ? event.target.closest("a[href]:not([target], [download])") : null;
    const to = link && new URL(link.getAttribute("href") ?? "", location.href); // one in a drawing has no origin
    if (to?.origin !== location.origin || !/^\/(?:$|b\/|settings$)/.test(to.pathname)) return;
    event.preventDefault();
    go(to.pathname + to.search + to.hash);
  });
}
