import type { JSX } from "preact";
import type { Command } from "prosemirror-state";
import { Field, Tick } from "../../parts/fields.tsx";
import { preference, setPreference, togglePreference } from "./preferences.ts";
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

interface TextMenuProps {
  writer: Writer;
  bookId: string;
  close: () => void;
}

/** The forms of a paragraph, the style of quotation marks and dashes, and how much one sitting is to bring. */
export function TextMenu({ writer: { view }, bookId, close }: TextMenuProps): JSX.Element {
  return (
    <>
      {FORMS.map(([name, hint, command]) => (
        <button
          key={name}
          type="button"
          onClick={() => {
            close();
            view.focus();
            command(view.state, view.dispatch);
          }}
        >
          {name} <kbd>{hint}</kbd>
        </button>
      ))}
      <Tick isOn={preference("curly").value === "on"} onChange={() => togglePreference("curly")}>
        Quotation marks and dashes as in books
      </Tick>
      <Field
        label="Words a sitting"
        type="number"
        min={0}
        step={50}
        value={preference("sitting").value}
        onInput={({ currentTarget }) => setPreference("sitting", currentTarget.value)}
      />
      <a href={findPlace(bookId, "")}>
        Replace in the whole book <kbd>Ctrl H</kbd>
      </a>
    </>
  );
}
