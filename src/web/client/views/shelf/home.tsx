import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { Await } from "../../parts/states.tsx";
import { go, query } from "../../router.ts";
import { NewBook } from "./new-book.tsx";

/** The front: on to the book that was worked on last; where there is none, or with `?new`, the ways to a new one. */
export function View(): JSX.Element {
  const books = useRead("listBooks", {});
  const isNew = query.value.has("new");
  const last = books.answer?.books.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0];
  useEffect(() => {
    if (last !== undefined && !isNew) go(`/b/${last.id}`, { isReplaced: true });
  }, [last?.id, isNew]);
  return (
    <main id="content">
      <Await read={books}>
        {({ total }) => (total === 0 || isNew ? <NewBook isFirst={total === 0} /> : null)}
      </Await>
    </main>
  );
}
