import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { write } from "../../api/write.ts";
import type { Outline, OutlineChapter } from "../desk/outline.ts";

/** Where the chapter stands, its title and its synopsis, changed in place; a title that the text itself begins with is there. */
export function Head({
  book,
  chapter,
  isTitled,
}: {
  book: Outline;
  chapter: OutlineChapter;
  isTitled: boolean;
}): JSX.Element {
  const part = book.parts.find(({ id }) => id === chapter.partId);
  const params = { chapterId: chapter.id };
  return (
    <header>
      <p class="where">
        {part ? `${part.title} · ` : ""}Chapter {chapter.position}
      </p>
      {!isTitled && (
        <h1>
          <Line
            label="Title"
            value={chapter.title}
            isNeeded
            onChange={async (title) =>
              (await write("updateChapter", { params, body: { title } }, "The title is changed.")) !==
              undefined
            }
          />
        </h1>
      )}
      <div class="synopsis">
        <Line
          label="Synopsis"
          value={chapter.synopsis}
          placeholder="No synopsis yet."
          onChange={async (synopsis) =>
            (await write("saveSynopsis", { params, body: { synopsis } }, "The synopsis is saved.")) !==
            undefined
          }
        />
      </div>
    </header>
  );
}

/** A text that is changed where it stands: Enter or leaving it saves, Escape takes it back. */
function Line({
  label,
  value,
  placeholder = "",
  isNeeded = false,
  onChange,
}: {
  label: string;
  value: string;
  placeholder?: string;
  isNeeded?: boolean;
  onChange: (text: string) => Promise<boolean>;
}): JSX.Element {
  const [typed, setTyped] = useState<string>();
  const save = async () => {
    const text = typed?.replace(/\s+/g, " ").trim();
    if (text === undefined || text === value || (isNeeded && text === "") || (await onChange(text)))
      setTyped(undefined);
  };
  return (
    <textarea
      class="line"
      rows={1}
      aria-label={label}
      placeholder={placeholder}
      value={typed ?? value}
      ref={fit}
      onInput={({ currentTarget }) => {
        setTyped(currentTarget.value);
        fit(currentTarget);
      }}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (event.key === "Escape") setTyped(undefined);
        if (event.key !== "Enter" || event.isComposing) return;
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}

/** As high as its lines are. */
function fit(field: HTMLTextAreaElement | null): void {
  if (field === null) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}
