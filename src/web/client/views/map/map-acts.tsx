import { Plus, ScanSearch } from "lucide";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { write } from "../../api/write.ts";
import { focusOnce } from "../../parts/focus.ts";
import { Icon } from "../../parts/icon.tsx";
import { counted } from "../../parts/numbers.ts";
import { go } from "../../router.ts";
import { kindsOf, type StoryMap } from "./story-map.ts";

/** What can be done with the whole map: look for more, link the names again, add somebody. */
export function MapActs({ bookId, map }: { bookId: string; map: StoryMap }): JSX.Element {
  const [isAdding, setAdding] = useState(false);
  if (isAdding) return <AddFact bookId={bookId} map={map} onDone={() => setAdding(false)} />;
  return (
    <p class="acts">
      <button type="button" class="btn" onClick={() => setAdding(true)}>
        <Icon of={Plus} />
        Add
      </button>
      {map.facts.length > 0 && (
        <button
          type="button"
          class="btn"
          title="Links every exact name and alias that is not linked yet; free of charge"
          onClick={() => void write("reanchorMentions", { params: { bookId } }, toldOf)}
        >
          Link names
        </button>
      )}
      <a class="btn" href={`/b/${bookId}/review`}>
        <Icon of={ScanSearch} />
        Look for more
      </a>
    </p>
  );
}

function toldOf({ anchored, ambiguous }: { anchored: number; ambiguous: readonly string[] }): string {
  const done =
    anchored === 0 ? "Every name is linked already." : `${counted(anchored, "mention")} linked to the map.`;
  if (ambiguous.length === 0) return done;
  return `${done} Left alone, for more than one fact is called so: ${ambiguous.slice(0, 5).join(", ")}.`;
}

function AddFact({
  bookId,
  map,
  onDone,
}: {
  bookId: string;
  map: StoryMap;
  onDone: () => void;
}): JSX.Element {
  const add = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const [name, kind] = [String(fields.get("name")).trim(), String(fields.get("kind")).trim()];
    if (name === "") return;
    const answer = await write("createFact", { params: { bookId }, body: { name, kind } }, ({ warnings }) =>
      warnings.length > 0
        ? `“${name}” is added; another fact is called so, too.`
        : `“${name}” is on the story map.`,
    );
    if (answer === undefined) return;
    onDone();
    go(`/b/${bookId}/map/${answer.id}#fact`);
  };
  return (
    <form
      class="acts"
      onSubmit={(event) => void add(event)}
      onKeyDown={({ key }) => key === "Escape" && onDone()}
    >
      <input
        class="field"
        name="name"
        aria-label="Name of who or what is added"
        placeholder="Name"
        maxLength={200}
        ref={focusOnce}
      />
      <input
        class="field"
        name="kind"
        aria-label="Kind"
        placeholder="character, place …"
        list="kinds"
        maxLength={100}
      />
      <KindList map={map} />
      <button type="submit" class="btn first">
        Add
      </button>
      <button type="button" class="btn" onClick={onDone}>
        Cancel
      </button>
    </form>
  );
}

/** The kinds that facts of the book have, to choose from. */
function KindList({ map }: { map: StoryMap }): JSX.Element {
  return (
    <datalist id="kinds">
      {kindsOf(map).map(({ kind }) => kind !== "" && <option key={kind} value={kind} />)}
    </datalist>
  );
}
