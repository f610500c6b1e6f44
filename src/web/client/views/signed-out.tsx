import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask } from "../api/ask.ts";
import { asProblem } from "../api/problem.ts";
import { keepSession } from "../api/session.ts";
import { Button } from "../parts/button.tsx";
import { address, go, path } from "../router.ts";
import "../style/signed-out.css";

/** How often the page asks whether its code was typed. */
const EVERY_MS = 2000;

/** Shown while there is no session: takes the token of a link, or says how to get in. */
export function View(): JSX.Element {
  const [problem, setProblem] = useState<string>();
  const [token] = useState(() => (path.value === "/open" ? location.hash.slice(1) : ""));
  useEffect(() => {
    document.title = "Manuscript";
    if (token === "") return;
    history.replaceState(null, "", "/open"); // out of the address and the browser's history
    ask("createSession", { body: { token } })
      .then(({ session }) => enter(session))
      .catch((thrown) => setProblem(asProblem(thrown).message));
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
      <p>Only its owner can see this manuscript. On the computer that holds it, run</p>
      <pre class="box">manuscript open</pre>
      <p>which opens it here, signed in for twelve hours. Whatever you have typed is kept.</p>
      <ByCode />
    </main>
  );
}

/** For a tablet, or over ssh: a code that the owner types at the computer. */
export function ByCode(): JSX.Element {
  const [asked, setAsked] = useState<{ code: string; secret: string }>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (asked === undefined) return;
    const timer = setInterval(() => {
      ask("claimCode", { body: { secret: asked.secret } })
        .then((told) => "session" in told && enter(told.session))
        .catch((thrown) => {
          const found = asProblem(thrown);
          if (found.isOffline) return; // it may come back within the code's time
          setProblem(found.message);
          setAsked(undefined);
        });
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [asked]);
  const askForCode = async () => {
    try {
      setAsked(await ask("createCode", { body: {} }));
      setProblem(undefined);
    } catch (thrown) {
      setProblem(asProblem(thrown).message);
    }
  };
  if (asked === undefined)
    return (
      <>
        {problem && <p role="alert">{problem}</p>}
        <Button kind="plain" onClick={() => askForCode()}>
          I am on another device, or there is no browser there
        </Button>
      </>
    );
  return (
    <>
      <p>Within five minutes, type there:</p>
      <pre class="box" aria-live="polite">
        manuscript open --code {asked.code}
      </pre>
    </>
  );
}

/** Goes on where the session had ended, or to the front. */
function enter(session: string): void {
  keepSession(session);
  if (path.value === "/open") go("/", { isReplaced: true });
  else go(address.value, { isReplaced: true });
}
