import type { JSX } from "preact";
import { useRead } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { counted, number, when } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import type { Outline } from "../../parts/view.tsx";
import { useMost } from "../../parts/view-head.tsx";
import { useParagraphs } from "../review/use-paragraphs.ts";
import { Edit } from "./edit.tsx";
import type { ProposalHead, ProposedEdit } from "./groups.ts";

/** Edits that are shown before all are asked for. */
const SHOWN = 20;

/** A proposal: who made it, why and when, and its edits, decided on one by one or all. */
export function Proposal({ book, head }: { book: Outline; head: ProposalHead }): JSX.Element {
  const { id, author, reason, createdAt } = head;
  const read = useRead("readProposal", { params: { proposalId: id } });
  return (
    <article class="proposed" id={id}>
      <h3>
        {author === "you" ? "You" : author} <small>{when(createdAt)}</small>
      </h3>
      {reason !== "" && <p>{reason}</p>}
      <Await read={read}>{({ edits }) => <Edits {...{ book, head, edits }} />}</Await>
    </article>
  );
}

interface OfProposal {
  book: Outline;
  head: ProposalHead;
  edits: readonly ProposedEdit[];
}

function Edits({ book, head, edits }: OfProposal): JSX.Element {
  const [most, more] = useMost(edits.length, SHOWN);
  const { chapterId } = head;
  const revision = book.chapters.find(({ id }) => id === chapterId)?.revision ?? 0;
  const paragraphs = useParagraphs(chapterId);
  return (
    <>
      <All head={head} edits={edits} />
      <ul>
        {edits.slice(0, most).map((edit) => (
          <Edit key={edit.index} {...{ head, edit, revision, paragraphs }} />
        ))}
      </ul>
      {more}
    </>
  );
}

/** All that can be accepted, or all that is undecided, in one act; of a lone edit its own buttons do. */
function All({ head, edits }: Omit<OfProposal, "book">): JSX.Element | null {
  const open = edits.filter(({ status }) => status === "open").map(({ index }) => index);
  const stale = edits.filter(({ status }) => status === "stale");
  if (open.length + stale.length < 2) return null;
  const { id, chapterTitle } = head;
  const params = { proposalId: id };
  return (
    <p class="acts">
      {open.length > 0 && (
        <Button
          onClick={() =>
            write(
              "acceptProposal",
              { params, body: { edits: open } },
              `Accepted: ${counted(open.length, "edit")} of “${chapterTitle}”.`,
            )
          }
        >
          Accept {stale.length === 0 ? "all" : "what is not stale"} ({number(open.length)})
        </Button>
      )}
      <Button
        onClick={() =>
          write(
            "rejectProposal",
            { params, body: {} },
            `Rejected: ${counted(open.length + stale.length, "edit")} of “${chapterTitle}”.`,
          )
        }
      >
        Reject all ({number(open.length + stale.length)})
      </Button>
    </p>
  );
}
