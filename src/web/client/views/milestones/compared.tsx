import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/fields.tsx";
import { counted, number, when } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import type { Outline } from "../../parts/view.tsx";
import { go } from "../../router.ts";
import { costOf } from "../history/cost.tsx";
import { WordsBetween } from "../history/words-between.tsx";

/** A name for a book as it was. */
export type Milestone = Answer<"listMilestones">["milestones"][number];
type Comparison = Answer<"compareBooks">;
type ChapterRow = Comparison["chapters"][number];

interface Between {
  from: string;
  /** Empty for now. */
  to: string;
}

/** Compares two moments of a book chapter by chapter, and offers to go back to the earlier one. */
export function Compared({
  book,
  milestones,
  from,
  to,
}: Between & { book: Outline; milestones: readonly Milestone[] }): JSX.Element {
  const params = { bookId: book.id };
  const read = useRead("compareBooks", { params, query: { from, to: to || undefined } });
  const choose = (one: Between) => go(`/b/${book.id}/milestones?from=${one.from}&to=${one.to}`);
  const named = milestones.toReversed().map(({ id, name, at }) => [id, `${name} · ${when(at)}`] as const);
  return (
    <section aria-label="What changed">
      <header>
        <p class="acts">
          <Choice
            label="From"
            isShown
            options={named}
            value={from}
            onChange={(one) => choose({ from: one, to })}
          />
          <Choice
            label="to"
            isShown
            options={[["", "now"], ...named]}
            value={to}
            onChange={(one) => choose({ from, to: one })}
          />
        </p>
        {to === "" && <PutBack book={book} milestone={milestones.find(({ id }) => id === from)} />}
      </header>
      <Await read={read}>{(comparison) => <Chapters {...{ book, comparison, from, to }} />}</Await>
    </section>
  );
}

function Chapters({
  book,
  comparison: { chapters, totals },
  ...between
}: Between & { book: Outline; comparison: Comparison }): JSX.Element {
  const changed = chapters.filter(({ change }) => change !== "same");
  if (changed.length === 0) return <p class="soft">Nothing differs.</p>;
  const { words, from, to } = totals;
  return (
    <>
      <p class="soft">
        {number(from.wordCount)} words became {number(to.wordCount)}: {number(words.added)} came,{" "}
        {number(words.removed)} went, in {counted(changed.length, "chapter")}.
      </p>
      <ul class="rows">
        {changed.map((one) => (
          <Chapter key={one.chapterId} bookId={book.id} chapter={one} {...between} />
        ))}
      </ul>
    </>
  );
}

const SAID = { same: "", changed: "", new: "new", removed: "taken out" } as const;
/** Names of the changes to a chapter that are not changes to its prose. */
const ELSE = {
  prose: "",
  title: "title",
  part: "part",
  status: "status",
  synopsis: "synopsis",
  place: "place",
};

function Chapter({
  bookId,
  chapter: { chapterId, change, changes, from: before, to: after, words },
  from,
  to,
}: Between & { bookId: string; chapter: ChapterRow }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const title = (after ?? before)?.title ?? "";
  const also = changes.map((one) => ELSE[one]).filter((one) => one !== "");
  const hasWords = change === "changed" && changes.includes("prose");
  const putBack = () =>
    write(
      "restoreRevision",
      { params: { chapterId }, body: { to: from } },
      `“${title}” has its words of then.`,
    );
  return (
    <li class="between">
      <div>
        {change === "removed" ? (
          <b dir="auto">{title}</b>
        ) : (
          <a dir="auto" href={`/b/${bookId}/c/${chapterId}`}>
            {title}
          </a>
        )}
        <small>
          {[SAID[change], also.length > 0 && `another ${also.join(", ")}`].filter(Boolean).join("; ")}
        </small>
      </div>
      <span class="soft">
        {words.added + words.removed > 0 && `+${number(words.added)} −${number(words.removed)}`}
      </span>
      {hasWords && (
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Close" : "Word by word"}
        </Button>
      )}
      {isOpen && (
        <div class="words">
          {to === "" && <Button onClick={putBack}>Put this chapter back</Button>}
          <WordsBetween {...{ chapterId, from }} to={to || undefined} />
        </div>
      )}
    </li>
  );
}

/** Puts the whole book back, and says before what that would cost. */
function PutBack({
  book,
  milestone,
}: {
  book: Outline;
  milestone: Milestone | undefined;
}): JSX.Element | null {
  const [isAsked, setAsked] = useState(false);
  const sent = milestone && { params: { bookId: book.id }, body: { to: milestone.id } };
  const { answer: plan } = useAnswer(
    "restoreBook",
    isAsked ? sent && { ...sent, query: { dryRun: "1" } } : undefined,
  );
  if (milestone === undefined || sent === undefined) return null;
  if (!isAsked) return <Button onClick={() => setAsked(true)}>Put the book back…</Button>;
  return (
    <div class="callout" role="status">
      {plan && (
        <p>
          {plan.changed ? costOf(plan) : "The book is as it was then."} Every chapter, title and part will be
          as in <i dir="auto">{milestone.name}</i>; chapters made since go. One undo brings all of it back.
        </p>
      )}
      <p class="acts">
        <Button
          kind="first"
          disabled={plan?.changed !== true}
          onClick={async () => {
            if (await write("restoreBook", sent, `The book is as in “${milestone.name}”.`)) setAsked(false);
          }}
        >
          Put it back
        </Button>
        <Button onClick={() => setAsked(false)}>Cancel</Button>
      </p>
    </div>
  );
}
