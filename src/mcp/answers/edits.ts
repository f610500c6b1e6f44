import { BadRequest } from "../../refusals.ts";
import type { Manuscript } from "../../service/manuscript.ts";
import {
  divideFor,
  type NumberedParagraph,
  numberParagraphs,
} from "../../service/prose/numbered-paragraphs.ts";
import { counted } from "../../text/columns.ts";
import { cutTokens } from "../../text/weigh-tokens.ts";
import type { ToolInput } from "../rows/inputs.ts";
import { ANSWER_TOKENS, fenced } from "./answer.ts";
import { findOnce, nearestTo } from "./find-words.ts";
import { quotedAs } from "./quotes.ts";

type SentEdit = ToolInput<"propose_edits">["edits"][number];

/** A change of one paragraph, as services take it; `blockId` null inserts at the chapter's start. */
export interface ParagraphEdit {
  op: "replace" | "insert_after" | "delete";
  blockId: string | null;
  markdown?: string;
}

/**
 * The edits by paragraph: several that find words in one are one replacement. Throws `BadRequest` that names the edit, and
 * for words that are not there once shows what is.
 */
export function readEdits(read: ReadParagraphs, sent: readonly SentEdit[]): ParagraphEdit[] {
  const draft: Draft = { read, edits: [], rewritten: new Map(), whole: new Set() };
  for (const [index, edit] of sent.entries())
    takeEdit(draft, edit, (message) => new BadRequest(`edits[${index}]: ${message}`));
  return divided(draft);
}

/** The edits with each replacement by several paragraphs as one by the first, and what follows put behind it. */
function divided({ read, edits }: Draft): ParagraphEdit[] {
  const divisions = new Map(
    edits.flatMap((edit) => {
      const paragraph = read.paragraphs.find(({ blockId }) => blockId === edit.blockId);
      const parts = edit.op === "replace" && paragraph && divideFor(paragraph, edit.markdown ?? "");
      return parts ? [[edit.blockId, parts]] : [];
    }),
  );
  return edits.flatMap((edit): ParagraphEdit[] => {
    const { op, blockId } = edit;
    const parts = divisions.get(blockId);
    if (parts === undefined) return [edit];
    if (op !== "replace") return []; // it comes behind what the paragraph becomes
    const others = edits.filter((one) => one.blockId === blockId && one.op === "insert_after");
    return [
      { ...edit, markdown: parts.first },
      { op: "insert_after", blockId, markdown: parts.rest },
      ...others,
    ];
  });
}

/** What the edits so far come to. */
interface Draft {
  read: ReadParagraphs;
  edits: ParagraphEdit[];
  /** The replacements by `blockId`. */
  rewritten: Map<string, ParagraphEdit & { markdown: string }>;
  /** Paragraphs that are replaced as a whole, or deleted. */
  whole: Set<string>;
}

type Fault = (message: string) => BadRequest;

function takeEdit(draft: Draft, edit: SentEdit, fault: Fault): void {
  const { op = "replace", find, text = "" } = edit;
  if (op !== "replace" && find !== undefined)
    throw fault(
      `find goes with replace, ${op} needs paragraph. To take words out, replace them by an empty text.`,
    );
  if (op === "insert_after")
    draft.edits.push({ op, blockId: placeOf(draft.read, edit, fault), markdown: saying(text, fault) });
  else if (op === "delete") {
    const { blockId } = targetOf(draft, edit, fault);
    if (text !== "") throw fault("delete takes no text.");
    draft.whole.add(blockId);
    draft.edits.push({ op, blockId });
  } else replaceIn(draft, edit, fault);
}

function replaceIn(draft: Draft, edit: SentEdit, fault: Fault): void {
  const { find, text = "" } = edit;
  const { edits, rewritten, whole } = draft;
  const paragraph = targetOf(draft, edit, fault);
  const { blockId } = paragraph;
  const markdown =
    find === undefined ? text : spliced(paragraph, textIn(draft, paragraph), { find, text, fault });
  const known = rewritten.get(blockId);
  const replacing = known ?? { op: "replace" as const, blockId, markdown };
  replacing.markdown = saying(markdown, fault);
  if (known === undefined) edits.push(replacing);
  rewritten.set(blockId, replacing);
  if (find === undefined) whole.add(blockId);
}

/** A paragraph's Markdown, as the edits so far have left it. */
function textIn({ rewritten }: Draft, { blockId, markdown }: NumberedParagraph): string {
  return rewritten.get(blockId)?.markdown ?? markdown;
}

function saying(text: string, fault: Fault): string {
  if (text.trim() !== "") return text;
  throw fault("text is empty; op delete takes a whole paragraph out.");
}

/** Behind which paragraph something goes; null for the start, ¶0. */
function placeOf(read: ReadParagraphs, { paragraph }: SentEdit, fault: Fault): string | null {
  if (paragraph === undefined) throw fault("insert_after needs paragraph; 0 is the chapter's start.");
  return /^¶?0$/.test(paragraph.trim()) ? null : findParagraph(read, paragraph).blockId;
}

