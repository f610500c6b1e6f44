import type { JSX } from "preact";
import { useRead } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { Field } from "../../parts/fields.tsx";
import { Form, type Values } from "../../parts/form.tsx";
import { number } from "../../parts/numbers.ts";
import { go } from "../../router.ts";

/** The books of the file, and what can be done with the one that is open. */
export function View({ bookId, close }: { bookId: string; close: () => void }): JSX.Element {
  const books = useRead("listBooks", {}).answer?.books ?? [];
  const own = books.find(({ id }) => id === bookId);
  const rename = ({ title = "" }: Values) => {
    close();
    if (title !== "" && title !== own?.title)
      void write("updateBook", { params: { bookId }, body: { title } }, "The book is renamed.");
  };
  const remove = async () => {
    close();
    // Away first: what is shown of a book is asked for again after every write.
    const next = books.find(({ id }) => id !== bookId);
    go(next === undefined ? "/?new" : `/b/${next.id}`);
    const deleted = await write("deleteBook", { params: { bookId } }, `“${own?.title ?? ""}” is deleted.`);
    if (deleted === undefined) go(`/b/${bookId}`);
  };
  return (
    <>
      {books.map(({ id, title, wordCount }) => (
        <a key={id} href={`/b/${id}`} aria-current={id === bookId ? "page" : undefined} onClick={close}>
          <span class="serif" dir="auto">
            {title}
          </span>
          <small>{number(wordCount)}</small>
        </a>
      ))}
      <a href="/?new" onClick={close}>
        New book or import …
      </a>
      {own !== undefined && (
        <a href={`/b/${bookId}/export`} onClick={close}>
          Export …
        </a>
      )}
      {own !== undefined && (
        <>
          <Form onSave={rename}>
            <Field label="Title" name="title" dir="auto" maxLength={500} defaultValue={own.title} />
          </Form>
          <button type="button" onClick={() => void remove()}>
            Delete this book
          </button>
        </>
      )}
    </>
  );
}
