import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { session } from "./api/session.ts";
import { Bar } from "./parts/bar.tsx";
import { GoToField } from "./parts/go-to-field.tsx";
import { KeySheet } from "./parts/key-sheet.tsx";
import { OfflineLine } from "./parts/states.tsx";
import { Toasts } from "./parts/toasts.tsx";
import { path } from "./router.ts";
import { SignedOut } from "./views/signed-out.tsx";
import { viewOf } from "./views.tsx";

/** The whole page: bar, view, what floats above. */
export function Page(): JSX.Element {
  const bookId = /^\/b\/([^/]+)/.exec(path.value)?.[1];
  const isIn = session.value !== null && path.value !== "/open";
  useEffect(() => {
    document.body.dataset.path = path.value;
  }, [path.value]);
  return (
    <>
      <a class="skip" href="#content">
        Skip to the text
      </a>
      <OfflineLine />
      {isIn && <Bar bookId={bookId} />}
      {isIn ? viewOf(path.value) : <SignedOut />}
      {isIn && <GoToField bookId={bookId} />}
      {isIn && <KeySheet bookId={bookId} />}
      <Toasts />
    </>
  );
}
