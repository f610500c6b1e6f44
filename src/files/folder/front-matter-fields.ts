import type { Document, YAMLMap } from "yaml";
import { BadRequest } from "../../refusals.ts";
import { TEXTS } from "../../service/field-rules.ts";
import type { SaidFields } from "../../service/interchange/incoming-chapter.ts";
import { textFault } from "../../text/clean-text.ts";
import { FRONT_MATTER_KEYS } from "../format/keys.ts";
import { isExported, openBlock } from "../front-matter.ts";
import { type AskedPair, applyYamlEdits, editPairs } from "../yaml/edit.ts";
import { asSingle, openYaml, textOf, tryYaml, type Yaml } from "../yaml/open.ts";
import { LAYOUT, scalar } from "../yaml/write.ts";
import { statusOf } from "./status.ts";

type Key = keyof typeof FRONT_MATTER_KEYS;
const KEYS = Object.keys(FRONT_MATTER_KEYS) as Key[];

/** Fields in front matter as text; null for a part that is explicitly none. */
type Said = Partial<Record<Key, string | null>>;

/** Limit of the front matter that is read, in characters: the YAML package compares each key with every other. */
const LONGEST = 128 * 1024;

/** Content of a block of front matter. */
export interface BlockContent {
  fields: SaidFields;
  /** The revision that the chapter was exported at. */
  revision?: number;
  /** Things in the block that are not imported, in words. They stay in the block. */
  faults: readonly string[];
}

/**
 * Reads a block's fields. In a block that an export wrote anything unreadable throws `BadRequest`, with file and key.
 * In any other it is a fault that stops no import, except for conflicts of git.
 */
export function readFields(yaml: Yaml, frontMatter: string, name: string): BlockContent {
  const { said, faults } = readSaid(yaml, frontMatter, name);
  const { id, title, part, status, synopsis, revision } = said;
  return {
    fields: {
      ...(id == null || !hasOurId(said) ? {} : { id }),
      ...(title == null || title === "" ? {} : { title }),
      ...(part === undefined ? {} : { part: part === "" ? null : part }),
      ...(status == null || status === "" ? {} : { status: statusOf(status) ?? unknownStatus(said, status) }),
      ...(synopsis === undefined ? {} : { synopsis: synopsis ?? "" }),
    },
    ...(hasOurId(said) && /^[1-9]\d{0,8}$/.test(revision ?? "") ? { revision: Number(revision) } : {}),
    faults,
  };
}

/**
 * Returns the status for an unknown word: the word itself, which is refused later, if an export wrote the block; else
 * a draft.
 */
function unknownStatus(said: Said, word: string): string {
  return hasOurId(said) ? word : UNKNOWN_IS;
}

const UNKNOWN_IS = "draft";

/** Fields of a chapter as its file has them. */
export interface WrittenFields {
  id: string;
  title: string;
  part: string | null;
  status: string;
  synopsis: string;
  revision: number;
}

/** Fields for an existing block. Without `id` and `revision` the block keeps its own. */
export interface BlockFields
  extends Omit<WrittenFields, "id" | "revision">,
    Partial<Pick<WrittenFields, "id" | "revision">> {
  /** Returns the title of the file without one in its block. Without it every title counts as implied. */
  titleOfFile?: () => string;
  /** Part of the file without one in its block; undefined if every part counts as implied. */
  partOfFile?: string | null | undefined;
}

/** Returns a new block for a chapter that had none. Its part is left out: the folder or `book.yaml` has it. */
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

/** Returns the block that a chapter needs for these fields to be true; "" if its file implies them all. */
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

/** True if a block looks as an export writes it, with nothing of the writer's own. */
export function isFreshBlock(frontMatter: string, fields: SaidFields, revision: number | undefined): boolean {
  const { id, title, status, synopsis = "" } = fields;
  if (id === undefined || title === undefined || status === undefined || revision === undefined) return false;
  const fresh = newBlock({ id, title, status, synopsis, part: null, revision });
  return frontMatter.replaceAll("\r\n", "\n") === fresh;
}

/**
 * Returns the chapter's block: unchanged if it is still true, else with new values, the rest and comments kept. A
 * missing key is added only if leaving it out would imply something else.
 */
