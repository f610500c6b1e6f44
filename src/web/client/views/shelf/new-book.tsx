import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { write } from "../../api/write.ts";
import { go } from "../../router.ts";
import { BringIn } from "./bring-in.tsx";

/** The three ways to a book: files that are there already, an empty one, the sample. */
export function NewBook({ isFirst }: { isFirst: boolean }): JSX.Element {
  const [isBringing, setBringing] = useState(false);
  useEffect(() => {
    document.title = "A new book · Manuscript";
  }, []);
  return (
    <div class="new-book">
      <h1>{isFirst ? "No book is here yet" : "A new book"}</h1>
      <p class="soft">
        {isFirst
          ? "This manuscript is an empty file of yours. There are three ways to begin."
          : "It goes beside the books that are here."}
      </p>
      <div class="ways">
        <BringIn onBusy={setBringing} />
        {!isBringing && (
          <>
            <StartBook />
            <Sample />
          </>
        )}
      </div>
    </div>
  );
}

function StartBook(): JSX.Element {
  const start = async (event: Event & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget).get("title")).trim();
    const made = await write("createBook", { body: { title } }, `“${title}” is begun.`);
    if (made !== undefined) go(`/b/${made.id}`);
  };
  return (
    <section>
      <h2>Start a book</h2>
      <p>An empty one; chapters come as you write them.</p>
      <form onSubmit={(event) => void start(event)}>
        <input
          class="field"
          name="title"
          dir="auto"
          required
          maxLength={500}
          aria-label="Title of the book"
          placeholder="Title"
        />
        <button type="submit" class="btn">
          Start
        </button>
      </form>
    </section>
  );
}

function Sample(): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const add = async () => {
    setBusy(true);
    const added = await write("addSample", {}, "The sample is here; delete it when you have looked around.");
    setBusy(false);
    if (added !== undefined) go(`/b/${added.bookId}`);
  };
  return (
    <section>
      <h2>Open the sample</h2>
      <p>A short novel with its cast and its notes, to look around in.</p>
      <button type="button" class="btn" disabled={isBusy} onClick={() => void add()}>
        {isBusy ? "One moment …" : "Open it"}
      </button>
    </section>
  );
}
