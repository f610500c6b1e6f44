import type { JSX } from "preact";
import { Fragment } from "preact";
import { InPlace } from "../../parts/in-place.tsx";
import type { Change, Fact } from "./fact.tsx";
import { OneLine } from "./one-line.tsx";
import type { StoryMap } from "./story-map.ts";

/** A longer title would leave its value no room. */
const LONGEST = 24;

/** What is known of a fact, by key; an emptied value goes with its key. */
export function Details({
  fact,
  chapters,
  onChange,
}: {
  fact: Fact;
  chapters: StoryMap["chapters"];
  onChange: Change;
}): JSX.Element {
  const titleOf = (id: string) => {
    const title = chapters.find((chapter) => chapter.id === id)?.title ?? "a chapter";
    return title.length > LONGEST ? `${title.slice(0, LONGEST - 1)}…` : title;
  };
  const set = (key: string, value: string, from: { fromChapterId?: string } = {}) =>
    value === ""
      ? onChange({ setAttributes: [{ key, value: null, ...from }] }, `${key} is taken away.`)
      : onChange({ setAttributes: [{ key, value, ...from }] }, `${key}: ${value}.`);
  return (
    <>
      {fact.attributes.map(({ key, value, ...from }, index) => (
        <Fragment key={`${key} ${index}`}>
          <dt>{from.fromChapterId === undefined ? key : `${key}, from ${titleOf(from.fromChapterId)}`}</dt>
          <dd>
            <InPlace value={value} label={key} none="nothing" onSave={(text) => set(key, text, from)} />{" "}
            <button
              type="button"
              class="cross"
              aria-label={`Take ${key} away`}
              onClick={() => set(key, "", from)}
            >
              ×
            </button>
          </dd>
        </Fragment>
      ))}
      <dt />
      <dd>
        <OneLine
          opener="Add a detail"
          fields={[
            { name: "key", label: "What it tells, such as age", most: 200 },
            { name: "value", label: "Value", most: 2000 },
          ]}
          onAdd={({ key = "", value = "" }) => set(key, value)}
        />
      </dd>
    </>
  );
}
