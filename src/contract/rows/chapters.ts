import * as z from "zod";
import { endpoint, none, writing } from "../endpoint.ts";
import { FORMATS } from "../enums.ts";
import {
  act,
  blockChange,
  chapter,
  chapterMeta,
  cleanText,
  count,
  documentNode,
  id,
  mentionDropped,
  name,
  snippetDetached,
  status,
  time,
  title,
} from "../fields.ts";
import { LIMITS } from "../limits.ts";

const ofChapter = z.object({ chapterId: id });
const warnings = z
  .array(z.string())
  .describe("Each begins with a stable code, then a colon and its particulars.");
const minimal = "With `Prefer: return=minimal`, its length instead of the list.";
const orCount = <Item extends z.ZodType>(list: z.ZodArray<Item>) => z.union([list, count]).describe(minimal);

/** What deleting something took with it. */
export const deletion = name(
  "Deletion",
  "What was deleted, and the annotations that lost their place.",
  z.object({
    id,
    deleted: z.literal(true),
    mentionsDropped: orCount(z.array(mentionDropped)),
    snippetsDetached: orCount(z.array(snippetDetached)),
    act,
  }),
);

/** What a prose write did to every paragraph and what it cost. */
const proseWrite = name(
  "ProseWrite",
  "What became of every paragraph, and every annotation that could not be kept.",
  z.object({
    wordCount: count,
    blocks: orCount(z.array(blockChange)),
    mentionsDropped: orCount(z.array(mentionDropped)),
    snippetsDetached: orCount(z.array(snippetDetached)),
    snippetsMoved: orCount(
      z.array(
        z.object({
          id,
          from: id.describe("The blockId that it stood beside."),
          to: id.describe("The blockId that it stands beside now."),
        }),
      ),
    ),
    revision: count,
    changed: z.boolean(),
    removed: orCount(z.array(z.object({ blockId: id, text: z.string() }))),
    warnings,
    act,
  }),
);

const ifRevision = count
  .optional()
  .describe("Refuse with 412 unless the chapter is at this revision; as If-Match.");
const mentions = z.enum(["keep", "drop"]).optional();

export const readChapter = endpoint({
  id: "readChapter",
  method: "GET",
  path: "/chapters/{chapterId}",
  tier: "read",
  summary: "Read a chapter: its prose and its metadata",
  description:
    "Plain text by default; `format=doc` gives the native document with every paragraph's blockId, `format=markdown` or `Accept: text/markdown` the Markdown. The answer carries an ETag; send it back as If-None-Match to get 304, or as If-Match with a prose write to be told of a change in between.",
  params: ofChapter,
  query: z.object({
    format: z.enum(FORMATS).optional().meta({
      description: "The form of the prose, and the key that holds it: text, doc or markdown.",
      default: "text",
    }),
    revision: count.min(1).optional().describe("An older revision; the newest without it."),
  }),
  answer: chapter,
  refusals: ["not_found"],
  example: { query: { format: "doc" } },
});

export const replaceProse = endpoint({
  id: "replaceProse",
  method: "PUT",
  path: "/chapters/{chapterId}/prose",
  tier: "write",
  summary: "Replace a whole chapter's prose",
  description:
    "Paragraphs that are still the same keep their blockId and their marginalia; genuinely rewritten or removed ones lose it (the note stays with the chapter, detached). Markdown drops every mention of the chapter, unless mentions=keep keeps those on paragraphs whose text did not change; a native doc with its ids intact preserves the most. Everything lost is listed in the answer.",
  params: ofChapter,
  query: writing.extend({
    mentions: mentions.meta({
      description: "keep: a Markdown body keeps the mentions of paragraphs whose text did not change.",
      default: "drop",
    }),
  }),
  body: {
    json: z.union([
      z.strictObject({ markdown: z.string(), ifRevision }),
      z.strictObject({ doc: documentNode, ifRevision }),
    ]),
    markdown: true,
    document: true,
  },
  answer: proseWrite,
  refusals: ["not_found", "revision_conflict", "payload_too_large", "unsupported_media_type"],
  example: { markdown: "# A New Morning\n\nThe ferry was late.\n" },
});

