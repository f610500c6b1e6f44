import { Fragment, type JSX } from "preact";
import { InPlace } from "../../parts/in-place.tsx";
import { OneLine } from "../../parts/one-line.tsx";
import type { ChangeFact, Fact, StoryMap } from "./story-map.ts";

/** A longer title would leave its value no room. */
const LONGEST = 24;

interface OfFact {
  fact: Fact;
  onChange: ChangeFact;
}

function Cross({ label, onClick }: { label: string; onClick: () => void }): JSX.Element {
  return (
    <button type="button" class="bare" aria-label={label} onClick={onClick}>
      ×
    </button>
  );
}

/** The other names of a fact: removed by their crosses, added by typing. */
export function Names({ fact: { aliases, name }, onChange }: OfFact): JSX.Element {
  return (
    <>
      <dt>Also</dt>
      <dd>
        <ul>
          {aliases.map((alias) => (
            <li key={alias}>
              {alias}{" "}
              <Cross
                label={`Remove the name ${alias}`}
                onClick={() =>
                  onChange(
                    { aliases: aliases.filter((other) => other !== alias) },
                    `${name} is no longer called “${alias}”.`,
                  )
                }
              />
            </li>
          ))}
          <li>
            <OneLine
              opener="Add a name"
              fields={[{ name: "alias", label: "Another name", maxLength: 200 }]}
              onAdd={({ alias = "" }) =>
                onChange({ aliases: [...aliases, alias] }, `${name} is also called “${alias}”.`)
              }
            />
          </li>
        </ul>
      </dd>
    </>
  );
}

/** The attributes of a fact, by key; an emptied value goes with its key. */
export function Details({
  fact,
  chapters,
  onChange,
}: OfFact & { chapters: StoryMap["chapters"] }): JSX.Element {
  const titleOf = (id: string) => {
    const title = chapters.find((chapter) => chapter.id === id)?.title ?? "a chapter";
    return title.length > LONGEST ? `${title.slice(0, LONGEST - 1)}…` : title;
  };
  const set = (key: string, value: string, from: { fromChapterId?: string } = {}) =>
    onChange(
      { setAttributes: [{ key, value: value || null, ...from }] },
      value === "" ? `${key} is removed.` : `${key}: ${value}.`,
    );
  return (
    <>
      {fact.attributes.map(({ key, value, ...from }, index) => (
        <Fragment key={`${key} ${index}`}>
          <dt>{from.fromChapterId === undefined ? key : `${key}, from ${titleOf(from.fromChapterId)}`}</dt>
          <dd>
            <InPlace value={value} label={key} none="nothing" onSave={(text) => set(key, text, from)} />{" "}
            <Cross label={`Remove ${key}`} onClick={() => set(key, "", from)} />
          </dd>
        </Fragment>
      ))}
      <dt />
      <dd>
        <OneLine
          opener="Add a detail"
          fields={[
            { name: "key", label: "A property, such as age", maxLength: 200 },
            { name: "value", label: "Value", maxLength: 2000 },
          ]}
          onAdd={({ key = "", value = "" }) => set(key, value)}
        />
      </dd>
    </>
  );
}
