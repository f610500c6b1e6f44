import { useEffect, useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import { asProblem } from "../../api/problem.ts";
import { faultOf, type Plan } from "./places.ts";

/** What is searched for, and what is to stand there. */
export interface Wanted {
  find: string;
  with: string;
  regex: boolean;
  matchCase: boolean;
}

/** What is known of a plan; all undefined while nothing is searched for. */
export interface Planned {
  plan?: Plan;
  fault?: string;
  isLoading?: boolean;
}

/** So long nothing is typed before a plan is asked for. */
const PAUSE_MS = 350;

/** What replacing would do now: asked for when the wish has been typed, and again when the book has changed. */
export function usePlan(bookId: string, wanted: Wanted, version: unknown): Planned {
  const [planned, setPlanned] = useState<Planned>({});
  const { find, regex, matchCase } = wanted;
  useEffect(() => {
    if (find.trim() === "") return setPlanned({});
    const fault = faultOf(find, regex);
    if (fault !== undefined) return setPlanned({ fault });
    const gone = new AbortController();
    const timer = setTimeout(() => {
      setPlanned(({ plan }) => ({ ...(plan && { plan }), isLoading: true }));
      ask("replaceInBook", {
        params: { bookId },
        query: { dryRun: "1" },
        body: { find, with: wanted.with, regex, matchCase },
        signal: gone.signal,
      }).then(
        (plan) => setPlanned({ plan }),
        (thrown) => gone.signal.aborted || setPlanned({ fault: asProblem(thrown).message }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [bookId, find, wanted.with, regex, matchCase, version]);
  return planned;
}
