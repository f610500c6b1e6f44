import { useEffect, useState } from "preact/hooks";
import { ask } from "./ask.ts";
import type { Answer, Operation, Sent } from "./operations.ts";
import { asProblem } from "./problem.ts";

/** An answer, or why there is none; while a newer one is on its way `isLoading`. All undefined if nothing is asked. */
export interface Answered<Id extends Operation> {
  answer?: Answer<Id>;
  refusal?: string;
  isLoading?: true;
}

/**
 * Asks what a view needs by itself, such as a dry run: again when `sent` or `version` changes, once neither has for
 * `pauseMs`. The answer before is kept until the next has come.
 */
export function useAnswer<Id extends Operation>(
  id: Id,
  sent: Sent<Id> | undefined,
  { version, pauseMs = 0 }: { version?: unknown; pauseMs?: number } = {},
): Answered<Id> {
  const [answered, setAnswered] = useState<Answered<Id>>({});
  useEffect(() => {
    if (sent === undefined) return setAnswered({});
    setAnswered(({ answer }) => ({ ...(answer && { answer }), isLoading: true }));
    const left = new AbortController();
    const timer = setTimeout(() => {
      ask(id, { ...sent, signal: left.signal }).then(
        (answer) => setAnswered({ answer }),
        (thrown) => left.signal.aborted || setAnswered({ refusal: asProblem(thrown).message }),
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [JSON.stringify(sent), version]);
  return answered;
}
