import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { Command } from "prosemirror-state";
import { Tick } from "../../parts/fields.tsx";
import { preference, togglePreference } from "./preferences.ts";
import { breakScene, toggleHeading, toggleList, toggleQuote } from "./text/commands.ts";
import { findPlace } from "./use-write-keys.ts";
import type { Writer } from "./writer.ts";

const FORMS: readonly (readonly [name: string, hint: string, command: Command])[] = [
  ["Scene break", "***", breakScene],
  ["Heading", "## ", toggleHeading],
  ["Quotation", "> ", toggleQuote],
  ["List", "- ", toggleList("bullet_list")],
  ["Numbered list", "1. ", toggleList("ordered_list")],
];

/** The forms of a paragraph, and the style of quotation marks and dashes. */
export function TextMenu({ writer: { view }, bookId }: { writer: Writer; bookId: string }): JSX.Element {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => menu.current?.removeAttribute("open");
  return (
    <details
      class="menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation(); // elsewhere it is the end of writing
        close();
      }}
    >
      <summary>Text</summary>
      <ul>
        {FORMS.map(([name, hint, command]) => (
          <li key={name}>
            <button
              type="button"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                command(view.state, view.dispatch);
                close();
                view.focus();
              }}
            >
              {name} <kbd>{hint}</kbd>
            </button>
          </li>
        ))}
        <li>
          <Tick isOn={preference("curly").value === "on"} onChange={() => togglePreference("curly")}>
            Quotation marks and dashes as in books
          </Tick>
        </li>
        <li>
          <a href={findPlace(bookId, "")}>
            Replace in the whole book <kbd>Ctrl H</kbd>
          </a>
        </li>
      </ul>
    </details>
  );
}
