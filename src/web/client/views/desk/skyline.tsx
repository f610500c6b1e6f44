import type { JSX } from "preact";
import { number } from "../../parts/numbers.ts";
import { STATUS_NAMES } from "../../parts/status.tsx";
import { groupsOf, type Outline } from "./outline.ts";

const WIDTH = 1152;
const HEIGHT = 96;
const PART_GAP = 29;

/** The book as a row of bars: each chapter as high as it is long, as dark as it is done. */
export function Skyline({ book }: { book: Outline }): JSX.Element | null {
  if (book.chapters.length === 0) return null;
  const groups = groupsOf(book).filter(({ chapters }) => chapters.length > 0);
  const longest = book.chapters.reduce((most, { wordCount }) => Math.max(most, wordCount), 1);
  const gap = Math.min(6, WIDTH / book.chapters.length / 8);
  const room = WIDTH - PART_GAP * (groups.length - 1);
  const step = room / book.chapters.length;
  let left = 0;
  return (
    <figure
      class="skyline"
      aria-label={`The shape of the book: ${book.chapters.length} chapters, each as high as its words`}
    >
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the figure is named, each bar is a link with a name of its own */}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 26}`}>
        {groups.map(({ id, title, chapters }) => {
          const from = left;
          left += chapters.length * step + PART_GAP;
          const words = chapters.reduce((sum, { wordCount }) => sum + wordCount, 0);
          return (
            <g key={id ?? ""}>
              {chapters.map((chapter, index) => {
                const height = Math.max(1, (HEIGHT * chapter.wordCount) / longest);
                const name = `${chapter.position}. ${chapter.title}: ${number(chapter.wordCount)} words, ${STATUS_NAMES[chapter.status].toLowerCase()}`;
                return (
                  <a key={chapter.id} href={`/b/${book.id}/c/${chapter.id}`} aria-label={name}>
                    <title>{name}</title>
                    <rect
                      class={chapter.status}
                      x={from + index * step}
                      y={HEIGHT - height}
                      width={Math.max(0.5, step - gap)}
                      height={height}
                      rx="1.5"
                    />
                  </a>
                );
              })}
              <line class="base" x1={from} x2={from + chapters.length * step - gap} y1={HEIGHT} y2={HEIGHT} />
              <text class="part-name" x={from} y={HEIGHT + 20}>
                {title}
              </text>
              {chapters.length * step > 120 && (
                <text x={from + chapters.length * step - gap} y={HEIGHT + 20} text-anchor="end">
                  {number(words)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </figure>
  );
}
