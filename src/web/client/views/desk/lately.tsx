import type { JSX } from "preact";
import { useRead } from "../../api/reads.ts";
import { undo } from "../../api/write.ts";
import { type Act, doneOf, whoOf } from "../../parts/act-words.ts";
import { counted, when } from "../../parts/numbers.ts";
import type { Outline } from "./outline.ts";

const SHOWN = 6;

/** The newest acts that touched this book, each with its Undo. */
export function Lately({ book }: { book: Outline }): JSX.Element | null {
  const acts = useRead("listActs", { query: { limit: 40 } }).answer?.acts ?? [];
  const own = acts.filter((act) => act.undoneBy === null && act.undoes === null && isOf(book, act));
  if (own.length === 0) return null;
  return (
    <section>
      <h2 class="caps">Lately</h2>
      <ul class="lately">
        {own
          .slice(-SHOWN)
          .toReversed()
          .map((act) => (
            <li key={act.id}>
              <span>
                {whoOf(act)} {doneOf(act)}
                <Where book={book} act={act} />
              </span>
              <small>{when(act.at)}</small>
              <button type="button" class="btn" onClick={() => void undo(act.id)}>
                Undo
              </button>
            </li>
          ))}
      </ul>
      <p>
        <a class="link" href={`/b/${book.id}/acts`}>
          All that happened
        </a>
      </p>
    </section>
  );
}

/** Whether an act is about this book; what touches neither a book nor a chapter may be any book's. */
function isOf({ id, chapters }: Outline, { kind, touched }: Act): boolean {
  if (kind === "deleteChapter") return true; // nothing says any more of which book it was
  if (touched.chapters.length > 0)
    return touched.chapters.some((one) => chapters.some((chapter) => chapter.id === one));
  return touched.books.length === 0 || touched.books.includes(id);
}

function Where({ book, act }: { book: Outline; act: Act }): JSX.Element | null {
  const { chapters } = act.touched;
  const only = book.chapters.find(({ id }) => id === chapters[0]);
  if (chapters.length > 1) return <>, {counted(chapters.length, "chapter")}</>;
  return only === undefined ? null : (
    <>
      {" "}
      in <i class="serif">{only.title}</i>
    </>
  );
}
