import type { JSX } from "preact";

interface StripProps {
  label: string;
  /** Cells from left to right. */
  cells: number;
  /** Cells that are filled, each a link; `at` counts from 0. */
  marks: readonly { at: number; href: string; said: string; title?: string }[];
}

/** A line of cells, as one for each chapter, of which some are marks that lead somewhere. */
export function Strip({ label, cells, marks }: StripProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing whose marks are links
    <svg viewBox={`0 0 ${cells} 1`} preserveAspectRatio="none" role="group" aria-label={label}>
      {marks.map(({ at, href, said, title = said }) => (
        <a key={at} href={href} aria-label={said}>
          <title>{title}</title>
          <rect x={at + 0.05} width="0.9" height="1" />
        </a>
      ))}
    </svg>
  );
}
