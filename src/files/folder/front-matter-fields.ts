import type { Document, YAMLMap } from "yaml";
import { BadRequest } from "../../refusals.ts";
import { TEXTS } from "../../service/field-rules.ts";
import type { SaidFields } from "../../service/interchange/incoming-chapter.ts";
import { textFault } from "../../text/clean-text.ts";
import { FRONT_MATTER_KEYS } from "../format/keys.ts";
import { type AskedPair, applyYamlEdits, editPairs } from "../yaml/edit.ts";
import { asSingle, openYaml, textOf, tryYaml, type Yaml } from "../yaml/open.ts";
import { LAYOUT, scalar } from "../yaml/write.ts";
import { isExported, openBlock } from "./front-matter.ts";
import { statusOf } from "./status.ts";

type Key = keyof typeof FRONT_MATTER_KEYS;
const KEYS = Object.keys(FRONT_MATTER_KEYS) as Key[];

/** What front matter says of a chapter, as text; null for a part that is none. */
type Said = Partial<Record<Key, string | null>>;

/** The most front matter that is read, in characters: what reads YAML compares each key with every other. */
const LONGEST = 128 * 1024;

/** What a block says of its chapter. */
export interface BlockContent {
  fields: SaidFields;
  /** The revision that the chapter was exported at. */
  revision?: number;
  /** What of it is not taken, in words; it stays in the block. */
  faults: readonly string[];
}

/**
 * Returns what a block says of its chapter. One that an export wrote must be right: throws `BadRequest`, naming file and key,
 * for what cannot be read. No other stops an import: what is no use there is a fault, and conflicts of git are refused.
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

/** What a word counts as that means no status: it is refused where an export wrote one. */
function unknownStatus(said: Said, word: string): string {
  return hasOurId(said) ? word : UNKNOWN_IS;
}

const UNKNOWN_IS = "draft";

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
function lineOf(fields: BlockFields, key: Key): { line?: string } {
  const value = fieldOf(fields, key);
  if (value === null && key === "part" && fields.partOfFile != null) return { line: "null" };
  if (value === null || (key === "synopsis" && value === "")) return {};
  return { line: key === "revision" ? value : scalar(value) };
}

/** Whether what a block calls its part is the part of this title. */
export type IsPart = (said: string, title: string | null) => boolean;

function isTrue(key: Key, said: string | null | undefined, fields: BlockFields, isPart: IsPart): boolean {
  if (said === undefined || (key === "title" && !said)) return isTrueUnsaid(key, fields);
  if (key === "status") return (statusOf(said ?? "") ?? UNKNOWN_IS) === fields.status;
  if (key === "part") return said === null || said === "" ? fields.part === null : isPart(said, fields.part);
  return (said ?? "") === fieldOf(fields, key)?.trim();
}

/** Whether a field is what it is where no key says it: the file's own title and part, a draft, no synopsis. */
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

/** A block read; without a document where it cannot be. */
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

/** The keys of a block; undefined if it holds comments alone. */
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
