import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { write } from "../../api/write.ts";
import { focusOnce } from "../../parts/button.tsx";
import { Choice, Field } from "../../parts/fields.tsx";
import { Form, FormEnd, type Values } from "../../parts/form.tsx";
import { KIND_NAMES, type Snippet } from "./snippet.ts";

/** Where a new note is to stand. */
export interface NewNote {
  bookId: string;
  chapterId: string;
  blockId: string | null;
}

interface NoteFormProps {
  /** The note that is changed; undefined for a new one. */
  snippet?: Snippet;
  at?: NewNote;
  onDone: () => void;
}

/** The form of a new note, or of one that is changed. */
export function NoteForm({ snippet, at, onDone }: NoteFormProps): JSX.Element {
  const [kind, setKind] = useState<string>(snippet?.kind ?? "note");
  const save = async (values: Values) => {
    const body = bodyOf(values, snippet);
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
    <Form class="note form" onSave={save} onCancel={onDone}>
      <Choice label="Kind" name="kind" value={kind} options={Object.entries(KIND_NAMES)} onChange={setKind} />
      <label>
        <span class="hidden">Text</span>
        <textarea class="field" name="text" rows={4} defaultValue={snippet?.text ?? ""} ref={focusOnce} />
      </label>
      <label hidden={kind !== "todo"}>
        To do, one a line
        <textarea
          class="field"
          name="items"
          rows={3}
          defaultValue={snippet?.items?.map(({ text }) => text).join("\n")}
        />
      </label>
      {kind !== "todo" && <Field label="Address" name="url" type="url" defaultValue={snippet?.url ?? ""} />}
      <FormEnd save="Save" onCancel={onDone} />
    </Form>
  );
}

/** The content of a note by its form. An item that was ticked stays ticked where its line is still there. */
function bodyOf({ kind, text = "", url = "", items = "" }: Values, snippet: Snippet | undefined) {
  const done = new Set(snippet?.items?.filter((item) => item.done).map((item) => item.text));
  const lines = items.split("\n").map((line) => line.trim());
  return {
    kind: kind as Snippet["kind"],
    text: text || null,
    url: kind === "todo" ? null : url || null,
    items:
      kind === "todo"
        ? lines.filter((line) => line !== "").map((line) => ({ text: line, done: done.has(line) }))
        : null,
  };
}
