import { BadRequest } from "../../../refusals.ts";
import { groupBy } from "../../../text/group-by.ts";
import { statusOf } from "../../folder/status.ts";
import { childOf, readXml, type XmlElement } from "../xml.ts";

/** A document, note or folder of a novelWriter project. */
export interface NwItem {
  /** Name of its file without extension. */
  handle: string;
  name: string;
  /** Kind of its root in the project: NOVEL, CHARACTER, WORLD. */
  of: string;
  isFile: boolean;
  isNote: boolean;
  /** True if it belongs to the manuscript. */
  isActive: boolean;
  /** Undefined if its label means no status of ours. */
  status: "draft" | "revising" | "done" | undefined;
  /** Items below it, in order. */
  children: NwItem[];
}

/** A project: its title, and its outermost folders in order. */
export interface NwProject {
  title: string | undefined;
  roots: NwItem[];
}

const MOST_DEEP = 64;

interface Placed {
  item: NwItem;
  parent: string | undefined;
  order: number;
}

/**
 * Reads `nwProject.nwx`, file versions 1.0 to 1.5. Up to 1.3 values were elements, later they are attributes. Throws
 * `BadRequest`, naming the file and the line.
 */
export function readProject(text: string, index: string): NwProject {
  const root = readXml(text, index);
  if (root.name !== "novelWriterXML") throw new BadRequest(`${index} is no project of novelWriter.`);
  const project = childOf(root, "project");
  const content = childOf(root, "content");
  if (content === undefined) throw new BadRequest(`${index} has no <content>, the list of its documents.`);
  const labels = readLabels(root);
  const placed = content.children
    .filter(({ name }) => name === "item")
    .map((element) => readItem(element, labels, index));
  return {
    title: textOf(childOf(project, "title")) ?? textOf(childOf(project, "name")),
    roots: toTree(placed, index),
  };
}

function readItem(element: XmlElement, labels: ReadonlyMap<string, string>, index: string): Placed {
  const name = childOf(element, "name");
  const said = (key: string) => element.attributes.get(key) ?? textOf(childOf(element, key)) ?? "";
  const handle = said("handle");
  if (!/^[0-9A-Za-z]{1,64}$/.test(handle)) {
    throw new BadRequest(`${index}: the item in line ${element.line} has no handle of letters and digits.`);
  }
  const status = name?.attributes.get("status") ?? said("status");
  const active = name?.attributes.get("active") ?? name?.attributes.get("exported") ?? said("exported");
  const parent = said("parent");
  const item: NwItem = {
    handle,
    name: textOf(name) ?? "",
    of: said("class").toUpperCase(),
    isFile: said("type") === "FILE",
    isNote: said("layout") === "NOTE",
    isActive: !/^(?:no|false)$/i.test(active),
    status: statusOf(labels.get(status) ?? status),
    children: [],
  };
  return {
    item,
    parent: parent === "" || parent === "None" ? undefined : parent,
    order: Number.parseInt(said("order"), 10) || 0,
  };
}

/** Returns the labels of statuses by key. Up to file version 1.3 an item holds the label itself. */
function readLabels(root: XmlElement): Map<string, string> {
  const entries = childOf(childOf(root, "settings"), "status")?.children ?? [];
  return new Map(entries.map(({ attributes, text }) => [attributes.get("key") ?? text.trim(), text.trim()]));
}

function toTree(placed: readonly Placed[], index: string): NwItem[] {
  const byHandle = new Map(placed.map((entry) => [entry.item.handle, entry]));
  if (byHandle.size < placed.length) throw new BadRequest(`${index} lists an item twice.`);
  // A document whose parent is missing still counts, at the top level.
  const below = groupBy(placed, ({ parent }) => (byHandle.has(parent ?? "") ? parent : undefined));
  const ordered = (parent: string | undefined) =>
    (below.get(parent) ?? []).toSorted((a, b) => a.order - b.order);
  const seen = new Set<Placed>();
  let level = ordered(undefined);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MOST_DEEP) throw new BadRequest(`${index}: items are nested more than ${MOST_DEEP} deep.`);
    for (const entry of level) {
      seen.add(entry);
      entry.item.children = ordered(entry.item.handle).map(({ item }) => item);
    }
    level = level.flatMap(({ item }) => ordered(item.handle));
  }
  if (seen.size < placed.length)
    throw new BadRequest(`${index}: some items stand below one another in a circle.`);
  return ordered(undefined).map(({ item }) => item);
}

function textOf(element: XmlElement | undefined): string | undefined {
  return element?.text.trim() || undefined;
}
