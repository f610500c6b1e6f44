import type { JSX } from "preact";
import { Tick } from "../../parts/fields.tsx";
import { number } from "../../parts/numbers.ts";
import { type Find, findsIn, type Plan, type PlanChapter } from "./places.ts";

/** More finds than these are folded away by chapter. */
const MOST_OPEN = 300;

interface PlanProps {
  bookId: string;
  plan: Plan;
  left: ReadonlySet<string>;
  onLeave: (left: ReadonlySet<string>) => void;
}

/** The finds by chapter, each in its sentence; one, a chapter's or all are chosen or left. */
export function PlanChapters({
  bookId,
  plan: { chapters, replaced },
  left,
  onLeave,
}: PlanProps): JSX.Element | null {
  if (replaced === 0) return null;
  const all = chapters.flatMap(findsIn);
  const set = (finds: readonly Find[], isChosen: boolean) => {
    const keys = finds.map(({ key }) => key);
    onLeave(new Set(isChosen ? [...left].filter((key) => !keys.includes(key)) : [...left, ...keys]));
  };
  return (
    <>
      <p>
        <FindsTick finds={all} left={left} label="All of them" onSet={(isChosen) => set(all, isChosen)} />
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

interface FindsProps {
  bookId: string;
  chapter: PlanChapter;
  left: ReadonlySet<string>;
  set: (finds: readonly Find[], isChosen: boolean) => void;
  isOpen: boolean;
}

function ChapterFinds({ bookId, chapter, left, set, isOpen }: FindsProps): JSX.Element {
  const finds = findsIn(chapter);
  return (
    <section class="plan">
      <header>
        <FindsTick
          finds={finds}
          left={left}
          label={chapter.title}
          onSet={(isChosen) => set(finds, isChosen)}
        />
        <span class="soft">{number(finds.length)}</span>
      </header>
      <details open={isOpen}>
        <summary>{chapter.titleChanged ? "Places; the title follows its heading" : "Places"}</summary>
        <ul class="rows">
          {finds.map((find) => (
            <li key={find.key}>
              <Tick isOn={!left.has(find.key)} onChange={(isOn) => set([find], isOn)}>
                <span dir="auto">
                  {find.before}
                  <del>{find.old}</del>
                  {find.insert !== "" && <ins>{find.insert}</ins>}
                  {find.after}
                </span>
              </Tick>
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

interface FindsTickProps {
  finds: readonly Find[];
  left: ReadonlySet<string>;
  label: string;
  onSet: (isChosen: boolean) => void;
}

function FindsTick({ finds, left, label, onSet }: FindsTickProps): JSX.Element {
  const chosen = finds.filter(({ key }) => !left.has(key)).length;
  const isSome = chosen > 0 && chosen < finds.length;
  return (
    <Tick isOn={chosen === finds.length} indeterminate={isSome} onChange={onSet}>
      <span dir="auto">{label}</span>
    </Tick>
  );
}
