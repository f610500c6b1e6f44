import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { doneOf } from "../../../../contract/act-words.ts";
import { undoAll } from "../../api/undo.ts";
import { ActLine } from "../../parts/acts/act-line.tsx";
import { type Act, whoOf } from "../../parts/acts/act-words.ts";
import { Button } from "../../parts/button.tsx";
import { clock } from "../../parts/numbers.ts";
import type { Outline } from "../../parts/view.tsx";
import { ActRow } from "./act-row.tsx";

/** Acts that follow each other and read alike, the newest first. */
export type Run = readonly [Act, ...Act[]];

/** So many that read alike are one row. */
const FOLDED = 4;

/** Puts acts that follow each other together where the same hand did the same kind of thing and it stands. */
export function runsOf(acts: readonly Act[]): Run[] {
  const runs: [Act, ...Act[]][] = [];
  for (const act of acts) {
    const run = runs.at(-1);
    if (run !== undefined && alikeAs(act) !== undefined && alikeAs(run[0]) === alikeAs(act)) run.push(act);
    else runs.push([act]);
  }
  return runs;
}

/** Returns a key that acts of one row share; undefined for an act that has a row of its own. */
function alikeAs(act: Act): string | undefined {
  if (act.undoneBy !== null || (act.sitting?.count ?? 1) > 1) return undefined;
  return `${whoOf(act)} ${doneOf(act)} ${act.touched.chapters.join()}`;
}

/** A run as one row that can be opened; a short one as its acts. */
export function ActRun({ book, run }: { book: Outline; run: Run }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [last] = run;
  const first = run.at(-1) ?? last;
  if (isOpen || run.length < FOLDED)
    return (
      <>
        {run.map((act) => (
          <ActRow key={act.sitting?.first ?? act.id} book={book} act={act} />
        ))}
      </>
    );
  return (
    <li class="act">
      <div>
        {last.touched.chapters.length > 0 ? <ActLine act={last} /> : `${whoOf(last)} ${doneOf(last)}`},{" "}
        {run.length} times
        <small>
          {clock(first.at) === clock(last.at) ? "" : `${clock(first.at)} – `}
          {clock(last.at)}
          <Button kind="plain" aria-expanded={false} onClick={() => setOpen(true)}>
            Show each
          </Button>
        </small>
      </div>
      <Button onClick={() => undoAll(run.flatMap(({ id, sitting }) => sitting?.acts ?? [id]))}>
        Undo all
      </Button>
    </li>
  );
}
