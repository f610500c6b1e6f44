import { Plus, ScanSearch } from "lucide";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { write } from "../../api/write.ts";
import { Button, focusOnce, Icon } from "../../parts/button.tsx";
import { Form, type Values } from "../../parts/form.tsx";
import { counted } from "../../parts/numbers.ts";
import { go } from "../../router.ts";
import { kindsOf, type OnMap } from "./story-map.ts";

type MapProps = Omit<OnMap, "factId">;

/** The buttons of the map: add a fact, link the names again, look for more. */
export function MapActs({ bookId, map }: MapProps): JSX.Element {
  const [isAdding, setAdding] = useState(false);
  if (isAdding) return <AddFact bookId={bookId} map={map} onDone={() => setAdding(false)} />;
  return (
    <p class="acts">
      <Button onClick={() => setAdding(true)}>
        <Icon of={Plus} />
        Add
      </Button>
      {map.facts.length > 0 && (
        <Button
          title="Links every exact name and alias that is not linked yet; free of charge"
          onClick={() => write("reanchorMentions", { params: { bookId } }, outcomeOf)}
        >
          Link names
        </Button>
      )}
      <a class="btn" href={`/b/${bookId}/review`}>
        <Icon of={ScanSearch} />
        Look for more
      </a>
    </p>
  );
}

function outcomeOf({ anchored, ambiguous }: { anchored: number; ambiguous: readonly string[] }): string {
  const done =
    anchored === 0 ? "Every name is linked already." : `${counted(anchored, "mention")} linked to the map.`;
  if (ambiguous.length === 0) return done;
  return `${done} Not linked, because more than one fact has the name: ${ambiguous.slice(0, 5).join(", ")}.`;
}

function AddFact({ bookId, map, onDone }: MapProps & { onDone: () => void }): JSX.Element {
  const add = async ({ name = "", kind = "" }: Values) => {
    if (name === "") return;
    const answer = await write("createFact", { params: { bookId }, body: { name, kind } }, ({ warnings }) =>
      warnings.length > 0
        ? `“${name}” is added; another fact has the same name.`
        : `“${name}” is on the story map.`,
    );
    if (answer === undefined) return;
    onDone();
    go(`/b/${bookId}/map/${answer.id}#fact`);
  };
  return (
    <Form class="acts" onSave={add} onCancel={onDone}>
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
      <datalist id="kinds">
        {kindsOf(map).map(({ kind }) => kind !== "" && <option key={kind} value={kind} />)}
      </datalist>
      <Button type="submit" kind="first">
        Add
      </Button>
      <Button onClick={onDone}>Cancel</Button>
    </Form>
  );
}
