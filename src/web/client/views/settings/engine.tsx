import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import type { Answer } from "../../api/operations.ts";
import { asProblem } from "../../api/problem.ts";
import { useRead } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";

/** Which engine answers AI calls, a try of it, and the address of a language model. */
export function Engine(): JSX.Element {
  const read = useRead("readEngine", {});
  const [told, setTold] = useState<string>();
  const test = async () => {
    setTold("One moment …");
    try {
      setTold(wordsOf(await ask("testEngine", {})));
    } catch (thrown) {
      setTold(asProblem(thrown).message);
    }
  };
  return (
    <Await read={read}>
      {({ engine, llm }) => (
        <>
          <dl class="facts">
            <dt>Answers now</dt>
            <dd>{engine ?? "Nobody"}</dd>
            <dt>Language model</dt>
            <dd>
              {llm === null ? (
                "None: no prose leaves this program"
              ) : (
                <>
                  {llm.model} at <code>{llm.url}</code>
                  {llm.remote && " — prose is sent to another machine"}
                </>
              )}
            </dd>
          </dl>
          <p class="acts">
            <button type="button" class="btn" onClick={() => void test()}>
              Try it
            </button>
            {llm !== null && (
              <button
                type="button"
                class="btn"
                onClick={() =>
                  void write("changeAccount", { body: { llm: null } }, "The model is switched off.")
                }
              >
                Switch it off
              </button>
            )}
          </p>
          <p class="soft" aria-live="polite">
            {told}
          </p>
          <ModelForm llm={llm} />
        </>
      )}
    </Await>
  );
}

function wordsOf({ ok, engine, milliseconds, failure }: Answer<"testEngine">): string {
  return ok
    ? `${engine} answered after ${number(milliseconds)} ms.`
    : `The model did not answer (${failure ?? "no reason given"}); ${engine} did.`;
}

function ModelForm({ llm }: { llm: Answer<"readEngine">["llm"] }): JSX.Element {
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const body = {
      llm: {
        url: String(given.get("url")).trim(),
        model: String(given.get("model")).trim(),
        ...(given.has("remote") ? { allowRemote: true } : {}),
      },
    };
    void write("changeAccount", { body }, "AI calls go to this model from now on.");
  };
  return (
    <details class="more">
      <summary>Use a language model</summary>
      <form class="stacked" onSubmit={save}>
        <label>
          Address of its OpenAI-compatible API
          <input
            class="field"
            type="url"
            name="url"
            required
            defaultValue={llm?.url ?? "http://127.0.0.1:11434/v1"}
          />
        </label>
        <label>
          Model
          <input class="field" type="text" name="model" required defaultValue={llm?.model ?? ""} />
        </label>
        <label class="check">
          <input type="checkbox" name="remote" /> It is on another machine, and my prose may be sent there
        </label>
        <button type="submit" class="btn">
          Save
        </button>
      </form>
    </details>
  );
}
