import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isOnline } from "../api/ask.ts";
import type { Answer, Operation } from "../api/operations.ts";
import type { Problem } from "../api/problem.ts";
import { type Read, refreshReads } from "../api/reads.ts";
import { Button } from "./button.tsx";

/** The wait after which "One moment" is shown; a quicker answer would only flicker. */
const LOADING_MS = 300;

/** Shows by its children what a read answered; until then that it is on its way, and if it failed, why. */
export function Await<Id extends Operation>({
  read,
  children,
}: {
  read: Read<Id>;
  children?: (answer: Answer<Id>) => ComponentChildren;
}): JSX.Element {
  if (read.answer !== undefined) return <>{children?.(read.answer)}</>;
  if (read.problem !== undefined) return <ProblemNote problem={read.problem} />;
  return <Loading />;
}

/** Says that something is on its way, once it takes long. */
export function Loading(): JSX.Element | null {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LOADING_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate ? (
    <p class="loading" role="status">
      One moment …
    </p>
  ) : null;
}

/** A problem in the writer's words, and a way to ask again. */
export function ProblemNote({
  problem: { status, message },
  onAgain = refreshReads,
}: {
  problem: Problem;
  onAgain?: () => unknown;
}): JSX.Element {
  const isGone = status === 404;
  return (
    <section class="callout" role="alert">
      <p>{isGone ? "There is nothing here any more; perhaps it was deleted." : message}</p>
      <p>
        {!isGone && <Button onClick={onAgain}>Try again</Button>}{" "}
        <a class="link" href="/">
          To the desk
        </a>
      </p>
    </section>
  );
}

/** A line over everything while the server does not answer. */
export function OfflineLine(): JSX.Element | null {
  if (isOnline.value) return null;
  return (
    <p class="offline" role="alert">
      Manuscript does not answer. What you have typed is kept here; start it again, in a terminal with{" "}
      <code>manuscript serve</code>.
    </p>
  );
}
