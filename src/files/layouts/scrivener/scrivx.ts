import { BadRequest } from "../../../refusals.ts";
import { statusOf } from "../../folder/status.ts";
import { childOf, readXml, type XmlElement } from "../xml.ts";

/** A document or folder of a binder. */
export interface BinderItem {
  /** Name of its files: a UUID, in old projects a number. */
  id: string;
  /** "DraftFolder", "ResearchFolder", "TrashFolder", "Folder", "Text" and other kinds of file. */
  type: string;
  title: string;
  /** True if it is compiled into the book. */
  isIncluded: boolean;
  /** Undefined if its label means no status of ours. */
  status: "draft" | "revising" | "done" | undefined;
  children: BinderItem[];
}

/**
 * Reads the binder of a `.scrivx`, of Scrivener 1 to 3. Returns its outermost items in order. Throws `BadRequest`,
 * naming file and line. Source: https://www.literatureandlatte.com/scrivener.
 */
export function readBinder(text: string, index: string): BinderItem[] {
  const root = readXml(text.replace(/^\s*<!DOCTYPE [^>[]*>/i, ""), index);
  const binder = childOf(root, "Binder");
  if (root.name !== "ScrivenerProject" || binder === undefined)
    throw new BadRequest(`${index} is no project of Scrivener: it has no binder.`);
  const labels = readLabels(root);
  return itemsOf(binder, labels, index);
}

function itemsOf(
  element: XmlElement | undefined,
  labels: ReadonlyMap<string, string>,
  index: string,
): BinderItem[] {
  return (element?.children ?? [])
    .filter(({ name }) => name === "BinderItem")
    .map((item) => {
      const id = item.attributes.get("UUID") ?? item.attributes.get("ID") ?? "";
      if (!/^[0-9A-Za-z-]{1,64}$/.test(id))
        throw new BadRequest(`${index}: the item in line ${item.line} has no id of letters and digits.`);
      const about = childOf(item, "MetaData");
      const statusId = childOf(about, "StatusID")?.text.trim() ?? childOf(about, "Status")?.text.trim() ?? "";
      return {
        id,
        type: item.attributes.get("Type") ?? "",
        title: childOf(item, "Title")?.text.replace(/\s+/g, " ").trim() ?? "",
        isIncluded: !/^no$/i.test(childOf(about, "IncludeInCompile")?.text.trim() ?? "Yes"),
        status: statusOf(labels.get(statusId) ?? statusId),
        children: itemsOf(childOf(item, "Children"), labels, index),
      };
    });
}

function readLabels(root: XmlElement): Map<string, string> {
  const settings = childOf(root, "StatusSettings");
  const entries = (childOf(settings, "StatusItems") ?? settings)?.children ?? [];
  return new Map(entries.map(({ attributes, text }) => [attributes.get("ID") ?? "", text.trim()]));
}

/** A chapter of a binder: a document, or a folder of scenes. */
export interface BinderChapter {
  title: string;
  part: string | null;
  scenes: BinderItem[];
}

// Scrivener's own template folders are chapters, unless they hold folders or are named like parts.
const PART = /^(?:act|part|book|volume|akt|teil|buch|acte|partie|livre|acto|parte|libro)\b/i;

/**
 * Returns the chapters of a draft in order. A folder of folders is a part, a folder of documents only is a chapter.
 */
export function chaptersOf(draft: BinderItem): BinderChapter[] {
  return draft.children.flatMap((item): BinderChapter[] => {
    if (!isPart(item)) return [{ title: item.title, part: null, scenes: documentsOf(item) }];
    const own = { title: item.title, part: item.title, scenes: [item] };
    const chapters = item.children.map((child) => ({
      title: child.title,
      part: item.title,
      scenes: documentsOf(child),
    }));
    return [own, ...chapters];
  });
}

function isPart({ title, children }: BinderItem): boolean {
  return children.length > 0 && (PART.test(title) || children.some((child) => child.children.length > 0));
}

/** Returns an item and everything below it, in order. */
export function documentsOf(item: BinderItem): BinderItem[] {
  return [item, ...item.children.flatMap(documentsOf)];
}
