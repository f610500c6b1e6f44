import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { write } from "../../api/write.ts";
import { focusOnce } from "../../parts/button.tsx";
import { Choice, Tick } from "../../parts/fields.tsx";
import { Form, FormEnd } from "../../parts/form.tsx";
import { counted } from "../../parts/numbers.ts";
import { go } from "../../router.ts";
import type { Fact, OnMap } from "./story-map.ts";

type MergeProps = Omit<OnMap, "factId"> & { fact: Fact; onDone: () => void };

/** Merges a fact with another one; the effect is shown before anything is written. */
export function Merge({ bookId, fact, map, onDone }: MergeProps): JSX.Element {
  const [otherId, setOther] = useState("");
  const [isKept, setKept] = useState(true);
  const others = map.facts.filter(({ id }) => id !== fact.id);
  const other = others.find(({ id }) => id === otherId);
  const body = isKept ? { keepId: fact.id, dropId: otherId } : { keepId: otherId, dropId: fact.id };
  const [kept = "", dropped = ""] = isKept ? [fact.name, other?.name] : [other?.name, fact.name];
  const { answer, refusal, isLoading } = useAnswer(
    "mergeFacts",
    otherId === "" ? undefined : { query: { dryRun: "1" }, body },
    { version: fact.updatedAt },
  );
  const preview = isLoading ? undefined : answer;
  const merge = async () => {
    if (preview === undefined) return;
    const to = (id: string) => go(`/b/${bookId}/map/${id}#fact`, { isReplaced: true });
    if (!isKept) to(otherId); // the dropped fact is not read again
    const merged = await write("mergeFacts", { body }, `“${dropped}” is merged into “${kept}”.`);
    if (merged === undefined) to(fact.id);
    else onDone();
  };
  return (
    <Form class="box form" aria-label={`Merge ${fact.name} with another`} onSave={merge} onCancel={onDone}>
      <Choice
        isShown
        label="Merge with"
        value={otherId}
        ref={focusOnce}
        options={[
          ["", "Choose …"],
          ...others.map(({ id, name, kind }) => [id, kind ? `${name} (${kind})` : name] as const),
        ]}
        onChange={setOther}
      />
      {other !== undefined && (
        <Tick isOn={!isKept} onChange={(isOn) => setKept(!isOn)}>
          Keep the name “{other.name}”
        </Tick>
      )}
      {refusal !== undefined && <p role="alert">{refusal}</p>}
      {preview !== undefined && <Effect {...preview} kept={kept} dropped={dropped} />}
      <FormEnd save="Merge" isOff={preview === undefined} onCancel={onDone} />
    </Form>
  );
}

type EffectProps = Answer<"mergeFacts"> & { kept: string; dropped: string };

function Effect({
  mentionsMoved,
  aliasesAdded,
  attributesAdded,
  snippet,
  kept,
  dropped,
}: EffectProps): JSX.Element {
  return (
    <ul role="status">
      <li>“{dropped}” leaves the map; the prose stays as it is.</li>
      <li>
        {counted(mentionsMoved, "mention")} will point to “{kept}”.
      </li>
      {aliasesAdded.length > 0 && <li>Added names: {aliasesAdded.join(", ")}.</li>}
      {attributesAdded.length > 0 && (
        <li>Added details: {attributesAdded.map(({ key, value }) => `${key} ${value}`).join(", ")}.</li>
      )}
      {snippet !== null && <li>What differs goes into a note. {snippet.text}</li>}
    </ul>
  );
}
