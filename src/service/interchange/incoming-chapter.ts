import type { IncomingChapter, IncomingFields } from "../../book/book.ts";
import { readProse } from "../../book/incoming-prose.ts";
import { STATUSES } from "../../contract/enums.ts";
import { listHeadings } from "../../prose/document/heading.ts";
import type { ChapterRoom } from "../../prose/document/room.ts";
import { BadRequest } from "../../refusals.ts";
import type { Status } from "../../store/rows/chapters.ts";
import { asOneLine } from "../../text/clean-text.ts";
import { checkText, TEXTS } from "../field-rules.ts";
import type { Manuscript } from "../manuscript.ts";
import { roomForAny } from "../prose/chapter-size.ts";

/** Fields of a chapter in its file, as text. A missing key says nothing. */
export interface SaidFields {
  id?: string;
  title?: string;
  /** Title of its part; null for none. */
  part?: string | null;
  status?: string;
  synopsis?: string;
}

/** A chapter's file, split into front matter and prose. */
export interface ChapterText
  extends Pick<
    IncomingChapter,
    | "name"
    | "file"
    | "hash"
    | "bom"
    | "frontMatter"
    | "keptBlock"
    | "markdown"
    | "isFound"
    | "revision"
    | "warnings"
  > {
  fields: IncomingFields;
  /** Title if neither the file's fields nor its prose give one. */
  fallbackTitle: string;
}

/** Parses a chapter's file. Throws `BadRequest` and `PayloadTooLarge`, both with the file's name. */
export type ParseChapter = (text: ChapterText) => IncomingChapter;

/** Returns a parser for chapters of this manuscript, within its limits. */
export function chapterParser({ store }: Manuscript): ParseChapter {
  const room = roomForAny(store);
  return (text) => parseChapter(text, room);
}

function parseChapter({ fallbackTitle, ...text }: ChapterText, room: ChapterRoom): IncomingChapter {
  const read = readProse(text, { room });
  const [heading] = listHeadings(read.prose.blocks.map(({ node }) => node));
  return { ...text, ...read, newTitle: text.fields.title ?? heading?.title ?? asOneLine(fallbackTitle) };
}

/** Checks the fields in a chapter's file. Throws `BadRequest`, naming file and key. */
export function checkFields({ name, fields }: { name: string; fields: SaidFields }): IncomingFields {
  const { id, title, part, status, synopsis } = fields;
  if (status !== undefined && !isStatus(status)) {
    throw new BadRequest(`${name}: status must be one of ${STATUSES.join(", ")}, got "${status}".`);
  }
  return {
    ...(id === undefined ? {} : { id }),
    ...(title === undefined ? {} : { title: checkText(`${name}: title`, asOneLine(title), TEXTS.title) }),
    ...(part === undefined
      ? {}
      : { part: part === null ? null : checkText(`${name}: part`, part, { ...TEXTS.title, isName: false }) }),
    ...(status === undefined ? {} : { status }),
    ...(synopsis === undefined ? {} : { synopsis: checkText(`${name}: synopsis`, synopsis, TEXTS.synopsis) }),
  };
}

function isStatus(status: string): status is Status {
  return (STATUSES as readonly string[]).includes(status);
}
