import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { InPlace } from "../../parts/in-place.tsx";
import { later } from "../../parts/later.tsx";
import { counted } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { address, go } from "../../router.ts";
import { changeFact, type FactChange } from "./change-fact.ts";
import { Concordance } from "./concordance.tsx";
import { Details } from "./details.tsx";
import { Merge } from "./merge.tsx";
import { Names } from "./names.tsx";
import type { StoryMap } from "./story-map.ts";

const Passages = later(() => import("./passages.tsx"));

/** A fact. */
export type Fact = Answer<"readFact">["fact"];
/** Changes the fact that is shown, if it is as it was when the writer began, and tells what was done. */
export type Change = (body: FactChange["body"], done: string) => void;

/** A fact with all that is known of it, each word changed where it stands, and every mention in its sentence. */
export function FactPage({
  bookId,
  factId,
  map,
}: {
  bookId: string;
  factId: string;
  map: StoryMap;
}): JSX.Element {
  const read = useRead("readFact", { params: { factId } });
  const section = useRef<HTMLElement>(null);
  const seen = useRef<string | undefined>(undefined);
  const isThere = read.answer !== undefined;
  const { hash } = new URL(address.value, location.origin);
  useEffect(() => {
    const to = hash.startsWith("#in-") ? document.getElementById(hash.slice(1)) : section.current;
    (to ?? section.current)?.scrollIntoView({ block: "start" });
    if (isThere) section.current?.focus({ preventScroll: true });
  }, [isThere, hash]);
  const change: Change = (body, done) => void changeFact({ factId, ifMatch: seen.current, body }, done);
  return (
    <section
      id="fact"
      class="fact"
      tabIndex={-1}
      ref={section}
      aria-label={read.answer?.fact.name ?? "Fact"}
      onFocusIn={() => {
        seen.current = read.etag;
      }}
    >
      <Await read={read}>
        {({ fact, mentions }) => (
          <>
            <Known bookId={bookId} fact={fact} map={map} onChange={change} />
            <Told bookId={bookId} factId={factId}>
              <Concordance bookId={bookId} mentions={mentions} isWhole={hash.startsWith("#in-")} />
            </Told>
          </>
        )}
      </Await>
    </section>
  );
}

/** What the book has of it: every mention, or the sentences that describe it, looked for once they are asked for. */
function Told({
  bookId,
  factId,
  children,
}: {
  bookId: string;
  factId: string;
  children: ComponentChildren;
}): JSX.Element {
  const [isDescribed, setDescribed] = useState(false);
  const tab = (name: string, own: boolean) => (
    <button type="button" aria-pressed={isDescribed === own} onClick={() => setDescribed(own)}>
      {name}
    </button>
  );
  return (
    <div>
      <fieldset class="filters">
        <legend class="hidden">What is shown of the prose</legend>
        {tab("Every mention", false)}
        {tab("What the book says", true)}
      </fieldset>
      {isDescribed ? <Passages bookId={bookId} factId={factId} /> : children}
    </div>
  );
}

function Known({
  bookId,
  fact,
  map,
  onChange,
}: {
  bookId: string;
  fact: Fact;
  map: StoryMap;
  onChange: Change;
}): JSX.Element {
  const [isMerging, setMerging] = useState(false);
  // Away from here first: what is gone is not asked for again.
  const remove = async () => {
    go(`/b/${bookId}/map`);
    const answer = await write(
      "deleteFact",
      { params: { factId: fact.id } },
      `“${fact.name}” is off the story map; the prose stays as it is.`,
    );
    if (answer === undefined) go(`/b/${bookId}/map/${fact.id}`);
  };
  return (
    <div class="known">
      <p class="caps">
        <InPlace
          value={fact.kind}
          label="Kind"
          none="No kind"
          onSave={(kind) => onChange({ kind }, `“${fact.name}” is now of the kind “${kind}”.`)}
        />{" "}
        · {counted(fact.mentionCount, "mention")}
      </p>
      <h2>
        <InPlace
          value={fact.name}
          label="Name"
          onSave={(name) => onChange({ name }, `“${fact.name}” is called “${name}” on the map.`)}
        />
      </h2>
      <div class="gist" dir="auto">
        <InPlace
          value={fact.summary}
          label="Summary"
          none="No summary yet. Write one."
          isLong
          onSave={(summary) => onChange({ summary }, "The summary is changed.")}
        />
      </div>
      <dl>
        <Names fact={fact} onChange={onChange} />
        <Details fact={fact} chapters={map.chapters} onChange={onChange} />
      </dl>
      {isMerging ? (
        <Merge bookId={bookId} fact={fact} map={map} onDone={() => setMerging(false)} />
      ) : (
        <p class="acts">
          <button type="button" class="btn" onClick={() => setMerging(true)}>
            Merge…
          </button>
          <button type="button" class="btn" onClick={() => void remove()}>
            Delete
          </button>
        </p>
      )}
    </div>
  );
}
