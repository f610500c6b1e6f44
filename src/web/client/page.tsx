import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { session } from "./api/session.ts";
import { OverView } from "./go-to/over.tsx";
import { takeTyped, typeAhead } from "./parts/ahead.ts";
import { Bar } from "./parts/bar.tsx";
import { later } from "./parts/later.tsx";
import { OfflineLine } from "./parts/states.tsx";
import { Toasts } from "./parts/toasts.tsx";
import { address, path } from "./router.ts";
import { viewOf } from "./views.tsx";

const SignedOut = later(() => import("./views/signed-out.tsx"));
const SessionLost = later(() => import("./views/session-lost.tsx"));
const LAST = "manuscript.book";

/** The book that the address names, in settings the one that it named last. */
function useBook(): string | undefined {
  const named = /^\/b\/([^/]+)/.exec(path.value)?.[1];
  useEffect(() => {
    if (named !== undefined) sessionStorage.setItem(LAST, named);
  }, [named]);
  return named ?? (path.value === "/settings" ? (sessionStorage.getItem(LAST) ?? undefined) : undefined);
}

/** The whole page: bar, view, what floats above. */
export function Page(): JSX.Element {
  const bookId = useBook();
  const isIn = session.value && path.value !== "/open";
  const last = useRef("");
  if (isIn) last.current = address.value;
  const isWriting = /\/edit|\?write/.test(address.value);
  // Where one writes one goes on, though the session has ended.
  const isKept = session.value === "" && last.current === address.value && isWriting;
  useLayoutEffect(() => {
    if (isIn && isWriting) typeAhead();
    return takeTyped; // where nobody took it, the text never came
  }, [isWriting && path.value]);
  useEffect(() => {
    document.body.dataset.path = path.value;
  }, [path.value]);
  return (
    <>
      <a class="skip" href="#content">
        Skip to the text
      </a>
      <OfflineLine />
      {isKept && <SessionLost />}
      {isIn || isKept ? (
        <>
          {!/panes$/.test(path.value) && <Bar bookId={bookId} />}
          {viewOf(path.value)}
          <OverView bookId={bookId} />
        </>
      ) : (
        <SignedOut />
      )}
      <Toasts />
    </>
  );
}
