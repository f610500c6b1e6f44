import type { JSX } from "preact";
import { doneOf } from "../../../../contract/act-words.ts";
import { undoAll } from "../../api/undo.ts";
import { whoOf } from "../../parts/acts/act-words.ts";
import { byDay } from "../../parts/acts/days.ts";
import { Button } from "../../parts/button.tsx";
import { clock, counted, number } from "../../parts/numbers.ts";
import type { Entry } from "./entries.ts";

/** Which revisions are compared, and where the chapter's history is. */
export interface Compared {
  /** The address of this view, without its query. */
  at: string;
  from: number;
  to: number;
}

interface TimelineProps {
  title: string;
  entries: readonly Entry[];
  compared: Compared;
}

/** The chapter's states by day, the newest first: the one that is compared, and the one that it is compared with, marked. */
export function Timeline({ title, entries, compared }: TimelineProps): JSX.Element {
  return (
    <nav class="times" aria-label="Revisions">
      <h2 class="caps">{title}</h2>
      {byDay(entries, ({ last }) => last.at).map(([name, ones]) => (
        <section key={name}>
          <p class="soft">{name}</p>
          <ol>
            {ones.map((entry) => (
              <Sitting
                key={entry.last.revision}
                entry={entry}
                compared={compared}
                isNewest={entry === entries[0]}
              />
            ))}
          </ol>
        </section>
      ))}
    </nav>
  );
}

type SittingProps = Pick<TimelineProps, "compared"> & { entry: Entry; isNewest: boolean };

function Sitting({ entry, compared: { at, from, to }, isNewest }: SittingProps): JSX.Element {
  const { before, first, last, added, removed, acts } = entry;
  const holds = (revision: number) => first.revision <= revision && revision <= last.revision;
  const mark = holds(to) ? "now" : holds(from) ? "was on" : "";
  // The newest is what the others are compared with; of itself one can only ask what it changed.
  const own = isNewest ? `${at}?from=${Math.max(1, before)}` : `${at}?from=${last.revision}`;
  return (
    <li class={mark} aria-current={holds(from) || undefined}>
      <a href={own}>
        <b>{whoOf(last)}</b>
        <small>
          {clock(first.at) === clock(last.at) ? "" : `${clock(first.at)} – `}
          {clock(last.at)} · {acts.length === 1 ? doneOf(last) : `wrote, ${counted(acts.length, "save")}`}
        </small>
      </a>
      {before > 0 ? (
        <a
          class="delta"
          href={`${at}?from=${before}&to=${last.revision}`}
          title={`What this changed: ${counted(added, "word")} added, ${number(removed)} cut`}
        >
          +{number(added)} −{number(removed)}
        </a>
      ) : (
        <span class="delta">{number(last.wordCount)}</span>
      )}
      {before > 0 && (
        <Button kind="plain" onClick={() => undoAll(acts)}>
          Undo
        </Button>
      )}
    </li>
  );
}
