import * as z from "zod";
import { endpoint, writing } from "../endpoint.ts";
import { FORMATS } from "../enums.ts";
import {
  act,
  blockChange,
  chapter,
  chapterMeta,
  cleanText,
  count,
  deletion,
  documentNode,
  id,
  ifRevision,
  leafNode,
  mentionDropped,
  name,
  POINTS,
  pointName,
  snippetDetached,
  snippetMoved,
  source,
  status,
  time,
  title,
} from "../fields.ts";
import { LIMITS } from "../limits.ts";
import { compared } from "../local-answers.ts";

const titleAfter = {
  title: z.string().describe("The chapter's title after the write."),
  titleChanged: z
    .boolean()
    .describe("The title was that of the chapter's first heading, and has followed it."),
};

const warnings = z
  .array(z.string())
  .describe(
    "Each begins with a code and a colon. duplicate_id: the id stands twice in the document, the second got a new one; foreign_id: another chapter's, got a new one; unknown_id: this chapter never had it, got a new one; marks_on_edited_text: the paragraph's text changed, so its mention marks were not taken; marks_dropped: words that were emphasised or linked came as plain Markdown; unknown_fact: a mention mark names no fact of the book and was not taken.",
  );

const snippetsMoved = z.array(snippetMoved);
const removed = z.array(z.object({ blockId: id, text: z.string() }));

/** What a prose write did to every paragraph and what it cost. */
const proseWrite = name(
  "ProseWrite",
  "What became of every paragraph, and every annotation that could not be kept.",
  z.object({
    wordCount: count,
    blocks: z.array(blockChange),
    mentionsDropped: z.array(mentionDropped),
    snippetsDetached: z.array(snippetDetached),
    snippetsMoved,
    revision: count,
    changed: z.boolean(),
    removed,
    warnings,
    ...titleAfter,
    act,
  }),
);

const mentions = z.enum(["keep", "drop"]).optional();
const sentMarks = mentions.meta({
  description:
    "keep: mention marks stay on edited paragraphs, too, where their own words are unchanged, and new ones are taken.",
  default: "drop",
});

export const readChapter = endpoint({
  route: "GET /chapters/{chapterId}",
  tier: "read",
  summary: "Read a chapter: its prose and its metadata",
  description:
    "Plain text by default; `format=doc` gives the native document with every paragraph's blockId, `format=blocks` each paragraph's blockId with its own Markdown, `format=markdown` or `Accept: text/markdown` the Markdown. The answer carries an ETag; send it back as If-None-Match to get 304, or as If-Match with a prose write to be told of a change in between.",
  query: z.object({
    format: z.enum(FORMATS).optional().meta({
      description: "The form of the prose, and the key that holds it: text, doc, markdown or blocks.",
      default: "text",
    }),
    revision: count.min(1).optional().describe("An older revision; the newest without it."),
  }),
  answer: chapter,
  hasEntityTag: true,
  hasBareForm: true,
  example: { query: { format: "doc" } },
});

export const replaceProse = endpoint({
  route: "PUT /chapters/{chapterId}/prose",
  tier: "write",
  cost: "chapter",
  tagged: "chapter",
  summary: "Replace a whole chapter's prose",
  description:
    "Paragraphs that are still the same keep their blockId and their marginalia; genuinely rewritten or removed ones lose it (the note stays with the chapter, detached). Markdown drops every mention of the chapter, unless mentions=keep keeps those on paragraphs whose text did not change; a native doc with its ids intact preserves the most. Everything lost is listed in the answer.",
  query: writing.extend({
    mentions: mentions.meta({
      description:
        "keep: a Markdown body keeps the mentions of paragraphs whose text did not change; a doc is read as with its own `mentions`.",
      default: "drop",
    }),
  }),
  body: {
    json: z.union([
      z.strictObject({ markdown: z.string(), ifRevision }),
      z.strictObject({ doc: documentNode, ifRevision, mentions: sentMarks }),
    ]),
    markdown: true,
    blank: 'send the Markdown, or {"markdown": ""} as JSON to clear the prose on purpose',
    document: true,
  },
  answer: proseWrite,
  refusals: ["payload_too_large", "unsupported_media_type"],
  example: { markdown: "# A New Morning\n\nThe ferry was late.\n" },
});

