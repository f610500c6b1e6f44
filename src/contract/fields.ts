import * as z from "zod";
import { BROKEN, isInnerPath, isLanguageTag, isOneLine, textFault } from "../text/clean-text.ts";
import { ACT_SOURCES, BLOCK_STATUSES, DROP_REASONS, SNIPPET_KINDS, STATUSES } from "./enums.ts";
import { LIMITS } from "./limits.ts";

/** Schemas that have a name of their own in `openapi.json`. */
export const named = z.registry<{ id: string; description?: string }>();

/** Names a schema for `components/schemas` and returns it. */
export function name<Schema extends z.ZodType>(id: string, description: string, schema: Schema): Schema {
  named.add(schema, { id, description });
  return schema;
}

/** Counts, positions, revisions: never negative. */
export const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
/** An opaque id; what it looks like is nobody's business, so a malformed one is simply not found. */
export const id = z.string();
/** ISO 8601 in UTC with milliseconds. */
export const time = z.iso.datetime({ precision: 3 });
/** A local calendar day, `YYYY-MM-DD`. */
export const day = z.iso.date();
/** How far a chapter is. */
export const status = z.enum(STATUSES);
/** The act of a write, in its answer. */
export const act = id.nullable().describe("The act to undo this by; null after a dry run.");

/** The revision of the chapter that a write is about. */
export const ifRevision = count
  .optional()
  .describe("Refuse with 412 unless the chapter is at this revision; as If-Match.");

/** Who asked for an act. */
export const source = z.string().describe(`Who asked: one of ${ACT_SOURCES.join(", ")}.`);

const UNCLEAN = "holds a control character or half a surrogate pair";

/** Text of a request: no control characters but tab and line ends, no lone surrogates; SQLite would change those. */
export const cleanText = (max: number) => z.string().max(max).refine(isClean, UNCLEAN);
/** Text of a request that must hold something; surrounding blanks are dropped before it is measured. */
const filledText = (max: number = LIMITS.titleCharacters) =>
  z.string().trim().min(1, "must not be blank").max(max).refine(isClean, UNCLEAN);
const oneLine = (text: z.ZodString) => text.refine(isOneLine, `holds ${BROKEN}`);
/** A title or a name in a request: such text on one line. */
export const title = (max?: number) => oneLine(filledText(max));
/** A name in a request that may be blank. */
export const label = oneLine(cleanText(LIMITS.nameCharacters));
/** Address that a note leads to; a URL's parser lets through what `cleanText` does not. */
export const address = z
  .url({ protocol: /^(https?|mailto)$/, error: "must be an http, https or mailto address" })
  .max(LIMITS.urlCharacters)
  .refine(isClean, UNCLEAN);

/** A moment of a book's history, as a request names it. */
export const pointName = title(LIMITS.nameCharacters);
/** What names such a moment. */
export const POINTS =
  "a milestone (id or exact name), an act, a day YYYY-MM-DD (its end, by the machine's clock) or a time";

function isClean(value: string): boolean {
  return textFault(value) === undefined;
}

/** A goal with what is left of it; `wordsPerDay` counts today and the deadline. */
export const goal = name(
  "Goal",
  "What the writer aims at; remaining words and words a day are computed on reading.",
  z.object({
    targetWords: count,
    deadline: day.nullable(),
    dailyWords: count.nullable(),
    remainingWords: count,
    wordsPerDay: count
      .nullable()
      .describe("Words a day from today to reach the target by the deadline; null without one."),
  }),
);

/** Fields of a book besides its title, as answers show them. An empty one is left out. */
const shownMetadata = {
  author: z.string().exactOptional(),
  language: z.string().exactOptional().describe("BCP 47."),
  rights: z.string().exactOptional(),
  identifier: z.string().exactOptional(),
  description: z.string().exactOptional(),
  cover: z.string().exactOptional().describe("A picture's path in the book's folder."),
};

/** The same, as requests set it; null takes it away. */
export const metadata = {
  author: filledText().nullable().optional(),
  language: filledText(LIMITS.nameCharacters)
    .refine(isLanguageTag, "must be a language as BCP 47 names it, such as en or pt-BR")
    .nullable()
    .optional(),
  rights: filledText(LIMITS.urlCharacters).nullable().optional(),
  identifier: filledText().nullable().optional().describe("An ISBN, or another name of this edition."),
  description: filledText(LIMITS.summaryCharacters)
    .nullable()
    .optional()
    .describe("What readers are told of it."),
  cover: filledText()
    .refine(isInnerPath, "must be a path within the book's folder")
    .nullable()
    .optional()
    .describe("A picture's path in the book's folder."),
};

/** A row of the list of books. */
export const book = name(
  "Book",
  "A book as the list of books shows it.",
  z.object({
    id,
    title: z.string(),
    ...shownMetadata,
    wordCount: count,
    chapterCount: count,
    createdAt: time,
    updatedAt: time,
  }),
);

