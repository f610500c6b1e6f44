import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/fields.tsx";
import { Form, type Values } from "../../parts/form.tsx";
import { number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";

/** The engine that answers AI calls, a test of it, and the address of a language model. */
export function Engine(): JSX.Element {
  const read = useRead("readEngine", {});
  const [asked, setAsked] = useState(0);
  const { answer, refusal, isLoading } = useAnswer("testEngine", asked > 0 ? {} : undefined, {
    version: asked,
  });
  return (
    <Await read={read}>
      {({ engine, llm }) => (
        <>
          <dl>
            <dt>In use</dt>
            <dd>{engine ?? "None"}</dd>
            <dt>Language model</dt>
            <dd>
              {llm === null ? (
                "None: your prose stays on this computer"
              ) : (
                <>
                  {llm.model} at <code>{llm.url}</code>
                  {llm.remote && " — prose is sent to another machine"}
                </>
              )}
            </dd>
          </dl>
          <p class="acts">
            <Button onClick={() => setAsked(asked + 1)}>Try it</Button>
            {llm !== null && (
              <Button
                onClick={() => write("changeAccount", { body: { llm: null } }, "The model is switched off.")}
              >
                Switch it off
              </Button>
            )}
          </p>
          <p class="soft" aria-live="polite">
            {isLoading ? "One moment …" : (refusal ?? (answer && wordsOf(answer)))}
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
  const save = ({ url = "", model = "", ...others }: Values) => {
    const body = { llm: { url, model, ...("remote" in others ? { allowRemote: true } : {}) } };
    return write("changeAccount", { body }, "AI calls now go to this model.");
  };
  return (
    <details>
      <summary>Use a language model</summary>
      <Form class="form" onSave={save}>
        <Field
          label="Address of its OpenAI-compatible API"
          type="url"
          name="url"
          required
          defaultValue={llm?.url ?? "http://127.0.0.1:11434/v1"}
        />
        <Field label="Model" type="text" name="model" required defaultValue={llm?.model ?? ""} />
        <label>
          <input type="checkbox" name="remote" /> It is on another machine, and my prose may be sent there
        </label>
        <Button type="submit">Save</Button>
      </Form>
    </details>
  );
}