export const replaceParagraph = endpoint({
  route: "PATCH /chapters/{chapterId}/paragraphs/{blockId}",
  tier: "write",
  cost: "chapter",
  tagged: "chapter",
  summary: "Replace one paragraph",
  description:
    "The paragraph keeps its blockId and its marginalia; its own mentions are dropped when its text changes. The body is the Markdown of exactly one paragraph, or as `node` the block in the form of `format=doc`, written as a PUT of the whole document with it would be: what is not changed keeps its bytes. More are put behind it by `POST /chapters/{chapterId}/paragraphs`, and `DELETE` takes it out. Block ids come from GET /chapters/{chapterId}?format=blocks or doc. Plain text in place of marked words takes the marks away; `warnings` says so.",
  body: {
    json: z.union([
      z.strictObject({ markdown: z.string(), ifRevision }),
      z.strictObject({ node: leafNode, ifRevision, mentions: sentMarks }),
    ]),
    markdown: true,
    blank:
      "send the text of one paragraph, or take it out with DELETE /chapters/{chapterId}/paragraphs/{blockId}",
    document: true,
  },
  answer: z.object({
    wordCount: count,
    mentionsDropped: z.array(mentionDropped),
    revision: count,
    blockId: id,
    changed: z.boolean(),
    warnings,
    ...titleAfter,
    act,
  }),
  refusals: ["payload_too_large", "unsupported_media_type"],
  example: { markdown: "The ferry was *very* late." },
});

export const insertParagraphs = endpoint({
  route: "POST /chapters/{chapterId}/paragraphs",
  tier: "write",
  cost: "chapter",
  tagged: "chapter",
  beyond: true,
  summary: "Insert one or more paragraphs",
  description:
    "`after` is the blockId of the paragraph that they go behind, or null for the chapter's start. Entries of a list (`- text`) behind an entry of a list go into that list; what is not an entry cannot go between them, but behind the last. All other paragraphs keep their blockIds, mentions and marginalia. `id` is the first new paragraph.",
  body: {
    json: z.strictObject({
      after: id.nullable().describe("A paragraph's blockId; null is the start."),
      markdown: z.string().describe("One paragraph or more."),
      ifRevision,
    }),
    document: true,
  },
  answer: z.object({
    id,
    blocks: z.array(blockChange).describe("The new ones, in order."),
    wordCount: count,
    mentionsDropped: z.array(mentionDropped),
    snippetsDetached: z.array(snippetDetached),
    revision: count,
    warnings,
    ...titleAfter,
    act,
  }),
  created: { location: "/chapters/{chapterId}?format=doc" },
  refusals: ["payload_too_large"],
  example: { body: { after: null, markdown: "Fog lay on the water." } },
});

export const deleteParagraph = endpoint({
  route: "DELETE /chapters/{chapterId}/paragraphs/{blockId}",
  tier: "write",
  tagged: "chapter",
  beyond: true,
  summary: "Take one paragraph out",
  description:
    "Of any kind and at any depth; a list entry or quote that is left empty goes with it. Its mentions are dropped; its marginalia stays in the chapter, detached, and is attached again when the paragraph comes back. A heading that is taken out leaves the chapter's title.",
  answer: z.object({
    id,
    deleted: z.literal(true),
    wordCount: count,
    mentionsDropped: z.array(mentionDropped),
    snippetsDetached: z.array(snippetDetached),
    snippetsMoved,
    revision: count,
    removed,
    ...titleAfter,
    act,
  }),
});

export const setStatus = endpoint({
  route: "PUT /chapters/{chapterId}/status",
  tier: "write",
  tagged: "chapter",
  summary: "Set a chapter's status",
  description: "Any status may follow any other, and the same again is no error.",
  body: { json: z.strictObject({ status }) },
  answer: z.object({ id, status, previousStatus: status, revision: count, act }),
  example: { body: { status: "revising" } },
});

