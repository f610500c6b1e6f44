import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { Field, FormEnd } from "../../parts/fields.tsx";
import { Form, type Values } from "../../parts/form.tsx";
import { counted, number } from "../../parts/numbers.ts";

/** The effect of an import, by its dry run. */
export type Plan = Answer<"importSent">;

const STATUS: Readonly<Record<string, string>> = {
  created: "new",
  updated: "changed",
  same: "the same",
  left: "not changed",
  conflict: "changed on both sides",
};

interface ImportPlanProps {
  plan: Plan;
  onTake: (title: string) => Promise<void>;
  onLeave: () => void;
}

/** The effect of an import: title, chapters, cast and notes, and the files left out. */
export function ImportPlan({ plan, onTake, onLeave }: ImportPlanProps): JSX.Element {
  const { chapters, facts, notes, layout, why, book } = plan;
  const [isBusy, setBusy] = useState(false);
  const isNew = book.status === "created";
  const words = chapters.reduce((sum, { wordCount }) => sum + wordCount, 0);
  const take = async ({ title = plan.title }: Values) => {
    setBusy(true);
    await onTake(title);
    setBusy(false);
  };
  return (
    <Form class="import-plan" onSave={take}>
      {isNew ? (
        <Field label="Title" name="title" dir="auto" required maxLength={500} defaultValue={plan.title} />
      ) : (
        <p>
          It goes into <i dir="auto">{plan.title}</i>, which is here already.
        </p>
      )}
      <p role="status">
        <b>{counted(chapters.length, "chapter")}</b>, {counted(words, "word")}
        {facts.length > 0 && `, ${counted(facts.length, "fact")} of the story map`}
        {notes.length > 0 && `, ${counted(notes.length, "note")}`}. Read as {layout}: {why}.
      </p>
      <FormEnd
        kind="acts-line"
        save={isBusy ? "One moment …" : "Import it"}
        isOff={isBusy}
        onCancel={onLeave}
      />
      <ol>
        {chapters.map(({ id, title, file, wordCount, status }) => (
          <li key={id}>
            <span dir="auto">{title}</span>
            <small>
              {file !== null && `${file} · `}
              {number(wordCount)}
              {!isNew && ` · ${STATUS[status] ?? status}`}
            </small>
          </li>
        ))}
      </ol>
      <NotTaken plan={plan} />
    </Form>
  );
}

function NotTaken({ plan: { skipped, pictures } }: { plan: Plan }): JSX.Element | null {
  if (skipped.length + pictures.length === 0) return null;
  return (
    <>
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
          The text refers to {counted(pictures.length, "picture")}; pictures stay where they are, beside your
          files.
        </p>
      )}
    </>
  );
}
