import { type JSX, render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { doneOf, whoOf } from "../act-words.ts";
import { counted, when } from "../numbers.ts";

/** Why an undo was refused: acts that came later and build on it, and rows that changed since. */
export interface Obstacles {
  /** What was to be taken back. */
  acts: readonly string[];
  /** Newest first. */
  later: readonly string[];
  standing: readonly { table: string; id: string; reason: string }[];
}

/** Says why something cannot be taken back by itself, and offers to take back what came later, too. */
export function askToUndo(obstacles: Obstacles, undo: (acts: readonly string[]) => void): void {
  const host = document.createElement("div");
  document.body.append(host);
  const close = () => {
    render(null, host);
    host.remove();
  };
  render(<UndoFirst obstacles={obstacles} onUndo={undo} onClose={close} />, host);
}

function UndoFirst({
  obstacles: { acts, later, standing },
  onUndo,
  onClose,
}: {
  obstacles: Obstacles;
  onUndo: (acts: readonly string[]) => void;
  onClose: () => void;
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      class="key-sheet undo-first"
      aria-label="This cannot be taken back by itself"
      ref={dialog}
      onClose={onClose}
    >
      <h2>This cannot be taken back by itself</h2>
      {later.length === 0 ? (
        <p>
          {listed([...new Set(standing.map(({ table }) => NAMES[table] ?? "Something else"))])} changed since.
          Nothing was taken back.
        </p>
      ) : (
        <>
          <p>
            {counted(later.length, "later act")} {later.length === 1 ? "builds" : "build"} on it. Nothing was
            taken back yet.
          </p>
          <LaterActs since={acts[0]} later={later} />
        </>
      )}
      <p class="acts-line">
        {later.length > 0 && (
          <button
            type="button"
            class="btn first"
            onClick={() => {
              dialog.current?.close();
              onUndo([...later, ...acts]);
            }}
          >
            Undo {later.length === 1 ? "this" : "these"} first, too
          </button>
        )}
        <button type="button" class="btn" onClick={() => dialog.current?.close()}>
          Leave all as it is
        </button>
      </p>
    </dialog>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  books: "The book",
  parts: "A part",
  chapters: "The chapter",
  blocks: "A paragraph",
  facts: "A fact of the story map",
  mentions: "A mention",
  snippets: "A note",
  goals: "The goal",
};

function listed(names: readonly string[]): string {
  return names.length < 2
    ? (names[0] ?? "Something")
    : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function LaterActs({
  since,
  later,
}: {
  since: string | undefined;
  later: readonly string[];
}): JSX.Element | null {
  const read = useRead("listActs", since === undefined ? undefined : { query: { after: since, limit: 500 } });
  const known = new Map(read.answer?.acts.map((act) => [act.id, act]));
  const shown = later.flatMap((id) => known.get(id) ?? []);
  if (shown.length === 0) return null;
  return (
    <ul>
      {shown.map((act) => (
        <li key={act.id}>
          {whoOf(act)} {doneOf(act)}, <small>{when(act.at)}</small>
        </li>
      ))}
    </ul>
  );
}
