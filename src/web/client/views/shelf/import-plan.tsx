import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer, Sent } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { Choice, Field } from "../../parts/fields.tsx";
import { Form, FormEnd, type Values } from "../../parts/form.tsx";
import { counted, number } from "../../parts/numbers.ts";
import { howRead, isNothing, remarksOf, summaryOf, toldOf } from "./plan-words.ts";

/** The effect of an import, by its dry run. */
export type Plan = Answer<"importSent">;
/** The book that files go into, and what becomes of tracked changes; where it says nothing, as the files say. */
export type Goal = Pick<Sent<"importSent">["body"], "bookId" | "title" | "changes">;

interface ImportPlanProps {
  plan: Plan;
  goal: Goal;
  onGoal: (goal: Goal) => void;
  onTake: (title: string) => Promise<void>;
  onLeave: () => void;
}

/** The effect of an import: where it goes, what changes, and what is left out. */
export function ImportPlan({ plan, goal, onGoal, onTake, onLeave }: ImportPlanProps): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const isNew = plan.book.status === "created";
  const [first, ...more] = summaryOf(plan);
  const take = async ({ title = plan.title }: Values) => {
    setBusy(true);
    await onTake(title);
    setBusy(false);
  };
  return (
    <Form class="form" onSave={take}>
      <Into plan={plan} goal={goal} onGoal={onGoal} />
      {isNew && (
        <Field label="Title" name="title" dir="auto" required maxLength={500} defaultValue={plan.title} />
      )}
      <p role="status">
        <b>{first}</b>
        {more.map((part) => `, ${part}`)}. {howRead(plan)}
      </p>
      {plan.proposals !== undefined && (
        <p class="soft">The book as it was is kept as a milestone; one Undo takes everything back.</p>
      )}
      <FormEnd
        save={isBusy ? "One moment …" : "Import it"}
        isOff={isBusy || isNothing(plan)}
        onCancel={onLeave}
      />
      <Chapters plan={plan} />
      <NotTaken plan={plan} />
    </Form>
  );
}

/** Chooses the book that the files go into, and how tracked changes are treated. */
function Into({ plan, goal, onGoal }: Pick<ImportPlanProps, "plan" | "goal" | "onGoal">): JSX.Element | null {
  const { answer } = useRead("listBooks", {});
  const books = answer?.books ?? [];
  const isNew = plan.book.status === "created";
  const { changes } = goal;
  const into = (bookId: string) => {
    const kept = changes === undefined ? {} : { changes };
    onGoal(bookId === "" ? { title: plan.title, ...kept } : { bookId, ...kept });
  };
  if (books.length === 0) return null;
  return (
    <>
      <Choice
        isShown
        label="Into"
        value={isNew ? "" : plan.bookId}
        options={[
          ...(plan.layout === "comments" ? [] : [["", "A new book"] as const]),
          ...books.map(({ id, title }) => [id, title] as const),
        ]}
        onChange={into}
      />
      {!isNew && (changes !== undefined || (plan.proposals ?? []).length > 0) && (
        <Choice
          isShown
          label="Tracked changes"
          value={changes ?? "propose"}
          options={[
            ["propose", "Propose each; you decide"],
            ["accept", "Accept all of them"],
            ["reject", "Leave them out"],
          ]}
          onChange={(chosen) => onGoal({ ...goal, changes: chosen as NonNullable<Goal["changes"]> })}
        />
      )}
    </>
  );
}

function Chapters({ plan }: { plan: Plan }): JSX.Element {
  const isNew = plan.book.status === "created";
  const { chapters, proposals = [] } = plan;
  return (
    <ol class="rows">
      {chapters
        .filter(({ status }) => isNew || status !== "same")
        .map((chapter) => (
          <li key={chapter.id}>
            <span dir="auto">{chapter.title}</span>
            <small>
              {chapter.file !== null && `${chapter.file} · `}
              {isNew ? number(chapter.wordCount) : toldOf(chapter)}
            </small>
          </li>
        ))}
      {proposals.map(({ id, title, edits }) => (
        <li key={id}>
          <span dir="auto">{title}</span>
          <small>{counted(edits, "change")} to propose</small>
        </li>
      ))}
    </ol>
  );
}

function NotTaken({ plan }: { plan: Plan }): JSX.Element | null {
  const { skipped } = plan;
  const pictures = plan.pictures.filter(({ isThere }) => !isThere);
  const remarks = remarksOf(plan);
  return (
    <>
      {remarks.length > 0 && (
        <ul class="soft">
          {remarks.map((remark) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      )}
      {skipped.length > 0 && (
        <details>
          <summary>{counted(skipped.length, "file")} would not be imported</summary>
          <ul>
            {skipped.map(({ file, reason }) => (
              <li key={file}>
                {file}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
      {pictures.length > 0 && (
        <p class="soft">
          The text refers to {counted(pictures.length, "picture")} that {pictures.length === 1 ? "is" : "are"}{" "}
          not among the files.
        </p>
      )}
    </>
  );
}
