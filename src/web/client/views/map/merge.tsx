import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import type { Answer } from "../../api/operations.ts";
import { asProblem } from "../../api/problem.ts";
import { write } from "../../api/write.ts";
import { focusOnce } from "../../parts/focus.ts";
import { counted } from "../../parts/numbers.ts";
import { go } from "../../router.ts";
import type { Fact } from "./fact.tsx";
import type { StoryMap } from "./story-map.ts";

type Preview = Answer<"mergeFacts">;

/** Merges a fact with another one; what that would do is shown before anything is written. */
export function Merge({
  bookId,
  fact,
  map,
  onDone,
}: {
  bookId: string;
  fact: Fact;
  map: StoryMap;
  onDone: () => void;
}): JSX.Element {
  const [otherId, setOther] = useState("");
  const [isKept, setKept] = useState(true);
  const others = map.facts.filter(({ id }) => id !== fact.id);
  const other = others.find(({ id }) => id === otherId);
  const body = isKept ? { keepId: fact.id, dropId: otherId } : { keepId: otherId, dropId: fact.id };
  const [kept, dropped] = isKept ? [fact.name, other?.name] : [other?.name, fact.name];
  const { preview, refusal } = usePreview(otherId === "" ? undefined : body, fact.updatedAt);
  const merge = async () => {
    const to = (id: string) => go(`/b/${bookId}/map/${id}#fact`, { isReplaced: true });
    if (!isKept) to(otherId); // what is dropped is not asked for again
    const answer = await write("mergeFacts", { body }, `“${dropped}” is merged into “${kept}”.`);
    if (answer === undefined) to(fact.id);
    else onDone();
  };
  return (
    <form
      class="merge"
      aria-label={`Merge ${fact.name} with another`}
      onSubmit={(event) => {
        event.preventDefault();
        if (preview !== undefined) void merge();
      }}
      onKeyDown={({ key }) => key === "Escape" && onDone()}
    >
      <label>
        Merge with{" "}
        <select
          class="field"
          value={otherId}
          ref={focusOnce}
          onChange={({ currentTarget }) => setOther(currentTarget.value)}
        >
          <option value="">Choose …</option>
          {others.map(({ id, name, kind }) => (
            <option key={id} value={id}>
              {name}
              {kind && ` (${kind})`}
            </option>
          ))}
        </select>
      </label>
      {other !== undefined && (
        <label>
          <input
            type="checkbox"
            checked={!isKept}
            onChange={({ currentTarget }) => setKept(!currentTarget.checked)}
          />{" "}
          Keep the name “{other.name}”
        </label>
      )}
      {refusal !== undefined && <p role="alert">{refusal}</p>}
      {preview !== undefined && <WhatItDoes preview={preview} kept={kept ?? ""} dropped={dropped ?? ""} />}
      <p class="acts">
        <button type="submit" class="btn first" disabled={preview === undefined}>
          Merge
        </button>
        <button type="button" class="btn" onClick={onDone}>
          Cancel
        </button>
      </p>
    </form>
  );
}

/** What a merge would do, asked anew when one of both is changed; `version` says that. */
function usePreview(
  body: { keepId: string; dropId: string } | undefined,
  version: string,
): { preview?: Preview; refusal?: string } {
  const [shown, setShown] = useState<{ preview?: Preview; refusal?: string }>({});
  useEffect(() => {
    setShown({});
    if (body === undefined) return;
    let isLatest = true;
    ask("mergeFacts", { query: { dryRun: "1" }, body }).then(
      (preview) => isLatest && setShown({ preview }),
      (thrown) => isLatest && setShown({ refusal: asProblem(thrown).message }),
    );
    return () => {
      isLatest = false;
    };
  }, [body?.keepId, body?.dropId, version]);
  return shown;
}

function WhatItDoes({
  preview: { mentionsMoved, aliasesAdded, attributesAdded },
  kept,
  dropped,
}: {
  preview: Preview;
  kept: string;
  dropped: string;
}): JSX.Element {
  return (
    <ul role="status">
      <li>“{dropped}” goes from the map; the prose stays as it is.</li>
      <li>
        {counted(mentionsMoved, "mention")} will point to “{kept}”.
      </li>
      {aliasesAdded.length > 0 && <li>Further names: {aliasesAdded.join(", ")}.</li>}
      {attributesAdded.length > 0 && (
        <li>Taken over: {attributesAdded.map(({ key, value }) => `${key} ${value}`).join(", ")}.</li>
      )}
    </ul>
  );
}
