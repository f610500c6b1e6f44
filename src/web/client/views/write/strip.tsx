import { Check, CloudOff, Pencil } from "lucide";
import type { JSX } from "preact";
import { Button, Icon } from "../../parts/button.tsx";
import { Menu } from "../../parts/menu.tsx";
import { counted, number, when } from "../../parts/numbers.ts";
import type { Outline } from "../../parts/view.tsx";
import { preference, togglePreference } from "./preferences.ts";
import type { SaveState } from "./saving/saver.ts";
import { TextMenu } from "./text-menu.tsx";
import { useWords } from "./use-words.ts";
import { nextFocus } from "./use-write-keys.ts";
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
      <Ring written={sitting.added} />
      {saidOf(sitting, "this sitting")}
      {saidOf(today, "today")}
      <span class="right">
        <Menu label="Text menu" icon="Text">
          {(close) => <TextMenu writer={writer} bookId={book.id} close={close} />}
        </Menu>
        <Button kind="plain wide" onClick={() => nextFocus(writer.view)}>
          Focus: {preference("focus").value}
        </Button>
        <Button
          kind="plain wide"
          aria-pressed={preference("typewriter").value === "on"}
          onClick={() => togglePreference("typewriter")}
        >
          Typewriter
        </Button>
        <a href={done}>
          Done <kbd>Esc</kbd>
        </a>
      </span>
    </footer>
  );
}

/** How near a sitting is to the words that it is to bring; nothing where there are none. */
function Ring({ written }: { written: number }): JSX.Element | null {
  const target = Number(preference("sitting").value);
  if (!target) return null;
  const said = `${number(written)} of ${counted(target, "word")} this sitting`;
  return (
    <span class="ring" role="img" title={said} aria-label={said} style={{ "--part": written / target }} />
  );
}

/** The words added and cut; nothing where there were none. */
function saidOf({ added, removed }: Written, since: string): JSX.Element | false {
  return (
    added + removed > 0 && (
      <span class="wide">
        +{number(added)} −{number(removed)} {since}
      </span>
    )
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
    case "saving":
      return "Writing";
    case "offline":
      return "Not saved: the server does not answer. Kept in this browser.";
    case "signed-out":
      return "Not saved: signed out. Kept in this browser.";
    case "refused":
      return `Not saved: ${state.message} Kept in this browser.`;
  }
}

/** Words added and cut. */
interface Written {
  added: number;
  removed: number;
}

const NOTHING: Written = { added: 0, removed: 0 };
/** The day's words when this page was opened, by book. */
const starts = new Map<string, Written & { date: string }>();

/** Returns the words of today, and those since the page was opened. */
function sittingOf({ id, progress }: Outline): { today: Written; sitting: Written } {
  const last = progress.at(-1);
  if (last === undefined) return { today: NOTHING, sitting: NOTHING };
  const start = starts.get(id) ?? last;
  starts.set(id, start);
  const since = start.date === last.date ? start : NOTHING; // past midnight the day counts from nothing
  return {
    today: last,
    sitting: {
      added: Math.max(0, last.added - since.added),
      removed: Math.max(0, last.removed - since.removed),
    },
  };
}
