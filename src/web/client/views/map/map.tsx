import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { Switch } from "../../parts/choices/switch.tsx";
import { counted, number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { useTitle } from "../../parts/view.tsx";
import { Count, ViewHead } from "../../parts/view-head.tsx";
import type { Place } from "../../router.ts";
import "../../style/map.css";
import { FactPage } from "./fact.tsx";
import { Graph } from "./graph.tsx";
import { HeatTable } from "./heat-table.tsx";
import { MapActs } from "./map-acts.tsx";
import { byFirstMention, type KindOfFact, kindName, kindsOf, type OnMap } from "./story-map.ts";

/** The story map: who and what the book names, where, and together with whom; beside it the fact that is chosen. */
export function View({ bookId, factId }: Place): JSX.Element {
  const map = useRead("readStoryMap", { params: { bookId } });
  return (
    <main id="content" class="map">
      <Await read={map}>{(answer) => <Overview bookId={bookId} factId={factId} map={answer} />}</Await>
    </main>
  );
}

function Overview({ bookId, factId, map }: OnMap): JSX.Element {
  const mentions = map.facts.reduce((sum, { mentionCount }) => sum + mentionCount, 0);
  useTitle("Story map · Manuscript");
  return (
    <>
      <ViewHead
        title="Story map"
        about={
          <>
            <Count of={map.facts.length} one="fact" />, <Count of={mentions} one="mention" /> in{" "}
            {counted(map.chapters.length, "chapter")}
          </>
        }
      >
        <MapActs bookId={bookId} map={map} />
      </ViewHead>
      {map.facts.length === 0 ? <Empty bookId={bookId} /> : <Charts {...{ bookId, factId, map }} />}
    </>
  );
}

function Empty({ bookId }: { bookId: string }): JSX.Element {
  return (
    <p class="empty">
      The story map is empty. Add who and what matters, or{" "}
      <a class="link" href={`/b/${bookId}/review`}>
        search the chapters
      </a>{" "}
      for people, places and things.
    </p>
  );
}

const FIRST = "first mention";

function Charts({ bookId, factId, map }: OnMap): JSX.Element {
  const chosen = useSignal("all");
  const shown = chosen.value;
  const kinds = useMemo(() => kindsOf(map), [map]);
  const tabs = (kinds.length > 1 ? kinds : []).map(
    ({ kind, facts }) => [`kind ${kind}`, `${kindName(kind)} ${number(facts.length)}`] as const,
  );
  const groups: readonly KindOfFact[] =
    shown === FIRST
      ? [{ kind: "", facts: byFirstMention(map) }]
      : kinds.filter(({ kind }) => shown === "all" || shown === `kind ${kind}`);
  return (
    <div class="columns charts">
      <div>
        <Switch
          label="Which facts are shown"
          options={[["all", "All"], ...tabs, [FIRST, "By first mention"]]}
          chosen={chosen}
        />
        <HeatTable key={shown} {...{ bookId, factId, map }} groups={groups} />
      </div>
      {factId === "" ? (
        <Graph {...{ bookId, map }} kinds={kinds.map(({ kind }) => kind)} />
      ) : (
        <FactPage key={factId} {...{ bookId, factId, map }} />
      )}
    </div>
  );
}
