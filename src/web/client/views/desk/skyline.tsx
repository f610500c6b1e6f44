import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { number } from "../../parts/numbers.ts";
import type { Outline } from "../../parts/view.tsx";
import { groupsOf, longestOf } from "./outline.ts";

const WIDTH = 1152;
const HEIGHT = 96;
const PART_GAP = 29;

/**
 * The book as a row of bars: each chapter as high as it is long, as dark as it is done. Bars of one status are one drawing,
 * and the whole is one link to the bar that is pointed at or was gone to by the arrows, for hundreds cost a tenth of a second.
 */
export function Skyline({ book }: { book: Outline }): JSX.Element | null {
  const { bars, parts, drawings } = useMemo(() => shapeOf(book), [book]);
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, bars.length - 1);
  const bar = bars[at];
  if (bar === undefined) return null;
  const { chapter, path } = bar;
  const name = `${chapter.position}. ${chapter.title}: ${number(chapter.wordCount)} words, ${chapter.status}`;
  const point = ({ currentTarget, clientX }: { currentTarget: Element; clientX: number }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const x = ((clientX - left) * WIDTH) / width;
    setChosen(
      Math.max(
        0,
        bars.findLastIndex(({ from }) => from <= x),
      ),
    );
  };
  const step = (event: KeyboardEvent) => {
    const last = bars.length - 1;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, to)));
  };
  return (
    <figure
      class="skyline"
      aria-label={`The shape of the book: ${bars.length} chapters, each as high as its words. The arrows go from one to the next`}
    >
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the figure is named, and so is the link within */}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 26}`}>
        <a
          href={`/b/${book.id}/c/${chapter.id}`}
          aria-label={name}
          onPointerMove={point}
          onPointerDown={point}
          onKeyDown={step}
        >
          <title>{name}</title>
          <rect width={WIDTH} height={HEIGHT} fill="transparent" />
          {drawings.map(([status, path]) => (
            <path key={status} class={status} d={path} />
          ))}
          <path class="here" d={path} />
        </a>
        {parts.map(({ id, title, from, to }) => (
          <g key={id}>
            <line class="base" x1={from} x2={to} y1={HEIGHT} y2={HEIGHT} />
            <text class="part-name" x={from} y={HEIGHT + 20}>
              {title}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}

function shapeOf(book: Outline) {
  const groups = groupsOf(book).filter(({ chapters }) => chapters.length > 0);
  const longest = longestOf(book);
  const gap = Math.min(6, WIDTH / book.chapters.length / 8);
  const step = (WIDTH - PART_GAP * (groups.length - 1)) / book.chapters.length;
  const drawn = new Map<string, string>();
  let left = 0;
  const parts = groups.map(({ id, title, chapters }) => {
    const from = left;
    const bars = chapters.map((chapter, index) => {
      const height = Math.max(1, (HEIGHT * chapter.wordCount) / longest);
      const x = from + index * step;
      const path = `M${x.toFixed(1)} ${HEIGHT}v-${height.toFixed(1)}h${Math.max(0.5, step - gap).toFixed(1)}V${HEIGHT}z`;
      drawn.set(chapter.status, (drawn.get(chapter.status) ?? "") + path);
      return { chapter, from: x, path };
    });
    left += chapters.length * step + PART_GAP;
    return { id: id ?? "", title, bars, from, to: from + chapters.length * step - gap };
  });
  return { bars: parts.flatMap(({ bars }) => bars), parts, drawings: [...drawn] };
}