/** A part; `position` counts from 1 within its book. */
export const part = name(
  "Part",
  "A part of a book; `chapterIds` in reading order.",
  z.object({ id, bookId: id, title: z.string(), position: count, chapterIds: z.array(id), wordCount: count }),
);

/** Everything about a book but its prose. `chapters` is flat, in reading order. */
export const bookOutline = name(
  "Outline",
  "A book with its parts, its chapters in reading order, its goal and the last days.",
  z.object({
    id,
    title: z.string(),
    ...shownMetadata,
    wordCount: count,
    parts: z.array(part.omit({ bookId: true })),
    chapters: z.array(
      z.object({
        id,
        partId: id.nullable(),
        position: count,
        title: z.string(),
        status,
        wordCount: count,
        synopsis: z.string(),
        revision: count,
        updatedAt: time,
      }),
    ),
    goal: goal.nullable(),
    progress: z
      .array(z.object({ date: day, added: count, removed: count, imported: count, net: z.int() }))
      .describe("Oldest first, days without writing included; net = added − removed."),
  }),
);

/** A chapter's fields; `position` counts from 1 within its book. */
export const chapterMeta = name(
  "ChapterMeta",
  "A chapter without its prose.",
  z.object({
    id,
    bookId: id,
    partId: id.nullable(),
    title: z.string(),
    position: count,
    status,
    synopsis: z.string(),
    wordCount: count,
    blockCount: count,
    revision: count,
    createdAt: time,
    updatedAt: time,
  }),
);

/** A native document; `prose/` checks what is in it against its own schema. */
export const documentNode = name(
  "Document",
  [
    "A ProseMirror document with the names of prosemirror-markdown's schema. A node is `{type, attrs?, content?, marks?, text?}`, a mark `{type, attrs?}`. Attributes that have a default may be left out; an unknown node, mark or attribute is 400.",
    'Nodes that hold text and inline nodes: `paragraph` (blockId), `heading` (blockId, level = 1, to 6); text alone: `code_block` (blockId, params = "", fence = three backticks), `raw_block` (blockId, kind = "html", or "table", "front_matter"); nothing: `scene_break` (blockId, markup = "***").',
    'Nodes that hold blocks: `doc`, `blockquote`, `footnote` (label), `bullet_list` (bullet = "-", or "*", "+"; tight = true), `ordered_list` (order = 1, delim = ".", or ")"; tight = true), both of `list_item` (value = null, or its own number, as in a list of years).',
    "Inline nodes: `text` (its characters in the key text, a soft line break as \\n), `hard_break`, `image` (src, alt = null, title = null), `footnote_ref` (label), `raw_inline` (text, one HTML tag or comment).",
    "Marks: `link` (href, title = null), `em`, `strong`, `strike`, `code`, `mention` (mentionId = null, factId).",
    "A blockId that is null, or left out, is matched by its text or becomes a new one; one that this chapter once had comes back, and its marginalia with it.",
  ].join("\n\n"),
  z.looseObject({ type: z.literal("doc"), content: z.array(z.looseObject({ type: z.string() })).optional() }),
);

/** One leaf block of a native document; checked as that is. */
export const leafNode = z
  .looseObject({ type: z.string() })
  .describe("The paragraph as `format=doc` gives it; its attrs.blockId is the path's, or left out.");

/** A leaf block, at whatever depth it stands, with the Markdown that `PATCH` takes for it. */
const block = z.object({
  blockId: id,
  type: z.string().describe("The name of its node, such as paragraph or heading."),
  markdown: z.string().describe("Its own Markdown, without what a list or a quote puts around it."),
});

/** A chapter with exactly one of `text`, `doc`, `markdown`, `blocks`. */
export const chapter = name(
  "Chapter",
  "A chapter with its prose in the format asked for.",
  z.union([
    chapterMeta.extend({ text: z.string() }),
    chapterMeta.extend({ doc: documentNode }),
    chapterMeta.extend({ markdown: z.string() }),
    chapterMeta.extend({ blocks: z.array(block).describe("In reading order.") }),
  ]),
);

/** One attribute of a fact, as a request sends it. */
export const attribute = z.strictObject({
  key: title(LIMITS.nameCharacters),
  value: cleanText(LIMITS.attributeCharacters),
  fromChapterId: id
    .exactOptional()
    .describe("The chapter from which on it holds: dyed hair. Without one it holds from the first."),
});

/** One attribute of a fact, as answers show it. */
export const shownAttribute = z.object({
  key: z.string(),
  value: z.string(),
  fromChapterId: id.exactOptional(),
});

/** A fact; `mentionCount` counts spans of prose linked to it. */
export const fact = name(
  "Fact",
  "An entry of the story map: a person, a place, a thing.",
  z.object({
    id,
    bookId: id,
    name: z.string(),
    kind: z.string(),
    aliases: z.array(z.string()),
    attributes: z.array(shownAttribute),
    summary: z.string(),
    mentionCount: count,
    createdAt: time,
    updatedAt: time,
  }),
);