export function updatedBlock(yaml: Yaml, frontMatter: string, fields: BlockFields, isPart: IsPart): string {
  const { fence, yaml: text, rest } = openBlock(frontMatter);
  const { document, said } = readSaid(yaml, frontMatter, "the stored front matter");
  if (document === undefined) return frontMatter;
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

/** Changes keys in braces through the package, because their places cannot be found in the text. */
function editFlow(yaml: Yaml, document: Document, asked: readonly AskedPair[]): string {
  for (const { key, line } of asked) {
    if (line === undefined) document.delete(key);
    else document.set(key, yaml.parse(line));
  }
  return document.toString(LAYOUT);
}

/** True if `id` and `revision` of a block are this program's: other programs have such keys too. */
function hasOurId({ id }: Said): boolean {
  return id?.startsWith("ch_") ?? false;
}

/** Returns a key's value as it is written; nothing for a key that goes. */
function lineOf(fields: BlockFields, key: Key): { line?: string } {
  const value = fieldOf(fields, key);
  if (value === null && key === "part" && fields.partOfFile != null) return { line: "null" };
  if (value === null || (key === "synopsis" && value === "")) return {};
  return { line: key === "revision" ? value : scalar(value) };
}

/** True if a block's word for its part means the part of this title. */
export type IsPart = (said: string, title: string | null) => boolean;

function isTrue(key: Key, said: string | null | undefined, fields: BlockFields, isPart: IsPart): boolean {
  if (said === undefined || (key === "title" && !said)) return isTrueUnsaid(key, fields);
  if (key === "status") return (statusOf(said ?? "") ?? UNKNOWN_IS) === fields.status;
  if (key === "part") return said === null || said === "" ? fields.part === null : isPart(said, fields.part);
  return (said ?? "") === fieldOf(fields, key)?.trim();
}

/** True if a field has the value implied by a missing key: the file's own title and part, a draft, no synopsis. */
function isTrueUnsaid(key: Key, fields: BlockFields): boolean {
  const { title, part, status, synopsis, titleOfFile, partOfFile } = fields;
  if (key === "title") return titleOfFile === undefined || titleOfFile() === title;
  if (key === "part") return partOfFile === undefined || partOfFile === part;
  return key === "status" ? status === "draft" : key !== "synopsis" || synopsis === "";
}

function fieldOf(fields: BlockFields, key: Key): string | null {
  const value = fields[key] ?? null;
  return typeof value === "number" ? String(value) : value;
}

/** A parsed block; without a document if it cannot be parsed. */
interface ReadBlock {
  document?: Document;
  said: Said;
  faults: string[];
}

function readSaid(yaml: Yaml, frontMatter: string, name: string): ReadBlock {
  const { yaml: text } = openBlock(frontMatter);
  const hint = ' Does its second "---" lack?';
  const source = { file: name, part: "front matter", before: 1, most: LONGEST, hint }; // its fence is line 1
  if (isExported(frontMatter)) {
    const read = pickKeys(openYaml(yaml, text, source));
    const [fault] = read.faults;
    if (fault !== undefined) throw new BadRequest(`${name}: ${fault}.`);
    return read;
  }
  const document = tryYaml(yaml, text, source);
  if (typeof document === "string")
    return { said: {}, faults: [`its front matter stays as it is and says nothing: it ${document}`] };
  const { said, faults } = pickKeys(document);
  const word = said.status ?? "";
  return {
    document,
    said,
    faults: [
      ...faults.map((fault) => `${fault}; it stays there and is not taken`),
      ...(word === "" || STATUSES.has(word.toLowerCase()) ? [] : [otherWord(word)]),
      ...twiceIn(document).map((key) => `its front matter says ${key} twice; the first is taken`),
    ],
  };
}

const STATUSES: ReadonlySet<string> = new Set(["draft", "revising", "done"]);

function otherWord(word: string): string {
  const known = statusOf(word);
  const said = `its status “${word.slice(0, 60)}” is`;
  if (known !== undefined) return `${said} taken as ${known}; the word stays in its front matter`;
  return `${said} none of draft, revising, done; ${UNKNOWN_IS} is taken, and the word stays in its front matter`;
}

/** Returns the keys of a block; undefined if it holds only comments. */
function mapOf({ contents }: Document): YAMLMap | undefined {
  return contents !== null && "items" in contents ? (contents as YAMLMap) : undefined;
}

function pickKeys(document: Document): Required<Pick<ReadBlock, "document" | "said" | "faults">> {
  const keys = mapOf(document) === undefined ? [] : KEYS.filter((key) => document.has(key));
  const said: Said = {};
  const faults: string[] = [];
  for (const key of keys) {
    const text = textOf(document, asSingle(document.get(key, true)));
    const fault = text === undefined ? "must be text" : faultOf(key, text?.trim() ?? "");
    if (fault !== undefined) faults.push(`${key} in its front matter ${fault}`);
    else said[key] = text?.trim() ?? null;
  }
  return { document, said, faults };
}

function faultOf(key: Key, text: string): string | undefined {
  const { most } = key === "synopsis" ? TEXTS.synopsis : TEXTS.title;
  if (text.length > most) return `must be at most ${most} characters, got ${text.length}`;
  const fault = textFault(text);
  return fault === undefined ? undefined : `holds ${fault}`;
}

function twiceIn(document: Document): string[] {
  const said = (mapOf(document)?.items ?? []).map(({ key }) => String(key));
  return KEYS.filter((key) => said.indexOf(key) < said.lastIndexOf(key));
}
