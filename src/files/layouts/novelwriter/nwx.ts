import { BadRequest } from "../../../refusals.ts";
import { groupBy } from "../../../text/group-by.ts";
import { childOf, readXml, type XmlElement } from "../../documents/xml.ts";
import { statusOf } from "../../folder/status.ts";

/** A document, note or folder of a novelWriter project. */
export interface NwItem {
  handle: string;
  parent: string;
  order: number;
  name: string;
  /** Kind of its root in the project: NOVEL, CHARACTER, WORLD. */
  of: string;
  isFile: boolean;
  isNote: boolean;
  isActive: boolean;
  status: ReturnType<typeof statusOf>;
}

/** An outermost folder of a project, with the documents in it at any depth, in order. */
export type NwRoot = NwItem & { documents: NwItem[] };

const MOST_DEEP = 64;

/**
 * Reads `nwProject.nwx`, file versions 1.0 to 1.5. Up to 1.3 values were elements, later they are attributes. Throws
 * `BadRequest`, naming the file and the line.
 */
export function readProject(text: string, index: string): { title: string | undefined; roots: NwRoot[] } {
  const root = readXml(text, index);
  if (root.name !== "novelWriterXML") throw new BadRequest(`${index} is no project of novelWriter.`);
  const content = childOf(root, "content");
  if (content === undefined) throw new BadRequest(`${index} has no <content>, the list of its documents.`);
  // Labels of statuses by key. Up to version 1.3 an item holds the label itself.
  const entries = childOf(childOf(root, "settings"), "status")?.children ?? [];
  const labels = new Map(entries.map((entry) => [entry.attributes.key ?? "", textOf(entry)]));
  const elements = content.children.filter(({ name }) => name === "item");
  const items = elements.map((element) => readItem(element, labels, index));
  const titles = ["title", "name"].map((key) => textOf(childOf(childOf(root, "project"), key)));
  return { title: titles.find((title) => title !== ""), roots: toTree(items, index) };
}

function readItem(element: XmlElement, labels: ReadonlyMap<string, string>, index: string): NwItem {
  const name = childOf(element, "name");
  const fieldOf = (key: string) => element.attributes[key] ?? textOf(childOf(element, key));
  const handle = fieldOf("handle");
  if (!/^[0-9A-Za-z]{1,64}$/.test(handle)) {
    throw new BadRequest(`${index}: the item in line ${element.line} has no handle of letters and digits.`);
  }
  const status = name?.attributes.status ?? fieldOf("status");
  const active = name?.attributes.active ?? name?.attributes.exported ?? fieldOf("exported");
  return {
    handle,
    parent: fieldOf("parent"),
    order: Number.parseInt(fieldOf("order"), 10) || 0,
    name: textOf(name),
    of: fieldOf("class").toUpperCase(),
    isFile: fieldOf("type") === "FILE",
    isNote: fieldOf("layout") === "NOTE",
    isActive: !/^(?:no|false)$/i.test(active),
    status: statusOf(labels.get(status) ?? status),
  };
}

/** Returns the outermost items with the documents below them. An item whose parent is missing is outermost. */
function toTree(items: readonly NwItem[], index: string): NwRoot[] {
  const handles = new Set(items.map(({ handle }) => handle));
  if (handles.size < items.length) throw new BadRequest(`${index} lists an item twice.`);
  const byParent = groupBy(items, ({ parent }) => (handles.has(parent) ? parent : ""));
  const childrenOf = (parent: string) => (byParent.get(parent) ?? []).toSorted((a, b) => a.order - b.order);
  let placed = 0;
  const withBelow = (item: NwItem, depth: number): NwItem[] => {
    if (depth > MOST_DEEP) throw new BadRequest(`${index}: items are nested more than ${MOST_DEEP} deep.`);
    placed += 1;
    return [item, ...childrenOf(item.handle).flatMap((child) => withBelow(child, depth + 1))];
  };
  const documentsIn = (root: NwItem) => withBelow(root, 1).filter(({ isFile }) => isFile);
  const roots = childrenOf("").map((root) => ({ ...root, documents: documentsIn(root) }));
  if (placed < items.length) throw new BadRequest(`${index}: some items lie within each other in a circle.`);
  return roots;
}

function textOf(element: XmlElement | undefined): string {
  return element?.text.trim() ?? "";
}
