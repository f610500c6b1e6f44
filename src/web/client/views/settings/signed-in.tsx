import type { JSX } from "preact";
import { ask } from "../../api/ask.ts";
import { asProblem } from "../../api/problem.ts";
import { useRead } from "../../api/reads.ts";
import { keepSession } from "../../api/session.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { when } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { tell } from "../../parts/toasts.tsx";

/** The pages that are signed in, each ended from here. */
export function SignedIn(): JSX.Element {
  const read = useRead("listSessions", {});
  const signOut = async () => {
    try {
      await ask("endSession", {});
      keepSession(null);
    } catch (thrown) {
      tell(asProblem(thrown).message, { isProblem: true });
    }
  };
  return (
    <Await read={read}>
      {({ sessions }) => (
        <ul class="rows">
          {sessions.map(({ id, browser, lastUsedAt, isThis }) => (
            <li key={id}>
              <span>
                {isThis ? "This browser" : browser || "A browser"}{" "}
                {!isThis && <small>last seen {when(lastUsedAt)}</small>}
              </span>
              <Button
                kind="plain"
                onClick={() =>
                  isThis
                    ? signOut()
                    : write("revokeSession", { params: { sessionId: id } }, "That page is signed out.")
                }
              >
                Sign out
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Await>
  );
}
