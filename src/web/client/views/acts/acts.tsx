import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import type { Act } from "../../parts/acts/act-words.ts";
import { byDay } from "../../parts/acts/days.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/fields.tsx";
import { Await } from "../../parts/states.tsx";
import { BookView, type Outline } from "../../parts/view.tsx";
import { ViewHead } from "../../parts/view-head.tsx";
import type { Place } from "../../router.ts";
import { ActRun, runsOf } from "./act-run.tsx";
import "../../style/book-acts.css";

/** Whose acts can be shown, by the source that they come from. */
const HANDS = [
  ["", "Everyone"],
  ["page", "You, on this page"],
  ["api", "Scripts"],
  ["mcp", "Agents"],
  ["cli", "The command line"],
  ["import", "Folders and files"],
] as const;
/** Sittings that are asked for at once. */
const PAGE = 50;

/** The history of a book by sitting, the newest first; each can be undone. */
export function View({ bookId }: Place): JSX.Element {
  const [source, setSource] = useState("");
  const [pages, setPages] = useState(1);
  return (
    <BookView bookId={bookId} title="History" kind="book-acts">
      {(book) => (
        <>
          <ViewHead
            title="History"
            about={
              <>
                Every change to <i dir="auto">{book.title}</i>, and a way to undo it.
              </>
            }
          >
            <Choice label="By whom" value={source} options={HANDS} onChange={setSource} />
          </ViewHead>
          <Acts book={book} pages={pages} source={source} onMore={() => setPages(pages + 1)} />
        </>
      )}
    </BookView>
  );
}

interface Wanted {
  book: Outline;
  /** How many pages of it are wanted. */
  pages: number;
  /** "" for any. */
  source: string;
  onMore: () => void;
}

/** The sittings before an act, without it the newest, and behind them the pages before those. */
function Acts({
  book,
  pages,
  source,
  onMore,
  before,
}: Wanted & { before?: string | undefined }): JSX.Element {
  const read = useRead("listActs", { query: { group: "sitting", limit: PAGE, before } });
  return (
    <Await read={read}>
      {({ acts }) => {
        // An undone act says so itself; its undo is not shown again.
        const shown = acts
          .filter((act) => act.undoes === null && act.bookIds.includes(book.id))
          .filter((act) => source === "" || act.source === source)
          .toReversed();
        const earliest = acts.length < PAGE ? undefined : firstOf(acts);
        // A page of which nothing is shown is no page.
        const left = shown.length === 0 ? pages : pages - 1;
        return (
          <>
            {shown.length === 0 && earliest === undefined && before === undefined && (
              <p class="soft">Nothing here yet.</p>
            )}
            {byDay(shown, ({ at }) => at).map(([name, ones]) => (
              <section key={name}>
                <h2 class="caps">{name}</h2>
                <ul class="rows">
                  {runsOf(ones).map((run) => (
                    <ActRun key={run[0].sitting?.first ?? run[0].id} book={book} run={run} />
                  ))}
                </ul>
              </section>
            ))}
            {earliest !== undefined &&
              (left > 0 ? (
                <Acts {...{ book, source, onMore }} pages={left} before={earliest} />
              ) : (
                <Button onClick={onMore}>Earlier</Button>
              ))}
          </>
        );
      }}
    </Await>
  );
}

/** The earliest act of all these sittings: of two that run beside each other, either may have it. */
function firstOf(acts: readonly Act[]): string | undefined {
  const from = ({ sitting, at }: Act) => sitting?.from ?? at;
  const [earliest] = acts.toSorted((a, b) => from(a).localeCompare(from(b)));
  return earliest?.sitting?.first ?? earliest?.id;
}
