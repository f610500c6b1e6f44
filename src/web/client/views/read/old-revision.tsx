import type { JSX } from "preact";
import { useRead } from "../../api/reads.ts";
import { Button } from "../../parts/button.tsx";
import { when } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { type Outline, useTitle } from "../../parts/view.tsx";
import { restoreRevision } from "../history/cost.tsx";
import { Contents } from "./contents.tsx";
import { bodyOf } from "./nodes.ts";
import { Prose } from "./prose.tsx";

interface RevisionProps {
  book: Outline;
  chapterId: string;
  revision: number;
}

/** A chapter as it was in an older revision: to be read, compared or restored, not to be changed. */
export function OldRevision({ book, chapterId, revision }: RevisionProps): JSX.Element {
  const read = useRead("readChapter", { params: { chapterId }, query: { format: "doc", revision } });
  const title = read.answer?.title ?? "";
  useTitle(`${title}, revision ${revision}`);
  return (
    <main id="content" class="reading">
      <Contents book={book} chapterId={chapterId} />
      <article class="prose" lang="">
        <Await read={read}>
          {(chapter) => (
            <>
              <Banner {...{ book, chapterId, revision, title }} />
              <header>
                <h1 dir="auto">{title}</h1>
              </header>
              <Prose blocks={bodyOf(chapter)} beside={{ bookId: book.id, chapterId: chapter.id }} />
            </>
          )}
        </Await>
      </article>
    </main>
  );
}

function Banner({ book, chapterId, revision, title }: RevisionProps & { title: string }): JSX.Element {
  const all = useRead("listRevisions", { params: { chapterId } }).answer?.revisions ?? [];
  const at = all.find((one) => one.revision === revision)?.at;
  const newest = all.at(-1)?.revision;
  const now = `/b/${book.id}/c/${chapterId}`;
  const restore = () => restoreRevision({ id: chapterId, title }, { revision, newest, to: now });
  return (
    <section class="callout" aria-label="An older revision">
      <p>
        <b>Revision {revision}</b>
        {at && ` of ${when(at)}`}. You can read it, but not change it.
      </p>
      <p class="acts">
        <a class="btn" href={now}>
          Back to now
        </a>
        <a class="btn" href={`${now}/history?from=${revision}`}>
          What changed since
        </a>
        {newest !== undefined && newest !== revision && <Button onClick={restore}>Restore it</Button>}
      </p>
    </section>
  );
}
