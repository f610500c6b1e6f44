import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { groupBy } from "../../../../text/group-by.ts";
import { useRead } from "../../api/reads.ts";
import { useKeys } from "../../parts/keys.ts";
import { counted, number } from "../../parts/numbers.ts";
import type { Outline } from "../../parts/view.tsx";
import { useMost } from "../../parts/view-head.tsx";
import {
  highestOf,
  type KindOfFact,
  type MappedFact,
  type OnMap,
  type StoryMap,
  tintOf,
} from "./story-map.ts";

/** Rows that are shown before more are asked for: 40 of 400 chapters are 16,000 cells. */
const STEP = 40;
/** Chapters beyond which a book is drawn more sparingly. */
const LONG = 60;

interface Shown extends OnMap {
  groups: readonly KindOfFact[];
}

/** Facts by chapters: how often each is mentioned, as a number and as one of five tints. */
export function HeatTable({ bookId, factId, map, groups }: Shown): JSX.Element {
  const table = useRef<HTMLTableElement>(null);
  const highest = useMemo(() => highestOf(map), [map]);
  useRowKeys(table);
  const total = groups.reduce((sum, { facts }) => sum + facts.length, 0);
  const [most, more] = useMost(total, STEP);
  const shown = firstOf(groups, most, total);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section class="heat-wrap" tabIndex={0} aria-label="Mentions by chapter">
        <table class="heat" ref={table} style={{ "--chapters": map.chapters.length }}>
          <caption class="hidden">How often each fact is mentioned in each chapter</caption>
          <HeatHead bookId={bookId} map={map} />
          {shown.map(({ kind, facts }) => (
            <tbody key={kind}>
              {facts.map((fact) => (
                <HeatRow key={fact.id} {...{ bookId, fact, map, highest }} isChosen={fact.id === factId} />
              ))}
            </tbody>
          ))}
        </table>
      </section>
      {more}
    </>
  );
}

/** Of each group its share of `most` rows, but one at least. */
function firstOf(groups: readonly KindOfFact[], most: number, total: number): KindOfFact[] {
  const share = Math.min(1, most / total);
  return groups.map(({ kind, facts }) => ({
    kind,
    facts: facts.slice(0, Math.max(1, Math.round(share * facts.length))),
  }));
}

function HeatHead({ bookId, map }: { bookId: string; map: StoryMap }): JSX.Element {
  const book = useRead("readOutline", { params: { bookId } }).answer;
  return (
    <thead>
      {book !== undefined && book.parts.length > 0 && (
        <tr>
          <td />
          {spansOf(book, map).map(({ title, span }, index) => (
            <th key={index} scope="colgroup" colSpan={span} title={title}>
              {title}
            </th>
          ))}
        </tr>
      )}
      <tr>
        <td />
        {map.chapters.map(({ id, title }, index) => (
          <th key={id} scope="col" title={title}>
            <a href={`/b/${bookId}/c/${id}`} aria-label={`Chapter ${index + 1}, ${title}`}>
              {index + 1}
            </a>
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The parts with how many chapters each has, in reading order. */
function spansOf(book: Outline, { chapters }: StoryMap): { title: string; span: number }[] {
  const titles = new Map(book.parts.map(({ id, title }) => [id, title]));
  const parts = new Map(book.chapters.map(({ id, partId }) => [id, partId]));
  return [...groupBy(chapters, ({ id }) => titles.get(parts.get(id) ?? "") ?? "")].map(([title, own]) => ({
    title,
    span: own.length,
  }));
}

interface RowOfHeat {
  bookId: string;
  fact: MappedFact;
  map: StoryMap;
  highest: number;
  isChosen: boolean;
}

function HeatRow({ bookId, fact, map, highest, isChosen }: RowOfHeat): JSX.Element {
  const to = `/b/${bookId}/map/${fact.id}`;
  return (
    <tr class={isChosen ? "on" : ""}>
      <th scope="row">
        <a href={`${to}#fact`} aria-current={isChosen ? "true" : undefined} title={fact.name}>
          {fact.name}
        </a>
        <small title={counted(fact.mentionCount, "mention")}>{number(fact.mentionCount)}</small>
      </th>
      {cellsOf(fact, map).map(({ chapterId, count, span }) => {
        if (count === 0) return <td key={chapterId} colSpan={span} />;
        const tint = tintOf(count, highest);
        return (
          <td key={chapterId} class={`t${tint}`} style={{ "--heat": `var(--heat${tint})` }}>
            <a href={`${to}#in-${chapterId}`} tabIndex={-1}>
              {count}
            </a>
          </td>
        );
      })}
    </tr>
  );
}

/** The cells of a row. In a long book chapters in a row that do not mention the fact are one cell: it has a tenth of them. */
function cellsOf(
  fact: MappedFact,
  { chapters }: StoryMap,
): { chapterId: string; count: number; span: number }[] {
  const counts = new Map(fact.chapters);
  const cells: { chapterId: string; count: number; span: number }[] = [];
  for (const [place, { id }] of chapters.entries()) {
    const count = counts.get(place) ?? 0;
    const last = cells.at(-1);
    if (count === 0 && last?.count === 0 && chapters.length > LONG) last.span++;
    else cells.push({ chapterId: id, count, span: 1 });
  }
  return cells;
}

/** `j` and `k` go down and up the names. */
function useRowKeys(table: { current: HTMLTableElement | null }): void {
  const step = (by: number) => {
    const names = [...(table.current?.querySelectorAll<HTMLElement>("th[scope=row] a") ?? [])];
    const at = names.indexOf(document.activeElement as HTMLElement);
    names[Math.max(0, Math.min(names.length - 1, at + by))]?.focus();
  };
  useKeys(
    [
      { keys: "j", does: "The next fact", run: () => step(1) },
      { keys: "k", does: "The fact before", run: () => step(-1) },
    ],
    [],
  );
}
