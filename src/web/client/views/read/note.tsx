import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { safeHref } from "./nodes.ts";
import { NoteForm } from "./note-form.tsx";
import { changeNote, KIND_NAMES, type Snippet } from "./snippet.ts";

/** A note beside its paragraph, by the writer or by somebody else: read, ticked, settled, changed, deleted. */
export function Note({ snippet }: { snippet: Snippet }): JSX.Element {
  const [isEdited, setEdited] = useState(false);
  if (isEdited) return <NoteForm snippet={snippet} onDone={() => setEdited(false)} />;
  return (
    <aside class={`note${snippet.resolved ? " resolved" : ""}`} data-snippet={snippet.id}>
      <b>
        {snippet.author ?? KIND_NAMES[snippet.kind]}
        {snippet.resolved && " · settled"}
      </b>
      {snippet.quote !== null && <q>{snippet.quote}</q>}
      {snippet.text !== null && snippet.text !== "" && <p>{snippet.text}</p>}
      <NoteLink url={snippet.url} />
      {snippet.items && <Items snippet={snippet} items={snippet.items} />}
      {snippet.replies.map(({ author, text }, index) => (
        <p key={index} class="reply">
          <b>{author || "You"}</b>
          {text}
        </p>
      ))}
      <p class="acts quiet">
        {(snippet.author !== null || snippet.replies.length > 0) && <Settle snippet={snippet} />}
        <Button kind="plain" onClick={() => setEdited(true)}>
          Change
        </Button>
        <Button
          kind="plain"
          onClick={() =>
            write("deleteSnippet", { params: { snippetId: snippet.id } }, "The note is deleted.")
          }
        >
          Delete
        </Button>
      </p>
    </aside>
  );
}

function Settle({ snippet }: { snippet: Snippet }): JSX.Element {
  const resolved = !snippet.resolved;
  return (
    <Button kind="plain" onClick={() => changeNote(snippet, { resolved })}>
      {resolved ? "Settle" : "Reopen"}
    </Button>
  );
}

function NoteLink({ url }: { url: string | null }): JSX.Element | null {
  const href = safeHref(url);
  if (href === undefined) return null;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {href.replace(/^https?:\/\/(?:www\.)?|\/$/g, "")}
    </a>
  );
}

function Items({ snippet, items }: { snippet: Snippet; items: NonNullable<Snippet["items"]> }): JSX.Element {
  const tick = (index: number) => {
    const ticked = items.map((item, at) => (at === index ? { ...item, done: !item.done } : item));
    changeNote(snippet, { items: ticked });
  };
  return (
    <ul>
      {items.map(({ text, done }, index) => (
        <li key={index} class={done ? "done" : ""}>
          <label>
            <input type="checkbox" checked={done} onChange={() => tick(index)} />
            {text}
          </label>
        </li>
      ))}
    </ul>
  );
}