/** The paragraph that is named, else the only one that holds the words; none that is changed as a whole already. */
function targetOf(draft: Draft, { paragraph, find }: SentEdit, fault: Fault): NumberedParagraph {
  const { read, rewritten, whole } = draft;
  const found = paragraph === undefined ? holderOf(draft, find, fault) : findParagraph(read, paragraph);
  if (whole.has(found.blockId) || (find === undefined && rewritten.has(found.blockId)))
    throw fault(
      `¶${found.number} is changed by an edit before this one; send one for it, or several with find.`,
    );
  return found;
}

function holderOf(draft: Draft, find: string | undefined, fault: Fault): NumberedParagraph {
  const { paragraphs, revision } = draft.read;
  if (find === undefined) throw fault("name the paragraph, or give words of it in find.");
  const textOf = (one: NumberedParagraph) => textIn(draft, one);
  const found = paragraphs.flatMap((one) => {
    const { count, hasOtherQuotes } = findOnce(textOf(one), find);
    return count > 0 ? [{ one, hasOtherQuotes }] : [];
  });
  const asWritten = found.filter(({ hasOtherQuotes }) => !hasOtherQuotes);
  const [only, ...others] = (asWritten.length > 0 ? asWritten : found).map(({ one }) => one);
  if (only === undefined) {
    const near = nearestTo(find, paragraphs, textOf);
    const hint = near === undefined ? "" : ` The nearest:\n${shown(near, textOf(near))}`;
    throw fault(`these words stand nowhere in the chapter at revision ${revision}.${hint}`);
  }
  if (others.length === 0) return only;
  const places = listed([only, ...others]);
  throw fault(
    `these words stand in ${others.length + 1} paragraphs, ${places}; name one, or give more words.`,
  );
}

const MOST_LISTED = 10;

function listed(paragraphs: readonly NumberedParagraph[]): string {
  const numbers = paragraphs.slice(0, MOST_LISTED).map(({ number }) => `¶${number}`);
  return numbers.join(", ") + (paragraphs.length > MOST_LISTED ? " …" : "");
}

function spliced(
  paragraph: NumberedParagraph,
  now: string,
  { find, text, fault }: { find: string; text: string; fault: Fault },
): string {
  const { count, from, to, hasOtherQuotes } = findOnce(now, find);
  if (count === 1) {
    const before = now.slice(0, from);
    return before + (hasOtherQuotes ? quotedAs(text, now, before) : text) + now.slice(to);
  }
  const times = count === 0 ? "do not stand" : `stand ${count} times`;
  throw fault(
    `these words ${times} in ¶${paragraph.number}, and have to once. It reads:\n${shown(paragraph, now)}`,
  );
}

function shown({ number }: NumberedParagraph, now: string): string {
  const rest = `read_chapter with from ${number} and limit 1`;
  return fenced([
    cutTokens(`¶${number} ${now}`, ANSWER_TOKENS, (left) => `(${left} characters more: ${rest})`),
  ]);
}

/** Describes the notes and mentions that a change of prose costs: "2 mentions, and 1 note its paragraph"; "" for nothing. */
export function costInWords({
  mentionsDropped,
  snippetsDetached,
}: {
  mentionsDropped: readonly unknown[];
  snippetsDetached: readonly unknown[];
}): string {
  const mentions = mentionsDropped.length === 0 ? [] : [counted(mentionsDropped.length, "mention")];
  const notes =
    snippetsDetached.length === 0 ? [] : [`${counted(snippetsDetached.length, "note")} its paragraph`];
  return [...mentions, ...notes].join(", and ");
}

/** The paragraphs of a chapter at a revision that an agent has read. */
export interface ReadParagraphs {
  chapterId: string;
  revision: number;
  paragraphs: readonly NumberedParagraph[];
}

/** The paragraphs of a chapter at that revision. Throws `NotFound`. */
export function paragraphsAt(manuscript: Manuscript, chapterId: string, revision: number): ReadParagraphs {
  return { chapterId, ...numberParagraphs(manuscript, chapterId, revision) };
}

/** The paragraph of a number, "12" or "¶12", or of a block id. Throws `BadRequest` for none. */
export function findParagraph({ revision, paragraphs }: ReadParagraphs, wanted: string): NumberedParagraph {
  const number = /^¶?\s*(\d+)$/.exec(wanted.trim())?.[1];
  const found =
    number === undefined
      ? paragraphs.find(({ blockId }) => blockId === wanted)
      : paragraphs[Number(number) - 1];
  if (found !== undefined) return found;
  throw new BadRequest(
    `There is no paragraph ${wanted.slice(0, 50)} at revision ${revision}: they are ¶1 to ¶${paragraphs.length}. Read the chapter again.`,
  );
}
