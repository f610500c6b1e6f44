import { BadRequest } from "../../../refusals.ts";
import { childOf, readXml, type XmlElement } from "../../documents/xml.ts";
import { statusOf } from "../../folder/status.ts";

/** A document or folder of a binder. */
export interface BinderItem {
  /** Names of its files: a UUID, in projects of Scrivener 1 and 2 a number. */
  ids: string[];
  /** "DraftFolder", "ResearchFolder", "TrashFolder", "Folder", "Text" and other kinds of file. */
  type: string;
  title: string;
  /** True if it is compiled into the book. Scrivener for Windows leaves out the element of those that are not. */
  isIncluded: boolean;
  /** Undefined if its label means no status of ours. */
  status: "draft" | "revising" | "done" | undefined;
  /** The writer's label; "" without one. */
  label: string;
  keywords: string[];
  children: BinderItem[];
}

/**
 * Reads the binder of a `.scrivx`, of Scrivener 1 to 3: its outermost items in order, and its author. Throws
 * `BadRequest`, naming file and line. Source: https://www.literatureandlatte.com/scrivener.
 */
export function readBinder(text: string, index: string): { roots: BinderItem[]; author: string } {
  const root = readXml(text.replace(/^\s*<!DOCTYPE [^>[]*>/i, ""), index);
  const binder = childOf(root, "Binder");
  if (root.name !== "ScrivenerProject" || binder === undefined)
    throw new BadRequest(`${index} is no project of Scrivener: it has no binder.`);
  const names: Names = {
    statuses: namesIn(childOf(root, "StatusSettings"), "StatusItems"),
    labels: namesIn(childOf(root, "LabelSettings"), "Labels"),
    keywords: keywordsIn(childOf(root, "Keywords")),
  };
  return { roots: itemsOf(binder, names, index), author: root.attributes.Author ?? "" };
}

/** What the project calls its statuses, labels and keywords, by their ids. */
interface Names {
  statuses: ReadonlyMap<string, string>;
  labels: ReadonlyMap<string, string>;
  keywords: ReadonlyMap<string, string>;
}

function itemsOf(element: XmlElement | undefined, names: Names, index: string): BinderItem[] {
  return (element?.children ?? [])
    .filter(({ name }) => name === "BinderItem")
    .map((item) => {
      const ids = ["UUID", "ID"].flatMap((name) => item.attributes[name] ?? []);
      if (ids.length === 0 || !ids.every((id) => /^[0-9A-Za-z-]{1,64}$/.test(id)))
        throw new BadRequest(`${index}: the item in line ${item.line} has no id of letters and digits.`);
      const about = childOf(item, "MetaData");
      const textOf = (name: string) => childOf(about, name)?.text.trim() ?? "";
      const statusId = textOf("StatusID") || textOf("Status");
      const keywords = childOf(item, "Keywords")?.children ?? [];
      return {
        ids,
        type: item.attributes.Type ?? "",
        title: childOf(item, "Title")?.text.replace(/\s+/g, " ").trim() ?? "",
        isIncluded: /^yes$/i.test(textOf("IncludeInCompile")),
        status: statusOf(names.statuses.get(statusId) ?? statusId),
        label: /^-1$/.test(textOf("LabelID")) ? "" : (names.labels.get(textOf("LabelID")) ?? ""),
        keywords: keywords.flatMap(({ text }) => names.keywords.get(text.trim()) ?? []),
        children: itemsOf(childOf(item, "Children"), names, index),
      };
    });
}

function namesIn(settings: XmlElement | undefined, list: string): Map<string, string> {
  const entries = (childOf(settings, list) ?? settings)?.children ?? [];
  return new Map(entries.map(({ attributes, text }) => [attributes.ID ?? "", text.trim()]));
}

/** Keywords may hold further ones. */
function keywordsIn(list: XmlElement | undefined): Map<string, string> {
  const keywords = (list?.children ?? []).filter(({ name }) => name === "Keyword");
  return new Map(
    keywords.flatMap((keyword) => [
      [keyword.attributes.ID ?? "", childOf(keyword, "Title")?.text.trim() ?? ""] as const,
      ...keywordsIn(childOf(keyword, "Children")),
    ]),
  );
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
