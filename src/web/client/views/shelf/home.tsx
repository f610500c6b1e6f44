import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { Form, type Values } from "../../parts/form.tsx";
import { Await } from "../../parts/states.tsx";
import { useTitle } from "../../parts/view.tsx";
import { ViewHead } from "../../parts/view-head.tsx";
import { go, query } from "../../router.ts";
import "../../style/shelf.css";
import { BringIn } from "./bring-in.tsx";

/** The front: goes on to the book that was changed last; without one, or with `?new`, shows the ways to a first or a new one. */
export function View(): JSX.Element {
  const books = useRead("listBooks", {});
  const isNew = query.value.has("new");
  const last = books.answer?.books.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0];
  const isEmpty = books.answer?.total === 0;
  useEffect(() => {
    if (last !== undefined && !isNew) go(`/b/${last.id}`, { isReplaced: true });
    if (isEmpty && isNew) go("/", { isReplaced: true }); // on to a book as soon as there is one
  }, [last?.id, isEmpty, isNew]);
  return (
    <main id="content" class="shelf">
      <Await read={books}>
        {({ total }) => (total === 0 || isNew ? <NewBook isFirst={total === 0} /> : null)}
      </Await>
    </main>
  );
}

/** The three ways to a book: files that are there already, an empty one, the sample. */
function NewBook({ isFirst }: { isFirst: boolean }): JSX.Element {
  const [isBringing, setBringing] = useState(false);
  const title = isBringing ? "Import" : isFirst ? "No books yet" : "A new book";
  useTitle(`${isFirst ? "A new book" : title} · Manuscript`);
  return (
    <>
      <ViewHead
        title={title}
        about={
          isBringing
            ? "Nothing is written until you say so."
            : isFirst
              ? "Your manuscript is an empty file. There are three ways to begin."
              : "It is added to the books that are here."
        }
      />
      <div class="ways">
        <BringIn onBusy={setBringing} />
        {!isBringing && (
          <>
            <StartBook />
            <Sample />
          </>
        )}
      </div>
    </>
  );
}

function StartBook(): JSX.Element {
  const start = async ({ title = "" }: Values) => {
    const made = await write("createBook", { body: { title } }, `“${title}” is created.`);
    if (made === undefined) return;
    const params = { bookId: made.id };
    const chapter = await write("createChapter", { params, body: { title: "Chapter 1" } });
    go(`/b/${made.id}${chapter === undefined ? "" : `/c/${chapter.id}/edit`}`);
  };
  return (
    <section class="box">
      <h2>Start a book</h2>
      <p>With an empty first chapter, to write in at once.</p>
      <Form class="line" onSave={start}>
        <input
          class="field"
          name="title"
          dir="auto"
          required
          maxLength={500}
          aria-label="Title of the book"
          placeholder="Title"
        />
        <Button type="submit">Start</Button>
      </Form>
    </section>
  );
}

function Sample(): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const add = async () => {
    setBusy(true);
    const added = await write("addSample", {}, "The sample is here; delete it when you are done with it.");
    setBusy(false);
    if (added !== undefined) go(`/b/${added.bookId}`);
  };
  return (
    <section class="box">
      <h2>Open the sample</h2>
      <p>A short novel with its cast and its notes, to explore.</p>
      <Button disabled={isBusy} onClick={() => add()}>
        {isBusy ? "One moment …" : "Open it"}
      </Button>
    </section>
  );
}
