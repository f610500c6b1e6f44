import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { EditorView } from "prosemirror-view";
import { Button, focusOnce } from "../../parts/button.tsx";
import { foundIn, goOn, lookFor } from "./text/find.ts";
import { findPlace } from "./use-write-keys.ts";
import type { Writer } from "./writer.ts";

interface FindProps {
  writer: Writer;
  bookId: string;
  onClose: () => void;
}

/** Looks for a text in the chapter. Enter goes on, Shift-Enter back, Escape ends it. */
export function FindBar({ writer: { view, shape }, bookId, onClose }: FindProps): JSX.Element {
  const [query, setQuery] = useState("");
  const [, showAgain] = useState(0);
  void shape.value; // the places move with the blocks
  const { matches, current } = foundIn(view.state);
  const look = (text: string) => {
    setQuery(text);
    view.dispatch(lookFor(view.state, text));
    show(view);
  };
  const go = (by: 1 | -1) => {
    view.dispatch(goOn(view.state, by));
    show(view);
    showAgain((count) => count + 1);
  };
  const close = () => {
    view.dispatch(lookFor(view.state, ""));
    onClose();
    view.focus();
  };
  return (
    <search class="find-bar">
      <input
        class="field"
        type="search"
        aria-label="Find in this chapter"
        placeholder="Find in this chapter"
        value={query}
        ref={focusOnce}
        onInput={({ currentTarget }) => look(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation(); // Escape in the text is the end of writing
          if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
          else close();
        }}
      />
      <span role="status">{query === "" ? "" : `${current + 1} of ${matches.length}`}</span>
      <Button disabled={matches.length === 0} onClick={() => go(-1)}>
        Before
      </Button>
      <Button disabled={matches.length === 0} onClick={() => go(1)}>
        Next
      </Button>
      <a class="link" href={findPlace(bookId, query)}>
        Replace in the whole book
      </a>
      <Button kind="plain" aria-label="Close" onClick={close}>
        ×
      </Button>
    </search>
  );
}

// The text itself scrolls to its selection only while it has the focus.
function show({ dom }: EditorView): void {
  dom.querySelector(".match.current")?.scrollIntoView({ block: "center" });
}
