import type { JSX } from "preact";
import type { Answer } from "../api/operations.ts";
import { write } from "../api/write.ts";

/** How far a chapter is. */
export type ChapterStatus = Answer<"readOutline">["chapters"][number]["status"];

const SHAPES: Readonly<Record<ChapterStatus, string | undefined>> = {
  draft: undefined,
  revising: "M6 1a5 5 0 0 1 0 10z",
  done: "M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1z",
};

/** The statuses with their names, in the order of work. */
const STATUS_NAMES: Readonly<Record<ChapterStatus, string>> = {
  draft: "Draft",
  revising: "Revising",
  done: "Done",
};

/** A chapter's status as a filled circle with its name, never by colour alone; another one can be chosen. */
export function StatusChoice({
  chapter: { id, title, status },
}: {
  chapter: { id: string; title: string; status: ChapterStatus };
}): JSX.Element {
  return (
    <span class={`status ${status}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <circle cx="6" cy="6" r="5" />
        {SHAPES[status] && <path d={SHAPES[status]} />}
      </svg>
      <select
        aria-label={`Status of ${title}`}
        value={status}
        onChange={({ currentTarget }) =>
          void write(
            "setStatus",
            { params: { chapterId: id }, body: { status: currentTarget.value as ChapterStatus } },
            `“${title}” is ${currentTarget.value}.`,
          )
        }
      >
        {Object.entries(STATUS_NAMES).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}