export const replaceParagraph = endpoint({
  id: "replaceParagraph",
  method: "PATCH",
  path: "/chapters/{chapterId}/paragraphs/{blockId}",
  tier: "write",
  summary: "Replace one paragraph",
  description:
    "The paragraph keeps its blockId and its marginalia; its own mentions are dropped when its text changes. The body is the Markdown of exactly one paragraph. Block ids come from GET /chapters/{chapterId}?format=doc.",
  params: ofChapter.extend({ blockId: id }),
  query: writing,
  body: { json: z.strictObject({ markdown: z.string(), ifRevision }), markdown: true, document: true },
  answer: z.object({
    wordCount: count,
    mentionsDropped: orCount(z.array(mentionDropped)),
    revision: count,
    blockId: id,
    changed: z.boolean(),
    act,
  }),
  refusals: ["not_found", "revision_conflict", "payload_too_large", "unsupported_media_type"],
  example: { markdown: "The ferry was *very* late." },
});

export const setStatus = endpoint({
  id: "setStatus",
  method: "PUT",
  path: "/chapters/{chapterId}/status",
  tier: "write",
  summary: "Set a chapter's status",
  params: ofChapter,
  query: writing,
  body: { json: z.strictObject({ status }) },
  answer: z.object({ id, status, previousStatus: status, revision: count, act }),
  refusals: ["not_found", "revision_conflict"],
  example: { body: { status: "revising" } },
});

export const saveSynopsis = endpoint({
  id: "saveSynopsis",
  method: "PUT",
  path: "/chapters/{chapterId}/synopsis",
  tier: "write",
  summary: "Save a chapter's synopsis field, never its prose",
  params: ofChapter,
  query: writing,
  body: { json: z.strictObject({ synopsis: cleanText(LIMITS.synopsisCharacters) }) },
  answer: z.object({ id, synopsis: z.string(), updatedAt: time, act }),
  refusals: ["not_found", "revision_conflict"],
  example: { body: { synopsis: "The ferry is late, and somebody is glad of it." } },
});

export const updateChapter = endpoint({
  id: "updateChapter",
  method: "PATCH",
  path: "/chapters/{chapterId}",
  tier: "write",
  beyond: true,
  summary: "Rename a chapter, or move it",
  description:
    "partId null takes it out of its part. Without a position it goes to the end of the part named.",
  params: ofChapter,
  query: writing,
  body: {
    json: z.strictObject({
      title: title().optional(),
      partId: id.nullable().optional(),
      position: count.min(1).optional(),
    }),
  },
  answer: z.object({ chapter: chapterMeta, act }),
  refusals: ["not_found", "revision_conflict"],
  example: { body: { title: "The Late Ferry" } },
});

export const deleteChapter = endpoint({
  id: "deleteChapter",
  method: "DELETE",
  path: "/chapters/{chapterId}",
  tier: "write",
  beyond: true,
  summary: "Delete a chapter; its marginalia stays with the book, and it can be undone",
  params: ofChapter,
  query: writing,
  answer: deletion,
  refusals: ["not_found", "revision_conflict"],
  example: {},
});

export const listRevisions = endpoint({
  id: "listRevisions",
  method: "GET",
  path: "/chapters/{chapterId}/revisions",
  tier: "read",
  beyond: true,
  summary: "List a chapter's revisions, newest last",
  params: ofChapter,
  query: none,
  answer: z.object({
    revisions: z.array(
      z.object({
        revision: count,
        act: id,
        at: time,
        source: z.string().describe("Who asked: api, cli, import, restore or undo."),
        wordCount: count,
        added: count.describe("Words added."),
        removed: count.describe("Words removed."),
      }),
    ),
    total: count,
  }),
  refusals: ["not_found"],
  example: {},
});

export const restoreRevision = endpoint({
  id: "restoreRevision",
  method: "POST",
  path: "/chapters/{chapterId}/restore",
  tier: "write",
  beyond: true,
  summary: "Make an older revision the newest",
  description:
    "Paragraphs get back the ids they had then, and with them the marginalia that was detached since.",
  params: ofChapter,
  query: writing,
  body: { json: z.strictObject({ revision: count.min(1), ifRevision }) },
  answer: proseWrite,
  refusals: ["not_found", "revision_conflict"],
  example: { body: { revision: 1 } },
});
