import type { Document, Node } from "yaml";
import { hasMergeMarks, MERGE_MARKS_LEFT } from "../../prose/merge/conflict-markers.ts";
import { BadRequest } from "../../refusals.ts";
import type { AskedFields } from "../../service/interchange/incoming-chapter.ts";
import { yamlFault } from "../yaml-fault.ts";
import { openBlock } from "./front-block.ts";

/** The package, loaded only where a file has front matter to read or to change. */
export type Yaml = typeof import("yaml");

/** The keys of front matter that are fields of a chapter; every other key is the writer's own and is kept. */
const KEYS = ["title", "part", "status", "synopsis", "id", "revision"] as const;

/** What front matter says of a chapter, as text; null for a part that is none. */
type Said = Partial<Record<(typeof KEYS)[number], string | null>>;

/** The most front matter that is read, in characters: what reads YAML compares each key with every other. */
const LONGEST = 128 * 1024;

/** The chapter's fields that a block sets, and the revision that it was exported at. Throws `BadRequest`, naming file and key, for what cannot be read. */
export function readFields(
  yaml: Yaml,
  frontMatter: string,
  name: string,
): { fields: AskedFields; revision?: number } {
  if (frontMatter.length > LONGEST) {
    throw new BadRequest(
      `${name}: its front matter has ${frontMatter.length} characters, and at most ${LONGEST} are read. Does its second "---" lack?`,
    );
  }
  const said = readSaid(openDocument(yaml, frontMatter, name), name);
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

/** A new block for a chapter that had none. Its part is not in it: the folder says that, or `book.yaml`. */
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

/** Whether a block is such a one as an export writes, with nothing of the writer's own in it. */
export function isFreshBlock(
  frontMatter: string,
  fields: AskedFields,
  revision: number | undefined,
): boolean {
  const { id, title, status, synopsis = "" } = fields;
  if (id === undefined || title === undefined || status === undefined || revision === undefined) return false;
  const fresh = newBlock({ id, title, status, synopsis, part: null, revision });
  return frontMatter.replaceAll("\r\n", "\n") === fresh;
}

/**
 * The block that a chapter had, as it is where what it says is still true, else with those values changed and the rest
 * of it kept, comments too. A key that it lacks is added only where leaving it out would say something else.
 */
export function updatedBlock(yaml: Yaml, frontMatter: string, fields: WrittenFields, isPart: IsPart): string {
  const document = openDocument(yaml, frontMatter, "the stored front matter");
  const said = readSaid(document, "the stored front matter");
  const ours = hasOurId(said) ? KEYS : KEYS.filter((key) => key !== "id" && key !== "revision");
  const wrong = ours.filter((key) => !isTrue(key, said[key], fields, isPart));
  if (wrong.length === 0) return frontMatter;
  const { fence, yaml: text, rest } = openBlock(frontMatter);
  const edits = wrong.map((key) => editOf(document, text, key, fieldOf(fields, key)));
  const edited = edits
    .sort((a, b) => b.from - a.from)
    .reduce((before, { from, to, put }) => before.slice(0, from) + put + before.slice(to), text);
  const block = fence + edited + rest;
  return frontMatter.includes("\r\n") ? block.replaceAll("\n", "\r\n") : block;
}

/** Whether `id` and `revision` of a block are this program's: other programs have such keys too. */
function hasOurId({ id }: Said): boolean {
  return id?.startsWith("ch_") ?? false;
}

/** The one stretch of a block's YAML that has to change for a key to say a value; everything beside it stays. */
function editOf(document: Document, text: string, key: string, value: string | null) {
  const isGone = value === null || (key === "synopsis" && value === "");
  const pair = pairsOf(document).find((entry) => entry.key.value === key);
  if (pair === undefined)
    return { from: text.length, to: text.length, put: isGone ? "" : `${key}: ${scalar(value)}\n` };
  const [from, to] = pair.value?.range ?? [pair.key.range[1] + 1, pair.key.range[1] + 1]; // behind the colon
  if (!isGone) {
    const put = key === "revision" ? value : scalar(value);
    const before = /\s$/.test(text.slice(0, from)) ? "" : " ";
    const after = text.slice(from, to).endsWith("\n") ? "\n" : text[to] === "#" ? " " : "";
    return { from, to, put: before + put + after };
  }
  const lineEnd = text.indexOf("\n", Math.max(pair.key.range[0], to - 1));
  return { from: pair.key.range[0], to: lineEnd < 0 ? text.length : lineEnd + 1, put: "" };
}

/** The entries of a block that is a mapping, each with its place: `[from, to]` of its text. */
function pairsOf({ contents }: Document): PlacedPair[] {
  return contents !== null && "items" in contents ? (contents.items as unknown as PlacedPair[]) : [];
}

interface PlacedPair {
  key: { value: unknown; range: [number, number, number] };
  value: { range: [number, number, number] } | null;
}

/** Whether what a block calls its part is the part of this title. */
export type IsPart = (said: string, title: string | null) => boolean;

function isTrue(
  key: (typeof KEYS)[number],
  said: string | null | undefined,
  fields: WrittenFields,
  isPart: IsPart,
): boolean {
  // Where it says nothing, book.yaml says title and part, the file's name the id, and a chapter is a draft.
  if (said === undefined)
    return (
      !(key === "status" && fields.status !== "draft") && !(key === "synopsis" && fields.synopsis !== "")
    );
  if (key === "part") return said === null || said === "" ? fields.part === null : isPart(said, fields.part);
  return (said ?? "") === fieldOf(fields, key)?.trim();
}

function fieldOf(fields: WrittenFields, key: (typeof KEYS)[number]): string | null {
  const value = fields[key];
  return typeof value === "number" ? String(value) : value;
}

function openDocument(yaml: Yaml, frontMatter: string, name: string): Document {
  const document = yaml.parseDocument(openBlock(frontMatter).yaml);
  const fault = yamlFault(document, 1); // the fence is line 1
  if (fault !== undefined) {
    if (hasMergeMarks(frontMatter)) throw new BadRequest(`${name} ${MERGE_MARKS_LEFT}.`);
    throw new BadRequest(`${name}: its front matter is not valid YAML: ${fault}.`);
  }
  return document;
}

function readSaid(document: Document, name: string): Said {
  if (!document.contents || !("items" in document.contents)) return {}; // comments alone
  return Object.fromEntries(
    KEYS.filter((key) => document.has(key)).map((key) => [
      key,
      textOf(document, document.get(key, true), `${name}: ${key}`),
    ]),
  );
}

/** A scalar as text, a number or a date as it is written. */
function textOf(document: Document, node: unknown, what: string): string | null {
  const found = isAlias(node) ? node.resolve(document) : node;
  if (found == null) return null;
  if (typeof found !== "object" || !("value" in found))
    throw new BadRequest(`${what} in its front matter must be text.`);
  const { value, source } = found as { value: unknown; source?: string };
  if (value === null) return null;
  return (typeof value === "string" ? value : (source ?? String(value))).trim();
}

function isAlias(node: unknown): node is { resolve(document: Document): Node | undefined } {
  return typeof node === "object" && node !== null && "resolve" in node;
}

/** A text as YAML: plain words need no quotes, and a double-quoted JSON string is YAML. */
export function scalar(text: string): string {
  const isPlain =
    /^\p{L}[\p{L}\p{N} .,;’‘“”()—–-]*(?<! )$/u.test(text) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
