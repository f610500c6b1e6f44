import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { useKeys } from "../../parts/keys.ts";
import { counted, number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import type { Place } from "../../views.tsx";
import type { Outline } from "../desk/outline.ts";
import { useCursor } from "../read/use-cursor.ts";
import { isUndecided, type ProposalHead, undecidedByChapter } from "./groups.ts";
import { Proposal } from "./proposal.tsx";
import "../../style/proposals.css";

/** Proposals that are shown before more are asked for; each is a request. */
const SHOWN = 20;

/** What others would change in the prose, by chapter; each edit is accepted or rejected. */
export function View({ bookId }: Place): JSX.Element {
  const outline = useRead("readOutline", { params: { bookId } });
  const proposals = useRead("listProposals", { params: { bookId } });
  useEffect(() => {
    document.title = "Proposals · Manuscript";
  }, []);
  return (
    <main id="content" class="proposals">
      <Await read={outline}>
        {(book) => (
          <Await read={proposals}>{({ proposals: all }) => <Proposals book={book} all={all} />}</Await>
        )}
      </Await>
    </main>
  );
}

function Proposals({ book, all }: { book: Outline; all: readonly ProposalHead[] }): JSX.Element {
  const [most, setMost] = useState(SHOWN);
  const list = useRef<HTMLDivElement>(null);
  useCursor(list, { name: "edit", noun: "edit" });
  useEditKeys();
  const count = all.filter(isUndecided).length;
  return (
    <>
      <header class="head">
        <div>
          <h1>Proposals</h1>
          {count > 0 && (
            <p>
              <b>{number(count)}</b> to decide on. Nothing of it is in the prose until you accept it.
            </p>
          )}
        </div>
      </header>
      {count === 0 && <Nothing decided={all.length} />}
      <div ref={list}>
        {undecidedByChapter(all, most).map(({ chapterId, title, proposals }) => (
          <section key={chapterId} class="note-group diff">
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
      {count > most && (
        <button type="button" class="btn plain" onClick={() => setMost(most + SHOWN)}>
          Show more of {number(count)}
        </button>
      )}
    </>
  );
}

function Nothing({ decided }: { decided: number }): JSX.Element {
  return (
    <p class="empty">
      {decided > 0 && `Nothing is left to decide on; ${counted(decided, "proposal")} so far. `}A proposal is a
      change of your prose that somebody else would make: an agent over <code>manuscript mcp</code>, a script
      whose key may propose, or a command with <code>--propose</code>.
    </p>
  );
}

/** What is done with the edit that has the focus: its own buttons are pressed. */
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
