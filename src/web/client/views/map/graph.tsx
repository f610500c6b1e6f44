import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { counted } from "../../parts/numbers.ts";
import type { Laid } from "./lay-out.ts";
import { kindName, type OnMap } from "./story-map.ts";

/** Width and height of the drawing, in its own units: its letters are as large as elsewhere at this width. */
const SIZE = { width: 400, height: 480 } as const;

interface Shown extends Omit<OnMap, "factId"> {
  /** The kinds, by the number of their facts: each has its shape. */
  kinds: readonly string[];
}

/** Who shares paragraphs with whom: the more paragraphs, the nearer and the thicker the line. */
export function Graph({ bookId, map, kinds }: Shown): JSX.Element | null {
  const [laid, setLaid] = useState<Laid>();
  const known = JSON.stringify([map.pairs, map.facts.map(({ id, name }) => [id, name])]);
  useEffect(() => {
    let isGone = false;
    void import("./lay-out.ts").then(({ layOut }) => {
      if (!isGone) setLaid(layOut(map, SIZE));
    });
    return () => {
      isGone = true;
    };
  }, [known]);
  if (map.pairs.length === 0) return null;
  const shownKinds = kinds.filter((kind) => laid?.nodes.some((node) => node.kind === kind));
  return (
    <figure class="graph" aria-label="Who appears together">
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing whose points are links */}
      <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} role="group" aria-label="Who appears together">
        {laid?.lines.map(({ from, to, paragraphs }) => (
          <line
            key={`${from.id} ${to.id}`}
            x1={from.x}
            y1={from.y}
            x2={to.x}
            y2={to.y}
            stroke-width={Math.min(4, 0.6 + Math.sqrt(paragraphs) / 2)}
          />
        ))}
        {laid?.nodes.map((node) => (
          <Point key={node.id} {...{ bookId, node, kinds }} />
        ))}
      </svg>
      <figcaption>
        {shownKinds.map((kind) => (
          <span key={kind}>
            <svg viewBox="-8 -8 16 16" aria-hidden="true">
              <Shape of={kinds.indexOf(kind)} radius={6} />
            </svg>
            {kindName(kind)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

interface PointProps {
  bookId: string;
  node: Laid["nodes"][number];
  kinds: readonly string[];
}

function Point({ bookId, node, kinds }: PointProps): JSX.Element {
  const { id, name, kind, x, y, radius, mentionCount, label } = node;
  return (
    <a
      href={`/b/${bookId}/map/${id}#fact`}
      aria-label={`${name}, ${kindName(kind)}, ${counted(mentionCount, "mention")}`}
    >
      <g transform={`translate(${x} ${y})`}>
        <Shape of={kinds.indexOf(kind)} radius={radius} />
      </g>
      {label && (
        <text x={label.x} y={label.y} text-anchor={label.anchor}>
          {label.text}
        </text>
      )}
    </a>
  );
}

/** The shape of a kind: a disc, a ring, a square, a diamond, a triangle, and for all others one that stands on its head. */
function Shape({ of, radius: r }: { of: number; radius: number }): JSX.Element {
  if (of === 0) return <circle class="k0" r={r} />;
  if (of === 1) return <circle class="k1" r={r} />;
  if (of === 2)
    return <rect class="k2" x={-r * 0.85} y={-r * 0.85} width={r * 1.7} height={r * 1.7} rx="1" />;
  if (of === 3) return <path class="k3" d={`M0 ${-r}L${r} 0L0 ${r}L${-r} 0z`} />;
  if (of > 4) return <path class="k0" d={`M0 ${r}L${r} ${-r * 0.8}L${-r} ${-r * 0.8}z`} />;
  return <path class="k0" d={`M0 ${-r}L${r} ${r * 0.8}L${-r} ${r * 0.8}z`} />;
}
