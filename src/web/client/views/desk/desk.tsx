import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import { useRead } from "../../api/reads.ts";
import { undo } from "../../api/write.ts";
import { useKeys } from "../../parts/keys.ts";
import { later } from "../../parts/later.tsx";
import { counted, day, number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { tell } from "../../parts/toasts.tsx";
import type { Place } from "../../views.tsx";
import { LATELY, Lately } from "./lately.tsx";
import { groupsOf, type Outline } from "./outline.ts";
import { OutlineView } from "./outline-view.tsx";
import { Progress } from "./progress.tsx";
import { Skyline } from "./skyline.tsx";

const Cards = later(() => import("./cards.tsx"));
const Grid = later(() => import("./grid.tsx"));
const GoalForm = later(() => import("./goal-form.tsx"));

const FORMS = ["outline", "cards", "grid"] as const;
type Form = (typeof FORMS)[number];
const NAMES: Readonly<Record<Form, string>> = { outline: "Outline", cards: "Cards", grid: "Grid" };
const CHOSEN = "manuscript.desk";

/** The desk: the whole book at a glance, and its order in the writer's hands. */
export function View({ bookId }: Place): JSX.Element {
  const outline = useRead("readOutline", { params: { bookId } });
  const snippets = useRead("listSnippets", { params: { bookId } });
  const notes = snippets.answer?.snippets;
  const noteCounts = useMemo(() => {
    const counts = new Map<string, number>();
    for (const { chapterId } of notes ?? [])
      if (chapterId !== null) counts.set(chapterId, (counts.get(chapterId) ?? 0) + 1);
    return counts;
  }, [notes]);
  return (
    <main id="content">
      <Await read={outline}>{(book) => <Desk book={book} noteCounts={noteCounts} />}</Await>
    </main>
  );
}

function Desk({ book, noteCounts }: { book: Outline; noteCounts: ReadonlyMap<string, number> }): JSX.Element {
  const [form, setForm] = useState<Form>(
    () => FORMS.find((one) => one === localStorage.getItem(CHOSEN)) ?? "outline",
  );
  useEffect(() => {
    document.title = `${book.title} · Manuscript`;
  }, [book.title]);
  const choose = (chosen: Form) => {
    localStorage.setItem(CHOSEN, chosen);
    setForm(chosen);
  };
  const shown = { book, groups: groupsOf(book), noteCounts };
  return (
    <>
      <header class="head">
        <div>
          <h1>{book.title}</h1>
          <Aim book={book} />
          <Goal book={book} />
          <Proposed key={book.id} bookId={book.id} />
        </div>
        <fieldset class="seg">
          <legend class="hidden">View</legend>
          {FORMS.map((one) => (
            <button key={one} type="button" aria-pressed={form === one} onClick={() => choose(one)}>
              {NAMES[one]}
            </button>
          ))}
        </fieldset>
      </header>
      <UndoKey />
      <Skyline book={book} />
      {form === "outline" ? (
        <div class="desk">
          <OutlineView {...shown} />
          <aside class="side" aria-label="Progress, and what happened lately">
            <Progress book={book} />
            <Lately book={book} />
          </aside>
        </div>
      ) : form === "cards" ? (
        <Cards {...shown} />
      ) : (
        <Grid {...shown} />
      )}
    </>
  );
}

/** `u`, apart from what is shown: who asks for the newest acts is drawn again when they come. */
function UndoKey(): null {
  const last = useRead("listActs", LATELY).answer?.acts.findLast(
    ({ undoneBy, undoes }) => undoneBy === null && undoes === null,
  );
  useKeys(
    [
      {
        keys: "u",
        does: "Undo what was done last",
        run: () => (last === undefined ? tell("There is nothing to take back.") : void undo(last.id)),
      },
    ],
    [last?.id],
  );
  return null;
}

/** A button that becomes the form of the book's goal. */
function Goal({ book }: { book: Outline }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <GoalForm book={book} onDone={() => setOpen(false)} />;
  return (
    <button type="button" class="btn plain" onClick={() => setOpen(true)}>
      {book.goal === null ? "Set a goal" : "Change the goal"}
    </button>
  );
}

/**
 * How many proposals can be accepted. Finding that out weighs each edit against the prose as it is, 0.1 s and more of the
 * server for hundreds of them, so it is asked last, and again only when somebody proposed or decided.
 */
function Proposed({ bookId }: { bookId: string }): JSX.Element | null {
  const { acts } = useRead("listActs", LATELY).answer ?? {};
  const newest =
    acts && (acts.findLast(({ kind, undoneBy }) => undoneBy === null && /propos/i.test(kind))?.id ?? "");
  const [total, setTotal] = useState(0);
  useEffect(() => {
    if (newest !== undefined)
      ask("listProposals", { params: { bookId }, query: { status: "open" } }).then(
        (answer) => setTotal(answer.total),
        () => undefined, // then nothing is said of them
      );
  }, [newest]);
  if (total === 0) return null;
  return (
    <>
      {" · "}
      <a class="link" href={`/b/${bookId}/proposals`}>
        {counted(total, "proposal")} to decide on
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
