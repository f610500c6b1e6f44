import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { write } from "../../api/write.ts";
import { Button } from "../../parts/button.tsx";
import { Switch } from "../../parts/choices/switch.tsx";
import { InPlace } from "../../parts/in-place.tsx";
import { useKeys } from "../../parts/keys.ts";
import { later } from "../../parts/later.tsx";
import { counted } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { address, go } from "../../router.ts";
import { Concordance } from "./concordance.tsx";
import { Details, Names } from "./details.tsx";
import { Merge } from "./merge.tsx";
import { type ChangeFact, type Fact, factChange, type OnMap } from "./story-map.ts";

const Passages = later(() => import("./passages.tsx"));

/** A fact with all that is known of it, each word changed where it stands, and every mention in its sentence. */
export function FactPage({ bookId, factId, map }: OnMap): JSX.Element {
  const read = useRead("readFact", { params: { factId } });
  const section = useRef<HTMLElement>(null);
  const seen = useRef<string | undefined>(undefined);
  const isThere = read.answer !== undefined;
  const { hash } = new URL(address.value, location.origin);
  useEffect(() => {
    const to = hash.startsWith("#in-") ? document.getElementById(hash.slice(1)) : section.current;
    (to ?? section.current)?.scrollIntoView({ block: "nearest" });
    if (isThere) section.current?.focus({ preventScroll: true });
  }, [isThere, hash]);
  useKeys([{ keys: "Escape", does: "Close the fact", run: () => go(`/b/${bookId}/map`) }], [bookId]);
  const change = factChange(factId, () => seen.current);
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

/** The mentions, or the sentences that describe the fact, which are looked for once they are asked for. */
function Told({
  bookId,
  factId,
  children,
}: Omit<OnMap, "map"> & { children: ComponentChildren }): JSX.Element {
  const shown = useSignal<"mentions" | "passages">("mentions");
  return (
    <div>
      <Switch
        label="What is shown of the prose"
        options={[
          ["mentions", "Every mention"],
          ["passages", "What the book says"],
        ]}
        chosen={shown}
      />
      {shown.value === "passages" ? <Passages bookId={bookId} factId={factId} /> : children}
    </div>
  );
}

type KnownProps = Omit<OnMap, "factId"> & { fact: Fact; onChange: ChangeFact };

function Known({ bookId, fact, map, onChange }: KnownProps): JSX.Element {
  const [isMerging, setMerging] = useState(false);
  // Away from here first: what is gone is not asked for again.
  const remove = async () => {
    go(`/b/${bookId}/map`);
    const answer = await write(
      "deleteFact",
      { params: { factId: fact.id } },
      `“${fact.name}” is removed from the story map; the prose stays as it is.`,
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
          onSave={(kind) => onChange({ kind }, `“${fact.name}” is now a “${kind}”.`)}
        />{" "}
        · {counted(fact.mentionCount, "mention")}
        <a class="btn plain" href={`/b/${bookId}/map`}>
          Close
        </a>
      </p>
      <h2 dir="auto">
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
          <Button onClick={() => setMerging(true)}>Merge…</Button>
          <Button onClick={() => remove()}>Delete</Button>
        </p>
      )}
    </div>
  );
}
