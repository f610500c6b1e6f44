import type { JSX } from "preact";
import { useRead } from "../../api/reads.ts";
import { undoAll } from "../../api/undo.ts";
import { ActLine } from "../../parts/acts/act-line.tsx";
import type { Act } from "../../parts/acts/act-words.ts";
import { Button } from "../../parts/button.tsx";
import { when } from "../../parts/numbers.ts";
import type { Outline } from "../../parts/view.tsx";

const SHOWN = 6;

/** The newest sittings of a book, the newest last, without undone ones and undos; of more than 40 only if those are others'. */
export function useLately(bookId: string): readonly Act[] | undefined {
  const useActs = (limit: number, isAsked: boolean) =>
    useRead("listActs", isAsked ? { query: { group: "sitting", limit } } : undefined).answer?.acts.filter(
      ({ undoneBy, undoes, bookIds }) => undoneBy === null && undoes === null && bookIds.includes(bookId),
    );
  const few = useActs(40, true);
  const many = useActs(500, few?.length === 0);
  return many ?? few;
}

/** The newest sittings that touched this book, each with its Undo. */
export function Lately({ book }: { book: Outline }): JSX.Element | null {
  const own = useLately(book.id) ?? [];
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
