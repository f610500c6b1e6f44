/** Where a name stands. */
export interface Label {
  text: string;
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Labelled {
  name: string;
  x: number;
  y: number;
  radius: number;
  label?: Label | undefined;
}

const HEIGHT = 16;
const LONGEST = 22;
const GAP = 3;

/** Gives each point its name below, above or beside it, the first points first; where none is free, none. */
export function placeLabels(nodes: readonly Labelled[], size: { width: number; height: number }): void {
  const taken: Box[] = nodes.map(({ x, y, radius }) => ({
    left: x - radius,
    right: x + radius,
    top: y - radius,
    bottom: y + radius,
  }));
  const measure = createMeasure();
  for (const node of nodes) {
    const text = node.name.length > LONGEST ? `${node.name.slice(0, LONGEST - 1)}…` : node.name;
    const width = measure(text);
    const found = placesOf(node, text).find((place) => {
      const box = boxOf(place, width);
      const isWithin = box.left >= 0 && box.right <= size.width && box.top >= 0 && box.bottom <= size.height;
      return isWithin && !taken.some((other) => overlap(box, other));
    });
    node.label = found;
    if (found !== undefined) taken.push(boxOf(found, width));
  }
}

function placesOf({ x, y, radius }: Labelled, text: string): Label[] {
  const [right, left] = [x + radius + GAP, x - radius - GAP];
  const [below, above] = [y + radius + HEIGHT, y - radius - GAP - 2];
  return [
    { text, x, y: below, anchor: "middle" },
    { text, x, y: above, anchor: "middle" },
    { text, x: right, y: y + 4, anchor: "start" },
    { text, x: left, y: y + 4, anchor: "end" },
    { text, x: x + radius, y: below, anchor: "start" },
    { text, x: x - radius, y: below, anchor: "end" },
    { text, x: x + radius, y: above, anchor: "start" },
    { text, x: x - radius, y: above, anchor: "end" },
  ];
}

function boxOf({ x, y, anchor }: Label, width: number): Box {
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  return { left, right: left + width, top: y - HEIGHT + 3, bottom: y + 3 };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function createMeasure(): (text: string) => number {
  const drawing = document.createElement("canvas").getContext("2d");
  if (drawing === null) return (text) => text.length * 7;
  drawing.font = `500 14px ${getComputedStyle(document.documentElement).getPropertyValue("--serif")}`;
  return (text) => drawing.measureText(text).width + 4;
}
