import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { undoAll } from "../../api/undo.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { Opener } from "../../parts/button.tsx";
import { kept } from "../../parts/choices/kept.ts";
import { Switch } from "../../parts/choices/switch.tsx";
import { useKeys } from "../../parts/keys.ts";
import { later } from "../../parts/later.tsx";
import { counted, day, number } from "../../parts/numbers.ts";
import { tell } from "../../parts/toasts.tsx";
import { BookView, type Outline, useTitle } from "../../parts/view.tsx";
import type { Place } from "../../router.ts";
import { Lately, useLately } from "./lately.tsx";
import { groupsOf } from "./outline.ts";
import { OutlineView } from "./outline-view.tsx";
import { daysOff, Progress } from "./progress.tsx";
import { Skyline } from "./skyline.tsx";

const Grid = later(() => import("./grid.tsx"));
const GoalForm = later(() => import("./goal-form.tsx"));

const FORMS = [
  ["outline", "Outline"],
  ["cards", "Cards"],
  ["grid", "Grid"],
] as const;
const form = kept<(typeof FORMS)[number][0]>("manuscript.desk", "outline");

/** The desk: the whole book at a glance, and its order in the writer's hands. */
export function View({ bookId }: Place): JSX.Element {
  const snippets = useRead("listSnippets", { params: { bookId } });
  const notes = snippets.answer?.snippets;
  const noteCounts = useMemo(() => {
    const counts = new Map<string, number>();
    for (const { chapterId } of notes ?? [])
      if (chapterId !== null) counts.set(chapterId, (counts.get(chapterId) ?? 0) + 1);
    return counts;
  }, [notes]);
  return (
    <BookView bookId={bookId} kind="desk">
      {(book) => <Desk book={book} noteCounts={noteCounts} />}
    </BookView>
  );
}

function Desk({ book, noteCounts }: { book: Outline; noteCounts: ReadonlyMap<string, number> }): JSX.Element {
  useTitle(`${book.title} · Manuscript`);
  const shown = { book, groups: groupsOf(book), noteCounts };
  return (
    <>
      <header class="head">
        <div>
          <h1>{book.title}</h1>
          <Aim book={book} />
          <Opener text={book.goal === null ? "Set a goal" : "Change the goal"}>
            {(close) => <GoalForm book={book} daysOff={daysOff} onDone={close} />}
          </Opener>
          <Proposed key={book.id} bookId={book.id} />
        </div>
        <Switch label="View" kind="seg" options={FORMS} chosen={form} />
      </header>
      <UndoKey bookId={book.id} />
      <Skyline book={book} />
      {form.value === "outline" ? (
        <div class="columns">
          <OutlineView {...shown} />
          <aside aria-label="Progress, and what happened lately">
            <Progress book={book} />
            <Lately book={book} />
          </aside>
        </div>
      ) : form.value === "cards" ? (
        <OutlineView {...shown} isCards />
      ) : (
        <Grid {...shown} />
      )}
    </>
  );
}

/** `u`, apart from what is shown: who asks for the newest acts is drawn again when they come. */
function UndoKey({ bookId }: { bookId: string }): null {
  const last = useLately(bookId)?.at(-1);
  useKeys(
    [
      {
        keys: "u",
        does: "Undo the last change",
        run: () => (last === undefined ? tell("There is nothing to undo.") : void undoAll([last.id])),
      },
    ],
    [last?.id],
  );
  return null;
}

/**
 * How many proposals can be accepted. Finding that out weighs each edit against the prose as it is, 0.1 s and more of the
 * server for hundreds of them, so it is asked last, and again only when somebody proposed or decided.
 */
function Proposed({ bookId }: { bookId: string }): JSX.Element | null {
  const acts = useLately(bookId);
  const newest = acts && (acts.findLast(({ kind }) => /propos/i.test(kind))?.id ?? "");
  const sent = { params: { bookId }, query: { status: "open" } } as const;
  const total = useAnswer("listProposals", newest === undefined ? undefined : sent, { version: newest })
    .answer?.total;
  if (!total) return null;
  return (
    <>
      {" · "}
      <a class="link" href={`/b/${bookId}/proposals`}>
        {counted(total, "proposal")} to review
      </a>
    </>
  );
}

/** How far the book is, and what its goal asks for. */
function Aim({ book: { wordCount, chapters, goal } }: { book: Outline }): JSX.Element {
  return (
    <p>
      <b>{number(wordCount)}</b> {goal === null ? "words" : `of ${number(goal.targetWords)} words`} ·{" "}
      {counted(chapters.length, "chapter")}
      {goal?.deadline && ` · due ${day(goal.deadline)}`}
      {goal?.wordsPerDay ? (
        <>
          , which asks for <b>{number(goal.wordsPerDay)}</b> a day from here
        </>
      ) : null}
    </p>
  );
}