/** A mention with up to 60 characters of its paragraph on either side. */
export const mention = name(
  "Mention",
  "A span of prose that names a fact; from and to are UTF-16 offsets in the block's text.",
  z.object({
    id,
    factId: id,
    chapterId: id,
    chapterTitle: z.string(),
    blockId: id,
    from: count,
    to: count,
    text: z.string(),
    before: z.string(),
    after: z.string(),
  }),
);

/** One item of a to-do list, as a request sends it. */
export const todo = z.strictObject({ text: cleanText(LIMITS.todoCharacters), done: z.boolean() });

/** A snippet; at most one of `blockId` and `detached` is set. */
export const snippet = name(
  "Snippet",
  "A piece of marginalia, beside the prose and never inside it.",
  z.object({
    id,
    bookId: id,
    chapterId: id.nullable(),
    blockId: id.nullable(),
    kind: z.enum(SNIPPET_KINDS),
    text: z.string().nullable(),
    url: z.string().nullable(),
    items: z.array(z.object({ text: z.string(), done: z.boolean() })).nullable(),
    author: z.string().nullable().describe("Who said it, if not the writer: an editor, a beta reader."),
    quote: z.string().nullable().describe("The words of its paragraph that it is about."),
    replies: z.array(z.object({ author: z.string(), text: z.string(), at: time.nullable() })),
    resolved: z.boolean(),
    detached: z
      .object({ blockId: id.nullable(), quote: z.string(), revision: count })
      .nullable()
      .describe(
        "Where it was anchored when its paragraph or chapter went; null while it is anchored or never was.",
      ),
    createdAt: time,
    updatedAt: time,
  }),
);

/** A mention as it was before a write dropped it, and why. */
export const mentionDropped = name(
  "MentionDropped",
  "A mention that a write could not keep.",
  z.object({
    id,
    factId: id,
    name: z.string(),
    blockId: id,
    from: count,
    to: count,
    text: z.string(),
    reason: z
      .enum(DROP_REASONS)
      .describe(
        "edited: the text of its paragraph changed; removed: its paragraph, chapter or fact was removed; markdown: the chapter came as Markdown, which has no mention marks; unmarked: the document no longer has its mark; unknown_fact: its mark names no fact of the book.",
      ),
  }),
);

/** A snippet whose anchor went, with a quote of at most 200 characters. */
export const snippetDetached = name(
  "SnippetDetached",
  "Marginalia whose paragraph or chapter went: the note stays, its anchor is gone; blockId is null where it stood beside a whole chapter.",
  z.object({ id, kind: z.enum(SNIPPET_KINDS), blockId: id.nullable(), quote: z.string() }),
);

/** What was deleted, and what that cost. */
export const deletion = name(
  "Deletion",
  "What was deleted, and the annotations that lost their place.",
  z.object({
    id,
    deleted: z.literal(true),
    mentionsDropped: z.array(mentionDropped),
    snippetsDetached: z.array(snippetDetached),
    act,
  }),
);

/** Marginalia whose paragraph was joined to another: it stands beside that one now. */
export const snippetMoved = z.object({
  id,
  from: id.describe("The blockId that it stood beside."),
  to: id.describe("The blockId that it stands beside now."),
});

/** A leaf block after a write, in reading order. */
export const blockChange = z.object({
  blockId: id,
  type: z.string(),
  status: z
    .enum(BLOCK_STATUSES)
    .describe(
      "kept: the same text in the same place; moved: the same text in another place; edited: another text or form, with its old id; new: a new id.",
    ),
});

/** The one error body. */
export const problem = name(
  "Problem",
  "Every error has this shape; `error` is a stable code. insufficient_credits adds `required` and `available`, revision_conflict and the conflict of anchorMentions `currentRevision`, the conflict of undoAct `standing` (the rows that have changed since), internal `requestId`.",
  z.looseObject({
    error: z.string(),
    message: z.string(),
    details: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe("For bad_request: each fault with its JSON Pointer."),
  }),
);

/** The language model that AI calls are sent to. */
export const languageModel = z.object({
  url: z.string().describe("The base of its OpenAI-compatible API."),
  model: z.string(),
  remote: z.boolean().describe("Whether prose leaves this machine; only by explicit consent."),
  timeoutSeconds: z.number().positive().describe("After so long the embedded engine answers alone."),
});

/** Kind and abilities of a language model's server, as far as it reports them. */
export const modelServer = z.object({
  kind: z
    .enum(["Ollama", "llama.cpp", "LM Studio", "OpenAI-compatible"])
    .nullable()
    .describe("Null if nothing there answers as a server of language models does."),
  version: z.string().nullable(),
  models: z.array(z.string()).describe("Those that it lists."),
  hasModel: z
    .boolean()
    .nullable()
    .describe("Whether the one that is set is among them; null if that is not known."),
  contextTokens: count.nullable().describe("How many tokens it reads at once."),
  schema: z.boolean().nullable().describe("Whether it takes a JSON schema; null if that is not known."),
  failure: z
    .string()
    .nullable()
    .describe("Why it did not answer a question, in a word or two; null if it did."),
});
