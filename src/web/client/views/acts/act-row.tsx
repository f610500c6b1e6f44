import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { doneOf } from "../../../../contract/act-words.ts";
import { useRead } from "../../api/reads.ts";
import { undoAll } from "../../api/undo.ts";
import { ActLine } from "../../parts/acts/act-line.tsx";
import type { Act } from "../../parts/acts/act-words.ts";
import { Button } from "../../parts/button.tsx";
import { clock, counted, number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import type { Outline } from "../../parts/view.tsx";

type Sitting = NonNullable<Act["sitting"]>;

/** A sitting: who did what, when, how many words; taken back, done again, or opened to see its acts. */
export function ActRow({ book, act }: { book: Outline; act: Act }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { sitting, undoneBy } = act;
  const chapterId = act.touched.chapters.length === 1 ? act.touched.chapters[0] : undefined;
  const isLong = sitting !== undefined && sitting.count > 1 && chapterId !== undefined;
  return (
    <li class={undoneBy === null ? "act" : "act undone"}>
      <div>
        <ActLine act={act} />
        <small>
          {sitting && clock(sitting.from) !== clock(act.at) ? `${clock(sitting.from)} – ` : ""}
          {clock(act.at)}
          {sitting && sitting.added + sitting.removed > 0 && (
            <>
              {" · "}+{number(sitting.added)} −{number(sitting.removed)}
            </>
          )}
          {undoneBy !== null && " · undone"}
          {isLong && (
            <Button kind="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {counted(sitting.count, "save")}
            </Button>
          )}
        </small>
      </div>
      <Again act={act} />
      {isOpen && isLong && (
        <Saves bookId={book.id} chapterId={chapterId} sitting={sitting} isUndone={undoneBy !== null} />
      )}
    </li>
  );
}

function Again({ act: { id, sitting, undoneBy } }: { act: Act }): JSX.Element | null {
  if (undoneBy === null) return <Button onClick={() => undoAll(sitting?.acts ?? [id])}>Undo</Button>;
  // Of a longer sitting only the newest undo is known here; its acts can be done again one by one.
  if (sitting !== undefined && sitting.count > 1) return null;
  return <Button onClick={() => undoAll([undoneBy])}>Redo</Button>;
}

interface SavesProps {
  bookId: string;
  chapterId: string;
  sitting: Sitting;
  isUndone: boolean;
}

/** Each act of a sitting, and the way to what they changed. */
function Saves({ bookId, chapterId, sitting, isUndone }: SavesProps): JSX.Element {
  const read = useRead("listRevisions", { params: { chapterId } });
  return (
    <Await read={read}>
      {({ revisions }) => {
        const own = revisions.filter(({ act }) => sitting.acts.includes(act));
        const [first, last] = [own[0]?.revision ?? 1, own.at(-1)?.revision ?? 1];
        return (
          <div class="saves">
            <ul class="rows">
              {own.toReversed().map(({ act, at, kind, source, added, removed }) => (
                <li key={act}>
                  <span>
                    {clock(at)} {doneOf({ kind, source })}, +{number(added)} −{number(removed)}
                  </span>
                  {!isUndone && (
                    <Button kind="plain" onClick={() => undoAll([act])}>
                      Undo this one
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {first > 1 && (
              <a class="link" href={`/b/${bookId}/c/${chapterId}/history?from=${first - 1}&to=${last}`}>
                What changed
              </a>
            )}
          </div>
        );
      }}
    </Await>
  );
}
