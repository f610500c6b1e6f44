import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { write } from "../../api/write.ts";
import { focusOnce } from "../../parts/focus.ts";
import { KIND_NAMES, type Snippet } from "./snippet.ts";

/** Where a new note is to stand. */
export interface NewNote {
  bookId: string;
  chapterId: string;
  blockId: string | null;
}

interface Fields {
  kind: Snippet["kind"];
  text: string;
  url: string;
  /** One item a line. */
  items: string;
}

/** The form of a new note, or of one that is changed. */
export function NoteForm({
  snippet,
  at,
  onDone,
}: {
  snippet?: Snippet;
  at?: NewNote;
  onDone: () => void;
}): JSX.Element {
  const [fields, setFields] = useState<Fields>(() => fieldsOf(snippet));
  const set = (changed: Partial<Fields>) => setFields({ ...fields, ...changed });
  const save = async (event: Event) => {
    event.preventDefault();
    const body = bodyOf(fields, snippet);
    const answer =
      at === undefined
        ? await write("updateSnippet", { params: { snippetId: snippet!.id }, body }, "The note is changed.") // one of both
        : await write(
            "createSnippet",
            {
              params: { bookId: at.bookId },
              body: { ...body, chapterId: at.chapterId, blockId: at.blockId },
            },
            "The note is added.",
          );
    if (answer !== undefined) onDone();
  };
  return (
    <form
      class="note form"
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.key === "Escape") onDone();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save(event);
      }}
    >
      <label>
        <span class="hidden">Kind</span>
        <select
          class="field"
          value={fields.kind}
          onChange={({ currentTarget }) => set({ kind: currentTarget.value as Fields["kind"] })}
        >
          {Object.entries(KIND_NAMES).map(([kind, name]) => (
            <option key={kind} value={kind}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="hidden">Text</span>
        <textarea
          class="field"
          rows={4}
          value={fields.text}
          ref={focusOnce}
          onInput={({ currentTarget }) => set({ text: currentTarget.value })}
        />
      </label>
      {fields.kind === "todo" ? (
        <label>
          <span>To do, one a line</span>
          <textarea
            class="field"
            rows={3}
            value={fields.items}
            onInput={({ currentTarget }) => set({ items: currentTarget.value })}
          />
        </label>
      ) : (
        <label>
          <span>Address</span>
          <input
            class="field"
            type="url"
            value={fields.url}
            onInput={({ currentTarget }) => set({ url: currentTarget.value })}
          />
        </label>
      )}
      <p class="acts">
        <button type="submit" class="btn first">
          Save
        </button>
        <button type="button" class="btn" onClick={onDone}>
          Cancel
        </button>
      </p>
    </form>
  );
}

function fieldsOf(snippet: Snippet | undefined): Fields {
  return {
    kind: snippet?.kind ?? "note",
    text: snippet?.text ?? "",
    url: snippet?.url ?? "",
    items: snippet?.items?.map(({ text }) => text).join("\n") ?? "",
  };
}

/** What was ticked stays ticked where its line is still there. */
function bodyOf({ kind, text, url, items }: Fields, snippet: Snippet | undefined) {
  const done = new Set(snippet?.items?.filter((item) => item.done).map((item) => item.text));
  const lines = items.split("\n").map((line) => line.trim());
  return {
    kind,
    text: text.trim() === "" ? null : text,
    url: kind === "todo" || url.trim() === "" ? null : url.trim(),
    items:
      kind === "todo"
        ? lines.filter((line) => line !== "").map((line) => ({ text: line, done: done.has(line) }))
        : null,
  };
}
