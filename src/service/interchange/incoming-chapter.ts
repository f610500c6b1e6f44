import { STATUSES } from "../../contract/enums.ts";
import { takeMarks } from "../../prose/block-ids/strip.ts";
import { mayBeMarked } from "../../prose/block-ids/syntax.ts";
import { withLeafIds } from "../../prose/document/leaf-ids.ts";
import { leafText } from "../../prose/document/text.ts";
import type { DocNode } from "../../prose/document/types.ts";
import { BadRequest, PayloadTooLarge } from "../../refusals.ts";
import type { Status } from "../../store/rows/chapters.ts";
import { checkText, TEXTS } from "../field-rules.ts";
import { type AskedMarkdown, askMarkdown } from "../prose/replace-prose.ts";

/** What a file says of its chapter, as text; a key that is not there says nothing. */
export interface AskedFields {
  /** The id that the chapter had when it was exported. */
  id?: string;
  title?: string;
  /** The title of its part; null for none. */
  part?: string | null;
  status?: string;
  synopsis?: string;
}

/** A chapter as a file brings it. */
export interface AskedChapter {
  /** What messages call it. */
  name: string;
  /** Its file, relative to the folder; null for stdin. */
  file: string | null;
  bom: boolean;
  /** Verbatim, with its fences and the blank lines after it. */
  frontMatter: string;
  /** What of it is to be kept with the chapter: "" where it says no more than an export would. */
  keptBlock: string;
  /** The prose, without a byte order mark; block ids stand in it as marks where the file has them. */
  markdown: string;
  fields: AskedFields;
  /** Its part is only that of the folder where the file was found. */
  isFound?: boolean | undefined;
  /** The revision that the file says it was exported at: the base where the manuscript knows nothing of its folder. */
  revision?: number | undefined;
  /** The title where neither the file's fields nor its prose give one. */
  fallbackTitle: string;
}

/** A chapter read and checked, before the file is looked at. */
export interface ReadChapter extends AskedChapter {
  fields: Omit<AskedFields, "status"> & { status?: Status };
  /** Without marks; the leaves that had one bring the id that it names. */
  prose: AskedMarkdown;
  /** Whether marks of block ids were taken off. */
  isMarked: boolean;
  /** Whether something that looks like a mark is left, within a paragraph. */
  mayHaveMore: boolean;
  /** The title of a new chapter. */
  newTitle: string;
}

/** Reads and checks a chapter. Throws `BadRequest` and `PayloadTooLarge`, both with the file's name and the key's. */
export function readAsked(asked: AskedChapter): ReadChapter {
  const fields = checkFields(asked);
  const read = readProse(asked);
  const heading = firstHeading(read.prose.prose.blocks.map(({ node }) => node));
  return { ...asked, ...read, fields, newTitle: fields.title ?? heading ?? asked.fallbackTitle };
}

/** The chapter with its byte order mark set aside or not: where the stored front matter stays, so does its mark. */
export function proseWithMark({ prose }: ReadChapter, bom: boolean): AskedMarkdown {
  return { ...prose, prose: { ...prose.prose, bom } };
}

function checkFields({ name, fields }: AskedChapter): ReadChapter["fields"] {
  const { title, part, status, synopsis, ...rest } = fields;
  if (status !== undefined && !isStatus(status)) {
    throw new BadRequest(`${name}: status must be one of ${STATUSES.join(", ")}, got "${status}".`);
  }
  return {
    ...rest,
    ...(title === undefined ? {} : { title: checkText(`${name}: title`, title, TEXTS.title) }),
    ...(part == null
      ? part === null
        ? { part }
        : {}
      : { part: checkText(`${name}: part`, part, TEXTS.title) }),
    ...(status === undefined ? {} : { status }),
    ...(synopsis === undefined ? {} : { synopsis: checkText(`${name}: synopsis`, synopsis, TEXTS.synopsis) }),
  };
}

function isStatus(status: string): status is Status {
  return (STATUSES as readonly string[]).includes(status);
}

/** Reads a chapter's prose; `isOwn` as for `takeMarks`. Throws `BadRequest` and `PayloadTooLarge` with the file's name. */
export function readProse(
  { name, bom, markdown }: AskedChapter,
  isOwn?: (blockId: string) => boolean,
): Pick<ReadChapter, "prose" | "isMarked" | "mayHaveMore"> {
  try {
    const unmarked = takeMarks((bom ? "\ufeff" : "") + markdown, isOwn);
    const prose = askMarkdown(unmarked.markdown, "keep");
    const isMarked = unmarked.ids.length > 0;
    const mayHaveMore = mayBeMarked(unmarked.markdown);
    if (!isMarked) return { prose, isMarked, mayHaveMore };
    const blocks = withLeafIds(prose.prose.blocks, unmarked.ids);
    return { prose: { ...prose, prose: { ...prose.prose, blocks } }, isMarked, mayHaveMore };
  } catch (error) {
    if (error instanceof PayloadTooLarge) throw new PayloadTooLarge(`${name}: ${error.message}`);
    if (error instanceof BadRequest) throw new BadRequest(`${name}: ${error.message}`);
    throw error;
  }
}

/** The text of the first top-level heading that has any, as a title. */
function firstHeading(nodes: readonly DocNode[]): string | undefined {
  for (const node of nodes) {
    const text = node.type === "heading" ? leafText(node).replace(/\s+/g, " ").trim() : "";
    if (text !== "") return text.slice(0, TEXTS.title.most).toWellFormed().trim();
  }
  return undefined;
}
