import type { Document, YAMLMap } from "yaml";
import { BadRequest } from "../../refusals.ts";
import type { SaidFields } from "../../service/interchange/incoming-chapter.ts";
import { type AskedPair, applyYamlEdits, editPairs } from "../yaml/edit.ts";
import { openYaml, textOf, type Yaml } from "../yaml/open.ts";
import { LAYOUT, scalar } from "../yaml/write.ts";
import { openBlock } from "./front-matter.ts";

/** The keys of front matter that are fields of a chapter; every other key is the writer's own and is kept. */
const KEYS = ["title", "part", "status", "synopsis", "id", "revision"] as const;

/** What front matter says of a chapter, as text; null for a part that is none. */
type Said = Partial<Record<(typeof KEYS)[number], string | null>>;

/** The most front matter that is read, in characters: what reads YAML compares each key with every other. */
const LONGEST = 128 * 1024;

/** Returns the chapter's fields that a block sets, and the revision that it was exported at. Throws `BadRequest`, naming file and key, for what cannot be read. */
export function readFields(
  yaml: Yaml,
  frontMatter: string,
  name: string,
): { fields: SaidFields; revision?: number } {
  const said = readSaid(openDocument(yaml, openBlock(frontMatter).yaml, name), name);
  const { id, title, part, status, synopsis, revision } = said;
  return {
    fields: {
      ...(id == null || !hasOurId(said) ? {} : { id }),
      ...(title == null || title === "" ? {} : { title }),
      ...(part === undefined ? {} : { part: part === "" ? null : part }),
      ...(status == null ? {} : { status }),
      ...(synopsis === undefined ? {} : { synopsis: synopsis ?? "" }),
    },
    ...(hasOurId(said) && /^[1-9]\d{0,8}$/.test(revision ?? "") ? { revision: Number(revision) } : {}),
  };
}

/** A chapter's fields as its file says them. */
export interface WrittenFields {
  id: string;
  title: string;
  part: string | null;
  status: string;
  synopsis: string;
  revision: number;
}

/** The same for a block that is there already: without `id` and `revision`, those that it says stay. */
export interface BlockFields
  extends Omit<WrittenFields, "id" | "revision">,
    Partial<Pick<WrittenFields, "id" | "revision">> {
  /** The title that its file has without one in its block; undefined for whatever it is. */
  titleOfFile?: () => string;
  /** Its part without one in its block; undefined for whatever it is. */
  partOfFile?: string | null | undefined;
}

/** Returns a new block for a chapter that had none. Its part is not in it: the folder says that, or `book.yaml`. */
export function newBlock({ title, status, synopsis, id, revision }: WrittenFields): string {
  const lines = [
    `title: ${scalar(title)}`,
    `status: ${status}`,
    ...(synopsis === "" ? [] : [`synopsis: ${scalar(synopsis)}`]),
    `id: ${id}`,
    `revision: ${revision}`,
  ];
  return `---\n${lines.join("\n")}\n---\n\n`;
}

/** Returns the block that a chapter without one needs for these fields to be true; "" if its file says them all. */
export function neededBlock({ title, part, status, synopsis, titleOfFile, partOfFile }: BlockFields): string {
  const lines = [
    ...(titleOfFile === undefined || titleOfFile() === title ? [] : [`title: ${scalar(title)}`]),
    ...(partOfFile === undefined || partOfFile === part
      ? []
      : [`part: ${part === null ? "null" : scalar(part)}`]),
    ...(status === "draft" ? [] : [`status: ${status}`]),
    ...(synopsis === "" ? [] : [`synopsis: ${scalar(synopsis)}`]),
  ];
  // Without a blank line behind it: that would be prose.
  return lines.length === 0 ? "" : `---\n${lines.join("\n")}\n---\n`;
}

/** Returns whether a block is such as an export writes, with nothing of the writer's own in it. */
export function isFreshBlock(frontMatter: string, fields: SaidFields, revision: number | undefined): boolean {
  const { id, title, status, synopsis = "" } = fields;
  if (id === undefined || title === undefined || status === undefined || revision === undefined) return false;
  const fresh = newBlock({ id, title, status, synopsis, part: null, revision });
  return frontMatter.replaceAll("\r\n", "\n") === fresh;
}

