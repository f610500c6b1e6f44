import { Plus, ScanSearch } from "lucide";
import type { JSX } from "preact";
import { write } from "../../api/write.ts";
import { Button, Icon } from "../../parts/button.tsx";
import type { Values } from "../../parts/form.tsx";
import { counted } from "../../parts/numbers.ts";
import { OneLine } from "../../parts/one-line.tsx";
import { go } from "../../router.ts";
import { kindsOf, type OnMap } from "./story-map.ts";

const KIND = { name: "kind", list: "kinds", maxLength: 100 } as const;

/** The buttons of the map: add a fact, link the names again, look for more. */
export function MapActs({ bookId, map }: Omit<OnMap, "factId">): JSX.Element {
  const add = async ({ name = "", kind = "" }: Values) => {
    const answer = await write("createFact", { params: { bookId }, body: { name, kind } }, ({ warnings }) =>
      warnings.length > 0
        ? `“${name}” is added; another fact has the same name.`
        : `“${name}” is on the story map.`,
    );
    if (answer !== undefined) go(`/b/${bookId}/map/${answer.id}#fact`);
    return answer;
  };
  return (
    <div class="acts">
      <OneLine
        kind=""
        opener={
          <>
            <Icon of={Plus} />
            Add
          </>
        }
        fields={[
          { name: "name", label: "Name of who or what is added", placeholder: "Name", maxLength: 200 },
          { ...KIND, label: "Kind", placeholder: "character, place …", required: false },
        ]}
        onAdd={add}
      />
      <datalist id={KIND.list}>
        {kindsOf(map).map(({ kind }) => kind !== "" && <option key={kind} value={kind} />)}
      </datalist>
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
    </div>
  );
}

function outcomeOf({ anchored, ambiguous }: { anchored: number; ambiguous: readonly string[] }): string {
  const done =
    anchored === 0 ? "Every name is linked already." : `${counted(anchored, "mention")} linked to the map.`;
  if (ambiguous.length === 0) return done;
  return `${done} Not linked, because more than one fact has the name: ${ambiguous.slice(0, 5).join(", ")}.`;
}
