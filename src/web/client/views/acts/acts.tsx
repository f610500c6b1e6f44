import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { isOf } from "../../parts/acts/act-line.tsx";
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

/** Whose acts can be shown, and the sources that they come from. */
const HANDS: readonly (readonly [name: string, sources: readonly string[] | undefined])[] = [
  ["Everyone", undefined],
  ["You, on this page", ["page"]],
  ["Scripts", ["api"]],
  ["The command line", ["cli"]],
  ["Folders and files", ["import", "sync"]],
];
/** Sittings that are asked for at once. */
const PAGE = 50;

/** The history of a book by sitting, the newest first; each can be undone. */
export function View({ bookId }: Place): JSX.Element {
  const [hand, setHand] = useState(0);
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
            <Choice
              label="By whom"
              value={hand}
              options={HANDS.map(([name], index) => [index, name] as const)}
              onChange={(index) => setHand(Number(index))}
            />
          </ViewHead>
          <Acts book={book} pages={pages} sources={HANDS[hand]?.[1]} onMore={() => setPages(pages + 1)} />
        </>
      )}
    </BookView>
  );
}

interface Wanted {
  book: Outline;
  /** How many pages of it are wanted. */
  pages: number;
  sources: readonly string[] | undefined;
  onMore: () => void;
}

/** The sittings before an act, without it the newest, and behind them the pages before those. */
function Acts({
  book,
  pages,
  sources,
  onMore,
  before,
}: Wanted & { before?: string | undefined }): JSX.Element {
  const read = useRead("listActs", { query: { group: "sitting", limit: PAGE, before } });
  return (
    <Await read={read}>
      {({ acts }) => {
        const shown = acts.filter((act) => isShown(act, sources) && isOf(book, act)).toReversed();
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
                <Acts {...{ book, sources, onMore }} pages={left} before={earliest} />
              ) : (
                <Button onClick={onMore}>Earlier</Button>
              ))}
          </>
        );
      }}
    </Await>
  );
}

/** True if an act is shown. An undone act says so itself; its undo is not shown again. */
function isShown({ source, undoes }: Act, sources: readonly string[] | undefined): boolean {
  return undoes === null && (sources === undefined || sources.includes(source));
}

/** The earliest act of all these sittings: of two that run beside each other, either may have it. */
function firstOf(acts: readonly Act[]): string | undefined {
  const from = ({ sitting, at }: Act) => sitting?.from ?? at;
  const [earliest] = acts.toSorted((a, b) => from(a).localeCompare(from(b)));
  return earliest?.sitting?.first ?? earliest?.id;
}
