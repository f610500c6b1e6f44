import { Check, CloudOff, Pencil } from "lucide";
import type { JSX } from "preact";
import { Icon } from "../../parts/icon.tsx";
import { counted, number, when } from "../../parts/numbers.ts";
import type { Outline } from "../desk/outline.ts";
import { nextFocus } from "./modes.ts";
import type { SaveState } from "./saving/saver.ts";
import { sittingOf } from "./sitting.ts";
import { TextMenu } from "./text-menu.tsx";
import { useWords } from "./use-words.ts";
import { toggleWish, wish } from "./wishes.ts";
import type { Writer } from "./writer.ts";

/** The line below the text: whether it is saved, how long it is, what was written today, and how one likes to write. */
export function Strip({ writer, book, done }: { writer: Writer; book: Outline; done: string }): JSX.Element {
  const state = writer.saver.state.value;
  const { today, sitting } = sittingOf(book);
  return (
    <footer class="strip-status">
      <span class={`how ${state.kind}`} role="status">
        <Icon of={iconOf(state)} />
        {wordsOf(state)}
      </span>
      <span>{counted(useWords(writer), "word")}</span>
      <span class="wide">
        +{number(sitting.added)} −{number(sitting.removed)} this sitting
      </span>
      <span class="wide">
        +{number(today.added)} −{number(today.removed)} today
      </span>
      <span class="wide">revision {writer.saver.revision.value}</span>
      <span class="right">
        <TextMenu writer={writer} bookId={book.id} />
        <button type="button" class="btn plain wide" onClick={() => nextFocus(writer.view)}>
          Focus: {wish("focus").value} <kbd>Ctrl</kbd> <kbd>.</kbd>
        </button>
        <button
          type="button"
          class="btn plain wide"
          aria-pressed={wish("typewriter").value === "on"}
          onClick={() => toggleWish("typewriter")}
        >
          Typewriter
        </button>
        <a href={done}>
          Done <kbd>Esc</kbd>
        </a>
      </span>
    </footer>
  );
}

function iconOf({ kind }: SaveState): typeof Check {
  if (kind === "saved") return Check;
  return kind === "unsaved" || kind === "saving" ? Pencil : CloudOff;
}

function wordsOf(state: SaveState): string {
  switch (state.kind) {
    case "saved":
      return state.at === undefined ? "Saved" : `Saved ${when(state.at.toISOString())}`;
    case "unsaved":
      return "Writing";
    case "saving":
      return "Saving";
    case "offline":
      return "Not saved: the server does not answer. Kept in this browser.";
    case "signed-out":
      return "Not saved: signed out. Kept in this browser.";
    case "refused":
      return `Not saved: ${state.message} Kept in this browser.`;
  }
}