export const saveSynopsis = endpoint({
  route: "PUT /chapters/{chapterId}/synopsis",
  tier: "write",
  tagged: "chapter",
  summary: "Save a chapter's synopsis field, never its prose",
  description: "An empty string clears it. POST /chapters/{chapterId}/synopsis drafts one.",
  body: { json: z.strictObject({ synopsis: cleanText(LIMITS.synopsisCharacters) }) },
  answer: z.object({ id, synopsis: z.string(), updatedAt: time, act }),
  example: { body: { synopsis: "The ferry is late, and somebody is glad of it." } },
});

export const updateChapter = endpoint({
  route: "PATCH /chapters/{chapterId}",
  tier: "write",
  tagged: "chapter",
  beyond: true,
  summary: "Rename a chapter, or move it",
  description:
    "partId null takes it out of its part. Without a position it goes to the end of the part named. Where the title was that of the chapter's first heading, the heading gets the new text, too: its level, its id and every other byte of the prose stay.",
  body: {
    json: z.strictObject({
      title: title().optional(),
      partId: id.nullable().optional(),
      position: count.min(1).optional(),
    }),
  },
  answer: z.object({
    chapter: chapterMeta,
    headingChanged: z.boolean().describe("The first heading of the prose has followed the title."),
    mentionsDropped: z.array(mentionDropped),
    act,
  }),
  example: { body: { title: "The Late Ferry" } },
});

export const deleteChapter = endpoint({
  route: "DELETE /chapters/{chapterId}",
  tier: "write",
  beyond: true,
  summary: "Delete a chapter; its marginalia stays with the book, and it can be undone",
  description:
    "Its mentions are dropped. `snippetsDetached` lists its notes; what each was about is in its `detached`.",
  answer: deletion,
});

export const listRevisions = endpoint({
  route: "GET /chapters/{chapterId}/revisions",
  tier: "read",
  beyond: true,
  summary: "List a chapter's revisions, newest last",
  description:
    "Each with the act that made it, who asked for it and how many words it added and removed. GET /chapters/{chapterId} with `revision` gives its prose.",
  query: z.object({
    limit: count.min(1).optional().describe("So many of the newest; without it all."),
    before: count.min(1).optional().describe("Only revisions before this one."),
  }),
  answer: z.object({
    revisions: z.array(
      z.object({
        revision: count,
        act: id,
        at: time,
        kind: z.string().describe("The operation that made it, such as replaceProse."),
        source,
        wordCount: count,
        added: count.describe("Words added."),
        removed: count.describe("Words removed."),
      }),
    ),
    total: count.describe("Of all revisions of the chapter."),
  }),
});

const moment = z.union([count.min(1), pointName]).optional();

export const compareRevisions = endpoint({
  route: "GET /chapters/{chapterId}/diff",
  tier: "read",
  cost: "book",
  beyond: true,
  summary: "Show what changed between two revisions of a chapter, word by word",
  description:
    "Each is a revision's number, or a moment as GET /books/{bookId}/compare takes it. Paragraphs go on by their blockId; an edited one has its text in both, in stretches that are the same, removed or added, or its Markdown where only the formatting differs.",
  query: z.object({
    from: moment.describe(`A revision, or ${POINTS}; without it the revision before \`to\`.`),
    to: moment.describe(`A revision, or ${POINTS}; without it the newest.`),
  }),
  answer: name(
    "Comparison",
    "What two revisions of a chapter do not share.",
    compared.extend({
      from: count.describe("Its revision then; 0 where the chapter was not there yet."),
      to: count,
    }),
  ),
  example: { query: { from: "1" } },
});

export const restoreRevision = endpoint({
  route: "POST /chapters/{chapterId}/restore",
  tier: "write",
  cost: "book",
  tagged: "chapter",
  beyond: true,
  summary: "Make an older revision the newest",
  description:
    "Its prose alone; POST /books/{bookId}/restore puts back the rest of a book, too. Paragraphs get back the ids they had then, and with them the marginalia that was detached since.",
  body: {
    json: z.union([
      z.strictObject({ revision: count.min(1), ifRevision }),
      z.strictObject({ to: pointName.describe(`Or as it was at ${POINTS}.`), ifRevision }),
    ]),
  },
  answer: proseWrite,
  example: { body: { revision: 1 } },
});
