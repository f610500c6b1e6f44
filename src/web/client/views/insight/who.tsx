import { Fragment, type JSX } from "preact";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { Meter } from "../../parts/meter.tsx";
import { counted } from "../../parts/numbers.ts";
import { Await } from "../../parts/states.tsx";
import { useMost } from "../../parts/view-head.tsx";
import { Strip } from "./strip.tsx";

type Told = Answer<"readAppearances">;
type Met = Told["facts"][number] & { first: number; last: number };

/** Facts, and pairs of them, that are shown at first. */
const STEP = 30;
/** Chapters in a row without somebody from which on that is said. */
const LONG_GAP = 3;

/** Who appears in which chapters, in the order in which the book brings them in, and who shares a scene with whom. */
export function Who({ bookId }: { bookId: string }): JSX.Element {
  const read = useRead("readAppearances", { params: { bookId } });
  return (
    <Await read={read}>
      {(told) => {
        const met = told.facts.filter((fact): fact is Met => fact.first !== null && fact.last !== null);
        if (met.length === 0)
          return (
            <p class="empty">
              The book names nobody of the story map.{" "}
              <a class="link" href={`/b/${bookId}/map`}>
                To the story map
              </a>
            </p>
          );
        return (
          <>
            <Lines bookId={bookId} told={told} met={met} />
            <Pairs bookId={bookId} told={told} />
          </>
        );
      }}
    </Await>
  );
}

function Lines({ bookId, told: { chapters }, met }: { bookId: string; told: Told; met: Met[] }): JSX.Element {
  const [most, more] = useMost(met.length, STEP);
  const inOrder = met.toSorted((a, b) => a.first - b.first || b.total - a.total);
  return (
    <section>
      <h2>From where to where</h2>
      <ul class="lines">
        {inOrder.slice(0, most).map(({ id, name, total, chapters: own, gaps }) => (
          <li key={id}>
            <a href={`/b/${bookId}/map/${id}#fact`} dir="auto">
              {name}
            </a>
            <Strip
              label={name}
              cells={chapters.length}
              marks={own.map(([at, count]) => {
                const said = `${chapters[at]?.title}: ${counted(count, "time")}`;
                const href = `/b/${bookId}/map/${id}#in-${chapters[at]?.id}`;
                return { at, href, said, title: `${at + 1}. ${said}` };
              })}
            />
            <small>
              {counted(total, "time")}
              {gaps
                .filter(([from, to]) => to - from + 1 >= LONG_GAP)
                .map(([from, to]) => `, not in ${from + 1}–${to + 1}`)
                .join("")}
            </small>
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}

function Pairs({
  bookId,
  told: { facts, pairs, scenesBy },
}: {
  bookId: string;
  told: Told;
}): JSX.Element | null {
  const [most, more] = useMost(pairs.length, STEP);
  const names = new Map(facts.map(({ id, name }) => [id, name]));
  const highest = pairs[0]?.scenes ?? 1;
  if (pairs.length === 0) return null;
  return (
    <section>
      <h2>{scenesBy === "breaks" ? "Who shares a scene" : "Who shares a chapter"}</h2>
      <ul class="lines pairs">
        {pairs.slice(0, most).map(({ factIds, scenes }) => (
          <li key={factIds.join()}>
            <span dir="auto">
              {factIds.map((id, index) => (
                <Fragment key={id}>
                  {index > 0 && " and "}
                  <a href={`/b/${bookId}/map/${id}#fact`}>{names.get(id)}</a>
                </Fragment>
              ))}
            </span>
            <Meter part={scenes / highest} />
            <small>{counted(scenes, scenesBy === "breaks" ? "scene" : "chapter")}</small>
          </li>
        ))}
      </ul>
      {more}
    </section>
  );
}
