import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { counted, number } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import type { Place } from "../../views.tsx";
import { FactPage } from "./fact.tsx";
import { Graph } from "./graph.tsx";
import { HeatTable } from "./heat-table.tsx";
import { MapActs } from "./map-acts.tsx";
import { byFirstMention, type KindOfFact, kindName, kindsOf, type StoryMap } from "./story-map.ts";

/** The story map: who and what the book names, where, and together with whom; below it the fact that is chosen. */
export function View({ bookId, factId }: Place): JSX.Element {
  const map = useRead("readStoryMap", { params: { bookId } });
  return (
    <main id="content" class="map">
      <Await read={map}>{(answer) => <Overview bookId={bookId} factId={factId} map={answer} />}</Await>
    </main>
  );
}

function Overview({ bookId, factId, map }: { bookId: string; factId: string; map: StoryMap }): JSX.Element {
  const mentions = map.facts.reduce((sum, { mentionCount }) => sum + mentionCount, 0);
  useEffect(() => {
    document.title = "Story map · Manuscript";
  }, []);
  return (
    <>
      <header class="head">
        <div>
          <h1>Story map</h1>
          <p>
            <b>{number(map.facts.length)}</b> {map.facts.length === 1 ? "fact" : "facts"},{" "}
            <b>{number(mentions)}</b> {mentions === 1 ? "mention" : "mentions"} in{" "}
            {counted(map.chapters.length, "chapter")}
          </p>
        </div>
        <MapActs bookId={bookId} map={map} />
      </header>
      {map.facts.length === 0 ? <Empty bookId={bookId} /> : <Charts {...{ bookId, factId, map }} />}
      {factId !== "" && <FactPage key={factId} bookId={bookId} factId={factId} map={map} />}
    </>
  );
}

function Empty({ bookId }: { bookId: string }): JSX.Element {
  return (
    <p class="empty">
      Nobody and nothing is on the story map yet. Add who matters, or{" "}
      <a class="link" href={`/b/${bookId}/review`}>
        have the chapters looked through
      </a>{" "}
      for people, places and things.
    </p>
  );
}

const FIRST = "first mention";

function Charts({ bookId, factId, map }: { bookId: string; factId: string; map: StoryMap }): JSX.Element {
  const [shown, setShown] = useState("all");
  const kinds = useMemo(() => kindsOf(map), [map]);
  const tabs = [
    { key: "all", name: "All", count: undefined },
    ...(kinds.length > 1
      ? kinds.map(({ kind, facts }) => ({ key: `kind ${kind}`, name: kindName(kind), count: facts.length }))
      : []),
    { key: FIRST, name: "By first mention", count: undefined },
  ];
  const groups: readonly KindOfFact[] =
    shown === FIRST
      ? [{ kind: "", facts: byFirstMention(map) }]
      : kinds.filter(({ kind }) => shown === "all" || shown === `kind ${kind}`);
  return (
    <div class="charts">
      <div>
        <fieldset class="filters">
          <legend class="hidden">Which facts are shown</legend>
          {tabs.map(({ key, name, count }) => (
            <button key={key} type="button" aria-pressed={shown === key} onClick={() => setShown(key)}>
              {name} {count !== undefined && number(count)}
            </button>
          ))}
        </fieldset>
        <HeatTable key={shown} {...{ bookId, factId, map }} groups={groups} />
      </div>
      <Graph {...{ bookId, factId, map }} kinds={kinds.map(({ kind }) => kind)} />
    </div>
  );
}
