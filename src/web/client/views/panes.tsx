import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useKeys } from "../parts/keys.ts";
import { useTitle } from "../parts/view.tsx";
import { go, type Place, query } from "../router.ts";
import "../style/panes.css";

const KEY = "manuscript.panes";
const SIDES = ["Left", "Right"];

/**
 * Two views side by side, each the page itself in a frame: whatever a window of that width shows, a pane shows, and one can
 * write in both. The key that opened them closes all but the one where it is pressed.
 */
export function View({ bookId }: Place): JSX.Element {
  const panes = useRef<HTMLElement>(null);
  const [first] = useState(() => firstOf(bookId));
  const frames = () => [...(panes.current?.querySelectorAll("iframe") ?? [])];
  const keep = () => sessionStorage.setItem(KEY, JSON.stringify(frames().map(addressOf)));
  const close = (frame: HTMLIFrameElement | undefined) => {
    keep();
    go(addressOf(frame));
  };
  useTitle("Two panes · Manuscript");
  useKeys([{ keys: "\\", does: "One pane", run: () => close(frames()[0]) }], []);
  useEffect(() => {
    history.replaceState(null, "", `/b/${bookId}/panes`);
    addEventListener("pagehide", keep);
    return () => removeEventListener("pagehide", keep);
  }, []);
  return (
    <main id="content" class="panes" ref={panes}>
      {SIDES.map((side, index) => (
        <iframe
          key={side}
          title={side}
          src={first[index]}
          onLoad={({ currentTarget }) => index === 0 && currentTarget.contentWindow?.focus()}
          onClose={({ currentTarget }) => close(currentTarget)}
        />
      ))}
    </main>
  );
}

/** Where one came from, and what stood beside it last: at first the book's notes. */
function firstOf(bookId: string): readonly [left: string, right: string] {
  const [left = `/b/${bookId}`, right = ""]: string[] = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  return [query.value.get("left") ?? left, right.startsWith(`/b/${bookId}`) ? right : `/b/${bookId}/notes`];
}

function addressOf(frame: HTMLIFrameElement | undefined): string {
  const { pathname = "/", search = "", hash = "" } = frame?.contentWindow?.location ?? {};
  return pathname + search + hash;
}
