import type { JSX } from "preact";
import { useRead } from "../../api/reads.ts";
import { undoAll } from "../../api/undo.ts";
import { ActLine, isOf } from "../../parts/acts/act-line.tsx";
import { Button } from "../../parts/button.tsx";
import { when } from "../../parts/numbers.ts";
import type { Outline } from "../../parts/view.tsx";

const SHOWN = 6;
/** The query of the newest sittings; the desk's `u` reads the same answer. */
export const LATELY = { query: { group: "sitting", limit: 40 } } as const;

/** The newest sittings that touched this book, each with its Undo. */
export function Lately({ book }: { book: Outline }): JSX.Element | null {
  const acts = useRead("listActs", LATELY).answer?.acts ?? [];
  const own = acts.filter((act) => act.undoneBy === null && act.undoes === null && isOf(book, act));
  if (own.length === 0) return null;
  return (
    <section>
      <h2 class="caps">Lately</h2>
      <ul class="rows">
        {own
          .slice(-SHOWN)
          .toReversed()
          .map((act) => (
            <li key={act.sitting?.first ?? act.id}>
              <div>
                <ActLine act={act} />
                <small>{when(act.at)}</small>
              </div>
              <Button onClick={() => undoAll(act.sitting?.acts ?? [act.id])}>Undo</Button>
            </li>
          ))}
      </ul>
      <p>
        <a class="link" href={`/b/${book.id}/acts`}>
          Full history
        </a>
      </p>
    </section>
  );
}
