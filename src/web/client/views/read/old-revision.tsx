import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { when } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { go } from "../../router.ts";
import type { Outline } from "../desk/outline.ts";
import { bodyOf } from "./body-of.ts";
import { Contents } from "./contents.tsx";
import { Prose } from "./prose.tsx";

type Chapter = Extract<Answer<"readChapter">, { doc: unknown }>;

/** A chapter as it was in an older revision: to be read, compared or restored, not to be changed. */
export function OldRevision({
  book,
  chapterId,
  revision,
}: {
  book: Outline;
  chapterId: string;
  revision: number;
}): JSX.Element {
  const read = useRead("readChapter", { params: { chapterId }, query: { format: "doc", revision } });
  const title = read.answer?.title ?? "";
  useEffect(() => {
    document.title = `${title}, revision ${revision}`;
  }, [title, revision]);
  return (
    <main id="content" class="reading">
      <Contents book={book} chapterId={chapterId} />
      <article class="prose" lang="">
        <Await read={read}>
          {(chapter) => (
            <>
              <Banner bookId={book.id} chapterId={chapterId} revision={revision} title={title} />
              <header>
                <h1 dir="auto">{title}</h1>
              </header>
              <Prose blocks={bodyOf(chapter as Chapter)} beside={{ bookId: book.id }} />
            </>
          )}
        </Await>
      </article>
    </main>
  );
}

function Banner({
  bookId,
  chapterId,
  revision,
  title,
}: {
  bookId: string;
  chapterId: string;
  revision: number;
  title: string;
}): JSX.Element {
  const all = useRead("listRevisions", { params: { chapterId } }).answer?.revisions ?? [];
  const at = all.find((one) => one.revision === revision)?.at;
  const newest = all.at(-1)?.revision;
  const now = `/b/${bookId}/c/${chapterId}`;
  const restore = () =>
    void write(
      "restoreRevision",
      { params: { chapterId }, body: { revision, ifRevision: newest } },
      `“${title}” is as it was in revision ${revision}.`,
    ).then((answer) => answer && go(now));
  return (
    <section class="cost old-revision" aria-label="An older revision">
      <p>
        <b>Revision {revision}</b>
        {at && ` of ${when(at)}`}. It is shown to be read; nothing of it can be changed.
      </p>
      <p class="acts-line">
        <a class="btn" href={now}>
          Back to now
        </a>
        <a class="btn" href={`${now}/history?from=${revision}`}>
          What changed since
        </a>
        {newest !== undefined && newest !== revision && (
          <button type="button" class="btn" onClick={restore}>
            Restore it
          </button>
        )}
      </p>
    </section>
  );
}
