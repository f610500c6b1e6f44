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
  /** Undefined where there is no room. */
  label?: Label | undefined;
}

/** A drawing: its points and its lines. */
export interface Laid {
  nodes: readonly LaidNode[];
  lines: readonly { from: LaidNode; to: LaidNode; paragraphs: number }[];
}

type Line = SimulationLinkDatum<LaidNode> & { source: LaidNode; target: LaidNode; paragraphs: number };

/** Lays the map out; the same map always alike. Some 30 ms. */
export function layOut(map: StoryMap, size: { width: number; height: number }): Laid {
  const { nodes, lines } = startOf(map, size);
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
  for (let ticks = 0; ticks < TICKS; ticks++) {
    simulation.tick();
    for (const node of nodes) {
      node.x = Math.max(MARGIN, Math.min(size.width - MARGIN, node.x));
      node.y = Math.max(MARGIN, Math.min(size.height - MARGIN, node.y));
    }
  }
  placeLabels(nodes, size);
  return {
    nodes,
    lines: lines.map(({ source, target, paragraphs }) => ({ from: source, to: target, paragraphs })),
  };
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