/**
 * Returns the block that a chapter had: as it is if what it says is still true, else with those values changed and the rest
 * of it kept, comments too. A key that it lacks is added only where leaving it out would say something else.
 */
export function updatedBlock(yaml: Yaml, frontMatter: string, fields: BlockFields, isPart: IsPart): string {
  const { fence, yaml: text, rest } = openBlock(frontMatter);
  const document = openDocument(yaml, text, "the stored front matter");
  const said = readSaid(document, "the stored front matter");
  const isId = (key: string) => key === "id" || key === "revision";
  const ours = hasOurId(said) && fields.id !== undefined ? KEYS : KEYS.filter((key) => !isId(key));
  const wrong = ours.filter((key) => !isTrue(key, said[key], fields, isPart));
  if (wrong.length === 0) return frontMatter;
  const asked = wrong.map((key) => ({ key, ...lineOf(fields, key) }));
  const map = mapOf(document);
  const edited = map?.flow
    ? editFlow(yaml, document, asked)
    : applyYamlEdits(text, editPairs(text, map, asked));
  const block = fence + edited + rest;
  return frontMatter.includes("\r\n") ? block.replaceAll("\n", "\r\n") : block;
}

/** Keys in braces: what stands between them would have to be found again, so the package writes them. */
function editFlow(yaml: Yaml, document: Document, asked: readonly AskedPair[]): string {
  for (const { key, line } of asked) {
    if (line === undefined) document.delete(key);
    else document.set(key, yaml.parse(line));
  }
  return document.toString(LAYOUT);
}

/** Whether `id` and `revision` of a block are this program's: other programs have such keys too. */
function hasOurId({ id }: Said): boolean {
  return id?.startsWith("ch_") ?? false;
}

/** A key's value as it is written; nothing for one that goes. */
function lineOf(fields: BlockFields, key: (typeof KEYS)[number]): { line?: string } {
  const value = fieldOf(fields, key);
  if (value === null && key === "part" && fields.partOfFile != null) return { line: "null" };
  if (value === null || (key === "synopsis" && value === "")) return {};
  return { line: key === "revision" ? value : scalar(value) };
}

/** Whether what a block calls its part is the part of this title. */
export type IsPart = (said: string, title: string | null) => boolean;

function isTrue(
  key: (typeof KEYS)[number],
  said: string | null | undefined,
  fields: BlockFields,
  isPart: IsPart,
): boolean {
  if (key === "title" && !said)
    return fields.titleOfFile === undefined || fields.titleOfFile() === fields.title;
  if (key === "part" && said === undefined)
    return fields.partOfFile === undefined || fields.partOfFile === fields.part;
  // Where it says nothing, the file's name the id, and a chapter is a draft.
  if (said === undefined)
    return (
      !(key === "status" && fields.status !== "draft") && !(key === "synopsis" && fields.synopsis !== "")
    );
  if (key === "part") return said === null || said === "" ? fields.part === null : isPart(said, fields.part);
  return (said ?? "") === fieldOf(fields, key)?.trim();
}

function fieldOf(fields: BlockFields, key: (typeof KEYS)[number]): string | null {
  const value = fields[key] ?? null;
  return typeof value === "number" ? String(value) : value;
}

function openDocument(yaml: Yaml, text: string, file: string): Document {
  const hint = ' Does its second "---" lack?';
  return openYaml(yaml, text, { file, part: "front matter", before: 1, most: LONGEST, hint }); // its fence is line 1
}

/** The keys of a block; undefined if it holds comments alone. */
function mapOf({ contents }: Document): YAMLMap | undefined {
  return contents !== null && "items" in contents ? (contents as YAMLMap) : undefined;
}

function readSaid(document: Document, name: string): Said {
  const keys = mapOf(document) === undefined ? [] : KEYS.filter((key) => document.has(key));
  return Object.fromEntries(
    keys.map((key) => {
      const text = textOf(document, document.get(key, true));
      if (text === undefined) throw new BadRequest(`${name}: ${key} in its front matter must be text.`);
      return [key, text?.trim() ?? null];
    }),
  );
}
