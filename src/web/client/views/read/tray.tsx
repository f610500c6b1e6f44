import type { JSX, RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Button, Opener } from "../../parts/button.tsx";
import { Note } from "./note.tsx";
import { type NewNote, NoteForm } from "./note-form.tsx";
import { changeNote, type Snippet } from "./snippet.ts";

interface TrayProps {
  snippets: readonly Snippet[];
  article: RefObject<HTMLElement | null>;
  pointed: Snippet | undefined;
  onPoint: (snippet: Snippet | undefined) => void;
  at: NewNote;
}

/** Notes without a paragraph: those that lost theirs, to be put back by pointing, and those that stand beside the chapter. */
export function Tray({ snippets, article, pointed, onPoint, at }: TrayProps): JSX.Element {
  const loose = snippets.filter(({ blockId }) => blockId === null);
  const detached = loose.filter(({ detached: lost }) => lost !== null);
  usePointing(article, pointed, onPoint);
  return (
    <aside class="tray" aria-label="Notes without a paragraph">
      {detached.map((snippet) => (
        <section key={snippet.id}>
          <p class="caps">Detached</p>
          <Note snippet={snippet} />
          {snippet.detached?.quote && (
            <p>
              It stood beside <q>{snippet.detached.quote}</q>
            </p>
          )}
          <Button onClick={() => onPoint(pointed === snippet ? undefined : snippet)}>
            {pointed?.id === snippet.id ? "Now choose a paragraph (Esc to cancel)" : "Choose a paragraph"}
          </Button>
        </section>
      ))}
      {loose
        .filter(({ detached: lost }) => lost === null)
        .map((snippet) => (
          <Note key={snippet.id} snippet={snippet} />
        ))}
      <Opener text="A note beside the chapter">{(close) => <NoteForm at={at} onDone={close} />}</Opener>
    </aside>
  );
}

/** While a note is pointed, the paragraph that is clicked, or has the focus when Enter is pressed, gets it. */
function usePointing(
  article: RefObject<HTMLElement | null>,
  pointed: Snippet | undefined,
  onPoint: (snippet: Snippet | undefined) => void,
): void {
  useLayoutEffect(() => {
    if (pointed === undefined) return;
    const put = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key === "Escape") onPoint(undefined);
      if (event instanceof KeyboardEvent && event.key !== "Enter") return;
      const block =
        event.target instanceof Element ? event.target.closest<HTMLElement>("[data-block]") : null;
      if (block?.dataset.block === undefined || !article.current?.contains(block)) return;
      event.preventDefault();
      event.stopPropagation();
      onPoint(undefined);
      changeNote(pointed, { blockId: block.dataset.block }, "The note stands beside that paragraph.");
    };
    document.addEventListener("click", put, true);
    document.addEventListener("keydown", put, true);
    return () => {
      document.removeEventListener("click", put, true);
      document.removeEventListener("keydown", put, true);
    };
  }, [pointed, article, onPoint]);
}
