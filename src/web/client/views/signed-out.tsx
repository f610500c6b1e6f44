import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { asProblem } from "../api/problem.ts";
import { keepSession } from "../api/session.ts";
import { go, path } from "../router.ts";

/** Shown while there is no session: takes the token of a link, or says how to get in. */
export function SignedOut(): JSX.Element {
  const [problem, setProblem] = useState<string>();
  const [token] = useState(() => (path.value === "/open" ? location.hash.slice(1) : ""));
  useEffect(() => {
    if (token === "") return;
    history.replaceState(null, "", "/open"); // out of the address and the browser's history
    void signIn(token).then(setProblem);
  }, [token]);
  if (token !== "" && problem === undefined) return <main id="content" />;
  return (
    <main id="content" class="signed-out">
      <h1>
        <span class="mark" aria-hidden="true">
          ¶
        </span>{" "}
        Manuscript
      </h1>
      {problem && <p role="alert">{problem}</p>}
      <p>This page shows a manuscript only to its owner. On the computer that it is on, run</p>
      <pre>
        <code>manuscript open</code>
      </pre>
      <p>which opens it here, signed in for twelve hours.</p>
    </main>
  );
}

async function signIn(token: string): Promise<string | undefined> {
  try {
    const response = await fetch("/api/v1/session", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token }),
    });
    const told = await response.json();
    if (!response.ok) return told.message;
    keepSession(told.session);
    go("/", { isReplaced: true });
    return undefined;
  } catch (thrown) {
    return asProblem(thrown).message;
  }
}
