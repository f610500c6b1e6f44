import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useRead } from "../api/reads.ts";
import { Await } from "../parts/states.tsx";
import { go } from "../router.ts";

/** The front: on to the book that was worked on last. */
export function View(): JSX.Element {
  const books = useRead("listBooks", {});
  const last = books.answer?.books.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0];
  useEffect(() => {
    if (last !== undefined) go(`/b/${last.id}`, { isReplaced: true });
  }, [last]);
  return (
    <main id="content">
      <Await read={books}>
        {({ total }) => (total === 0 ? <p>There is no book in this file yet.</p> : null)}
      </Await>
    </main>
  );
}
