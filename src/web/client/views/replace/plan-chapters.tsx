import type { JSX } from "preact";
import { number } from "../../parts/numbers.ts";
import { type Find, findsIn, type Plan, type PlanChapter } from "./places.ts";

/** More finds than these are folded away by chapter. */
const MOST_OPEN = 300;

/** The finds by chapter, each in its sentence; one, a chapter's or all are chosen or left. */
export function PlanChapters({
  bookId,
  plan: { chapters, replaced },
  left,
  onLeave,
}: {
  bookId: string;
  plan: Plan;
  left: ReadonlySet<string>;
  onLeave: (left: ReadonlySet<string>) => void;
}): JSX.Element | null {
  if (replaced === 0) return null;
  const all = chapters.flatMap(findsIn);
  const set = (finds: readonly Find[], isChosen: boolean) => {
    const keys = finds.map(({ key }) => key);
    onLeave(new Set(isChosen ? [...left].filter((key) => !keys.includes(key)) : [...left, ...keys]));
  };
  return (
    <>
      <p class="all">
        <Tick finds={all} left={left} label="All of them" onSet={(isChosen) => set(all, isChosen)} />
      </p>
      {chapters.map((chapter) => (
        <ChapterFinds
          key={chapter.id}
          {...{ bookId, chapter, left, set }}
          isOpen={replaced <= MOST_OPEN || chapters.length === 1}
        />
      ))}
    </>
  );
}

function ChapterFinds({
  bookId,
  chapter,
  left,
  set,
  isOpen,
}: {
  bookId: string;
  chapter: PlanChapter;
  left: ReadonlySet<string>;
  set: (finds: readonly Find[], isChosen: boolean) => void;
  isOpen: boolean;
}): JSX.Element {
  const finds = findsIn(chapter);
  return (
    <section class="plan">
      <header>
        <Tick finds={finds} left={left} label={chapter.title} onSet={(isChosen) => set(finds, isChosen)} />
        <span class="soft">{number(finds.length)}</span>
      </header>
      <details open={isOpen}>
        <summary>{chapter.titleChanged ? "Places; the title follows its heading" : "Places"}</summary>
        <ul>
          {finds.map((find) => (
            <li key={find.key}>
              <label>
                <input
                  type="checkbox"
                  checked={!left.has(find.key)}
                  onChange={({ currentTarget }) => set([find], currentTarget.checked)}
                />
                <span dir="auto">
                  {find.before}
                  <del>{find.old}</del>
                  {find.insert !== "" && <ins>{find.insert}</ins>}
                  {find.after}
                </span>
              </label>
              <a
                class="link"
                href={`/b/${bookId}/c/${chapter.id}#${find.place.blockId}`}
                aria-label={`Read this place in ${chapter.title}`}
              >
                Read
              </a>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function Tick({
  finds,
  left,
  label,
  onSet,
}: {
  finds: readonly Find[];
  left: ReadonlySet<string>;
  label: string;
  onSet: (isChosen: boolean) => void;
}): JSX.Element {
  const chosen = finds.filter(({ key }) => !left.has(key)).length;
  return (
    <label>
      <input
        type="checkbox"
        checked={chosen === finds.length}
        indeterminate={chosen > 0 && chosen < finds.length}
        onChange={({ currentTarget }) => onSet(currentTarget.checked)}
      />{" "}
      <span dir="auto">{label}</span>
    </label>
  );
}
