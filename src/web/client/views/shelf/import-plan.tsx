import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { counted, number } from "../../parts/numbers.ts";

/** What an import would do, as its dry run tells. */
export type Plan = Answer<"importSent">;

const STATUS: Readonly<Record<string, string>> = {
  created: "new",
  updated: "changed",
  same: "the same",
  left: "left as it is",
  conflict: "changed on both sides",
};

/** What would come in: title, chapters, cast, notes, and what would not. */
export function ImportPlan({
  plan,
  onTake,
  onLeave,
}: {
  plan: Plan;
  onTake: (title: string) => Promise<void>;
  onLeave: () => void;
}): JSX.Element {
  const { chapters, facts, notes, layout, why, book } = plan;
  const [isBusy, setBusy] = useState(false);
  const isNew = book.status === "created";
  const words = chapters.reduce((sum, { wordCount }) => sum + wordCount, 0);
  const take = async (event: Event & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget).get("title") ?? plan.title).trim();
    setBusy(true);
    await onTake(title);
    setBusy(false);
  };
  return (
    <form class="import-plan" onSubmit={(event) => void take(event)}>
      {isNew ? (
        <label>
          Title
          <input class="field" name="title" dir="auto" required maxLength={500} defaultValue={plan.title} />
        </label>
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
      <p class="acts-line">
        <button type="submit" class="btn first" disabled={isBusy}>
          {isBusy ? "One moment …" : "Bring it in"}
        </button>
        <button type="button" class="btn" onClick={onLeave}>
          Leave it
        </button>
      </p>
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
    </form>
  );
}

function NotTaken({ plan: { skipped, pictures } }: { plan: Plan }): JSX.Element | null {
  if (skipped.length + pictures.length === 0) return null;
  return (
    <>
      {skipped.length > 0 && (
        <details>
          <summary>{counted(skipped.length, "file")} would stay outside</summary>
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
