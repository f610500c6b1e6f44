import { type JSX, render } from "preact";
import { doneOf } from "../../../../contract/act-words.ts";
import { useRead } from "../../api/reads.ts";
import type { Obstacles } from "../../api/undo.ts";
import { Button } from "../button.tsx";
import { counted, when } from "../numbers.ts";
import { Dialog } from "../view.tsx";
import { whoOf } from "./act-words.ts";

type Undo = (acts: readonly string[]) => void;

/** Says why something cannot be undone by itself, and offers to undo what came later, too. */
export function askToUndo(obstacles: Obstacles, undo: Undo): void {
  const host = document.createElement("div");
  document.body.append(host);
  const close = () => {
    render(null, host);
    host.remove();
  };
  render(<UndoFirst {...obstacles} onUndo={undo} onClose={close} />, host);
}

type UndoFirstProps = Obstacles & { onUndo: Undo; onClose: () => void };

function UndoFirst({ acts, later, standing, onUndo, onClose }: UndoFirstProps): JSX.Element {
  const isOne = later.length === 1;
  return (
    <Dialog label="This cannot be undone by itself" onClose={onClose}>
      {(close) => (
        <>
          <h2>This cannot be undone by itself</h2>
          {later.length === 0 ? (
            <p>
              {LISTED.format(new Set(standing.map(({ table }) => NAMES[table] ?? "Something else"))) ||
                "Something"}{" "}
              changed since. Nothing was undone.
            </p>
          ) : (
            <>
              <p>
                {counted(later.length, "later change")} {isOne ? "builds" : "build"} on it. Nothing has been
                undone yet.
              </p>
              <LaterActs since={acts[0]} later={later} />
            </>
          )}
          <p class="acts">
            {later.length > 0 && (
              <Button
                kind="first"
                onClick={() => {
                  close();
                  onUndo([...later, ...acts]);
                }}
              >
                Undo {isOne ? "this" : "these"} first, too
              </Button>
            )}
            <Button onClick={close}>Leave everything as it is</Button>
          </p>
        </>
      )}
    </Dialog>
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

const LISTED = new Intl.ListFormat("en-GB");

type LaterProps = { since: string | undefined; later: readonly string[] };

function LaterActs({ since, later }: LaterProps): JSX.Element | null {
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
