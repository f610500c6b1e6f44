import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { toggleMark } from "prosemirror-commands";
import type { Command } from "prosemirror-state";
import { later } from "../../parts/later.tsx";
import { schema } from "./text/schema.ts";
import type { Writer } from "./writer.ts";

const FactPicker = later(() => import("./fact-picker.tsx"));

interface BubbleProps {
  writer: Writer;
  bookId: string;
  onNote: () => void;
}

/** The toolbar over selected text. */
export function Bubble({ writer, bookId, onNote }: BubbleProps): JSX.Element | null {
  const { view, range } = writer;
  const place = useRef<HTMLDivElement>(null);
  const [isPicking, setPicking] = useState(false);
  const selected = range.value;
  useLayoutEffect(() => {
    if (selected === undefined) setPicking(false);
    else if (place.current !== null) put(place.current, writer);
  }, [selected, isPicking]);
  if (selected === undefined) return null;
  const run = (command: Command) => () => {
    command(view.state, view.dispatch);
    view.focus();
  };
  const { em, strong } = schema.marks;
  return (
    <div
      class="bubble"
      ref={place}
      role="toolbar"
      aria-label="Selected text"
      // The selection would be lost where the button takes the focus.
      onMouseDown={(event) => !isPicking && event.preventDefault()}
    >
      {isPicking ? (
        <FactPicker writer={writer} bookId={bookId} onDone={() => setPicking(false)} />
      ) : (
        <>
          <button type="button" title="Italic (Ctrl-I)" aria-label="Italic" onClick={run(toggleMark(em))}>
            <i>I</i>
          </button>
          <button type="button" title="Bold (Ctrl-B)" aria-label="Bold" onClick={run(toggleMark(strong))}>
            <b>B</b>
          </button>
          <button type="button" title="A note beside this paragraph (Ctrl-Alt-M)" onClick={onNote}>
            ¶ Note
          </button>
          <button type="button" onClick={() => setPicking(true)}>
            Mention
          </button>
        </>
      )}
    </div>
  );
}

function put(bubble: HTMLDivElement, { view, range }: Writer): void {
  const { parentElement } = bubble;
  const selected = range.peek();
  if (parentElement === null || selected === undefined) return;
  const around = parentElement.getBoundingClientRect();
  const { left, top } = view.coordsAtPos(selected.from);
  const most = around.width - bubble.offsetWidth;
  bubble.style.left = `${Math.max(0, Math.min(most, left - around.left))}px`;
  bubble.style.top = `${top - around.top - bubble.offsetHeight - 8}px`;
}
