import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { refreshReads } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { number } from "../../parts/numbers.ts";
import { ChangedParagraph, Losses } from "../history/changed-paragraph.tsx";
import { type ProposalHead, type ProposedEdit, wordsOf } from "./groups.ts";
import { Wording } from "./wording.tsx";

const SAID = { replace: undefined, insert_after: "new", delete: "to be deleted" } as const;
const WHY: Readonly<Record<NonNullable<ProposedEdit["why"]>, string>> = {
  gone: "its paragraph is no longer there.",
  changed: "the paragraph has changed since, and the two changes do not merge.",
  crowded: "something else was inserted there since.",
  unwritable: "Markdown cannot express it there.",
};

interface OfEdit {
  head: ProposalHead;
  edit: ProposedEdit;
  /** Of the chapter, as it is shown. */
  revision: number;
  /** Those of the chapter, in order. */
  paragraphs: ReadonlyMap<string, string> | undefined;
}

/** An edit with its word diff, where it stands and what it would cost; accepted, accepted in other words, or rejected. */
export function Edit(own: OfEdit): JSX.Element {
  const { id, bookId, chapterId } = own.head;
  const { index, blockId, status } = own.edit;
  const item = useRef<HTMLLIElement>(null);
  const isDecided = status === "accepted" || status === "rejected";
  const where = placeOf(own.edit, own.paragraphs);
  return (
    <li ref={item} tabIndex={-1} data-edit={`${id} ${index}`}>
      <p class="soft">
        <a class="link" href={`/b/${bookId}/c/${chapterId}${blockId === null ? "" : `#${blockId}`}`}>
          {where}
        </a>
        {isDecided && ` · ${status}`}
      </p>
      {!isDecided && (
        <>
          <Change {...own} />
          <Decision {...own} where={where} onDone={() => item.current?.focus()} />
        </>
      )}
    </li>
  );
}

/** The change of an edit, why it cannot be made, and its cost. */
function Change({ edit, paragraphs }: OfEdit): JSX.Element {
  const { op, blockId, status, why, changes, mentionsDropped, snippetsDetached } = edit;
  const now = why === "changed" && blockId !== null ? paragraphs?.get(blockId) : undefined;
  return (
    <>
      <div class="prose diff">
        <ChangedParagraph status={status} said={SAID[op]} changes={changes} />
      </div>
      {why !== null && (
        <p class="stale">
          <b>Stale:</b> {WHY[why]}
          {now !== undefined && (
            <>
              {" "}
              It reads now: <q dir="auto">{now}</q>
            </>
          )}
        </p>
      )}
      {mentionsDropped.length + snippetsDetached.length > 0 && (
        <p class="soft">
          Accepting would cost <Losses mentions={mentionsDropped} notes={snippetsDetached} />.
        </p>
      )}
    </>
  );
}

/** The buttons of an edit; calls `onDone` before the pressed button goes. */
function Decision({
  head: { id, chapterTitle },
  edit,
  revision,
  where,
  onDone,
}: OfEdit & { where: string; onDone: () => void }): JSX.Element {
  const [isWorded, setWorded] = useState(false);
  const { index, op, why } = edit;
  const params = { proposalId: id };
  const decide = (operation: "acceptProposal" | "rejectProposal", done: string) => {
    onDone();
    void write(operation, { params, body: { edits: [index] } }, `${done} “${chapterTitle}”, ${where}.`);
  };
  const accept = async (markdown: string) => {
    const body = { edits: [index], markdown, ifRevision: revision };
    const answer = await write("acceptProposal", { params, body }, `In “${chapterTitle}” as you worded it.`);
    if (answer === undefined) return await refreshReads(); // what is in its way is shown
    setWorded(false);
    onDone();
  };
  if (isWorded) return <Wording words={wordsOf(edit)} onSave={accept} onCancel={() => setWorded(false)} />;
  const button = (text: string, does: string, run: () => void) => (
    <Button data-does={does} aria-label={`${text.replace("…", "")} ${where}`} onClick={run}>
      {text}
    </Button>
  );
  return (
    <p class="acts">
      {why === null && button("Accept", "accept", () => decide("acceptProposal", "Accepted:"))}
      {why !== "gone" && op !== "delete" && button("Reword…", "word", () => setWorded(true))}
      {button("Reject", "reject", () => decide("rejectProposal", "Rejected:"))}
    </p>
  );
}

/** Where an edit stands, as agents and the command line count paragraphs, too. */
function placeOf({ op, blockId }: ProposedEdit, paragraphs: ReadonlyMap<string, string> | undefined): string {
  if (blockId === null) return "at the chapter’s start";
  const at = paragraphs === undefined ? -1 : [...paragraphs.keys()].indexOf(blockId);
  if (at === -1) return "in the chapter";
  return `${op === "insert_after" ? "after " : ""}¶ ${number(at + 1)}`;
}
