import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { useKeys } from "../../parts/keys.ts";
import { counted, number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { BookView, type Outline } from "../../parts/view.tsx";
import { useMost, ViewHead } from "../../parts/view-head.tsx";
import { useCursor } from "../read/use-cursor.ts";
import { isUndecided, type ProposalHead, undecidedByChapter } from "./groups.ts";
import { Proposal } from "./proposal.tsx";
import "../../style/proposals.css";
import type { Place } from "../../router.ts";

/** Proposals that are shown before more are asked for; each is a request. */
const SHOWN = 20;

/** Changes that others suggest for the prose, by chapter; each edit is accepted or rejected. */
export function View({ bookId }: Place): JSX.Element {
  const proposals = useRead("listProposals", { params: { bookId } });
  return (
    <BookView bookId={bookId} title="Proposals" kind="proposals">
      {(book) => (
        <Await read={proposals}>{({ proposals: all }) => <Proposals book={book} all={all} />}</Await>
      )}
    </BookView>
  );
}

function Proposals({ book, all }: { book: Outline; all: readonly ProposalHead[] }): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  useCursor(list, { name: "edit", noun: "edit" });
  useEditKeys();
  const count = all.filter(isUndecided).length;
  useEffect(() => {
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  const [most, more] = useMost(count, SHOWN);
  return (
    <>
      <ViewHead
        title="Proposals"
        about={
          count > 0 && (
            <>
              <b>{number(count)}</b> to review. Nothing is in the prose until you accept it.
            </>
          )
        }
      />
      {count === 0 && <Nothing decided={all.length} />}
      <div ref={list}>
        {undecidedByChapter(all, most).map(({ chapterId, title, proposals }) => (
          <section key={chapterId} class="columns">
            <h2>
              <a href={`/b/${book.id}/c/${chapterId}`}>{title}</a>
            </h2>
            <div>
              {proposals.map((head) => (
                <Proposal key={head.id} book={book} head={head} />
              ))}
            </div>
          </section>
        ))}
      </div>
      {more}
    </>
  );
}

function Nothing({ decided }: { decided: number }): JSX.Element {
  return (
    <p class="empty">
      {decided > 0 && `Nothing is left to review; ${counted(decided, "proposal")} decided. `}A proposal is a
      change to your prose that somebody else suggests: an agent over <code>manuscript mcp</code>, a script
      whose key may propose, or a command with <code>--propose</code>.
    </p>
  );
}

/** Keys for the edit that has the focus: they press its buttons. */
function useEditKeys(): void {
  const press = (name: string) => () =>
    document.activeElement
      ?.closest("[data-edit]")
      ?.querySelector<HTMLButtonElement>(`[data-does="${name}"]`)
      ?.click();
  useKeys(
    [
      { keys: "a", does: "Accept this edit", run: press("accept") },
      { keys: "e", does: "Accept it in your own words", run: press("word") },
      { keys: "x", does: "Reject it", run: press("reject") },
    ],
    [],
  );
}
