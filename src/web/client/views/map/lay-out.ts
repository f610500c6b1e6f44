import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from "d3-force";
import { type Label, placeLabels } from "./labels.ts";
import type { StoryMap } from "./story-map.ts";

/** Facts and lines that are drawn: more would be a knot. */
const MOST = { facts: 26, lines: 60 } as const;
const TICKS = 300;
/** Room at the edges for the labels. */
const MARGIN = 28;

/** A fact as it is drawn. */
export interface LaidNode extends SimulationNodeDatum {
  id: string;
  name: string;
  kind: string;
  mentionCount: number;
  radius: number;
  x: number;
  y: number;
  /** Undefined while it moves, and where there is no room. */
  label?: Label | undefined;
}

/** A drawing: its points and its lines. */
export interface Laid {
  nodes: readonly LaidNode[];
  lines: readonly { from: LaidNode; to: LaidNode; paragraphs: number }[];
}

type Line = SimulationLinkDatum<LaidNode> & { source: LaidNode; target: LaidNode; paragraphs: number };

/**
 * Lays the map out bit by bit while the browser has nothing else to do, and shows how it stands; where no motion is
 * wanted, only how it ends. The same map is always laid out alike. Returns what stops it.
 */
export function layOut(
  map: StoryMap,
  size: { width: number; height: number },
  show: (laid: Laid) => void,
): () => void {
  const { nodes, lines } = startOf(map, size);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const simulation = forceSimulation<LaidNode>(nodes)
    .force("charge", forceManyBody<LaidNode>().strength(-320))
    .force(
      "link",
      forceLink<LaidNode, Line>(lines)
        .distance(({ paragraphs }) => 70 + 60 / paragraphs)
        .strength(({ paragraphs }) => Math.min(0.6, 0.08 + paragraphs / 30)),
    )
    .force(
      "collide",
      forceCollide<LaidNode>(({ radius }) => radius + 14),
    )
    .force("x", forceX<LaidNode>(size.width / 2).strength(0.09))
    .force("y", forceY<LaidNode>(size.height / 2).strength(0.08))
    .stop();
  let ticks = 0;
  const within = () => {
    for (const node of nodes) {
      node.x = Math.max(MARGIN, Math.min(size.width - MARGIN, node.x));
      node.y = Math.max(MARGIN, Math.min(size.height - MARGIN, node.y));
    }
  };
  const work = (mayGoOn: () => boolean) => {
    do {
      simulation.tick();
      within();
      ticks++;
    } while (ticks < TICKS && mayGoOn());
    const isDone = ticks >= TICKS;
    if (isDone) placeLabels(nodes, size);
    if (isDone || !isStill) show({ nodes: nodes.map((node) => node), lines: linesOf(lines) });
    if (!isDone) stop = whenIdle(work);
  };
  let stop = whenIdle(work);
  return () => stop();
}

function startOf(map: StoryMap, { width, height }: { width: number; height: number }) {
  const chosen = new Set<string>();
  for (const { factIds } of map.pairs) for (const id of factIds) chosen.add(id);
  const nodes = map.facts
    .filter(({ id }) => chosen.has(id))
    .sort((a, b) => b.mentionCount - a.mentionCount)
    .slice(0, MOST.facts)
    .map(({ id, name, kind, mentionCount }, index): LaidNode => {
      const [turn, away] = [index * 2.4, 18 * Math.sqrt(index)]; // as the seeds of a sunflower lie
      return {
        ...{ id, name, kind, mentionCount },
        radius: Math.min(14, 5 + Math.sqrt(mentionCount) * 1.1),
        x: width / 2 + away * Math.cos(turn),
        y: height / 2 + away * Math.sin(turn),
      };
    });
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const lines = map.pairs
    .flatMap(({ factIds: [first, second], paragraphs }): Line[] => {
      const [source, target] = [byId.get(first), byId.get(second)];
      return source === undefined || target === undefined ? [] : [{ source, target, paragraphs }];
    })
    .slice(0, MOST.lines);
  return { nodes: nodes.filter((node) => lines.some((line) => isEnd(line, node))), lines };
}

function isEnd({ source, target }: Line, node: LaidNode): boolean {
  return source === node || target === node;
}

function linesOf(lines: readonly Line[]): Laid["lines"] {
  return lines.map(({ source, target, paragraphs }) => ({ from: source, to: target, paragraphs }));
}

// Safari has no idle callbacks: there a piece is worked on each time the page is drawn.
function whenIdle(work: (mayGoOn: () => boolean) => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const id = requestIdleCallback((deadline) => work(() => deadline.timeRemaining() > 4));
    return () => cancelIdleCallback(id);
  }
  const id = setTimeout(() => {
    const until = performance.now() + 6;
    work(() => performance.now() < until);
  }, 16);
  return () => clearTimeout(id);
}
