import type { BLOCK_STATUSES, DROP_REASONS } from "../enums.ts";
import { MARKDOWN_TYPE, READ_AS_MARKDOWN } from "../media-types.ts";
import { DOCUMENT } from "./example.ts";
import { codes, type Draft, layOut, type Term } from "./llms-text.ts";

const STATUS_MEANING: Readonly<Record<(typeof BLOCK_STATUSES)[number], string>> = {
  kept: "the same text in the same place, with its id",
  moved: "the same text in another place, with its id",
  edited: "another text or form, with its old id",
  new: "a new id",
};

const REASON_MEANING: Readonly<Record<(typeof DROP_REASONS)[number], string>> = {
  edited: "the text of its paragraph changed",
  removed: "its paragraph, chapter or fact is gone",
  markdown: "the chapter came as Markdown, which has no mention marks",
  unmarked: "the document no longer has its mark",
  unknown_fact: "its mark names no fact of the book",
};

const WARNINGS: Readonly<Record<string, string>> = {
  duplicate_id: "the id stands twice in the document; the first keeps it, the other got a new one",
  foreign_id: "the id belongs to another chapter; the paragraph got a new one",
  unknown_id: "this chapter never had the id; the paragraph got a new one",
  marks_on_edited_text: "the document changes the paragraph's text, so its mention marks were not taken",
  marks_dropped:
    "the paragraph came as Markdown, and words of it that were emphasised, linked or the like still stand, but plain; take its Markdown from format=blocks to keep that",
  unknown_fact: "a mention mark names no fact of the book and was not taken",
};

const code = (text: string) => `\`${text}\``;

function terms(meanings: Readonly<Record<string, string>>): Term[] {
  return Object.entries(meanings).map(([name, text]) => ({ names: [name], text }));
}

/** What a write of prose does and what it costs. */
export const PROSE: Draft = {
  id: "prose",
  title: "Prose writes and what they cost",
  blocks: [
    "Two things are anchored to paragraphs: mentions (spans of prose linked to facts) and marginalia (snippets). A write that changes a paragraph may cost them; whatever is lost is listed in the answer.",
    { full: "Every write can be tried with `?dryRun=1` and undone." },
    {
      list: [
        [
          `\`PUT /chapters/{chapterId}/prose\` replaces the whole chapter. The body is one of: Markdown as ${code(MARKDOWN_TYPE)} (the default); JSON \`{markdown}\`; JSON \`{doc}\`, a native document. A blank Markdown body is 400; \`{"markdown": ""}\` clears the chapter on purpose.`,
          `${READ_AS_MARKDOWN.map(code).join(", ")} and no type at all are read as Markdown too. A leading YAML block is prose here.`,
        ],
        [
          "Ids are reconciled: a paragraph that can be matched to an old one keeps its `blockId`, and so its marginalia.",
          "`blocks` lists every paragraph in order, its `type` the name of its node, its `status` what became of it.",
        ],
        [
          "A paragraph that is genuinely rewritten or removed loses its marginalia: `removed` lists the paragraph, `snippetsDetached` the notes. The note itself stays in the chapter with `blockId: null` and `detached`.",
          "It is attached again when the paragraph comes back. When a paragraph is joined to another its notes move along: `snippetsMoved`.",
        ],
        [
          "Markdown drops every mention of the chapter; `?mentions=keep` keeps those on paragraphs whose text did not change. `mentionsDropped` lists them.",
          "Each has a `reason`.",
        ],
        [
          "A native `doc` with its ids intact preserves the most: an id is kept whatever its text became, and marks stay on paragraphs whose text did not change.",
          'New marks with a `factId` of the same book are taken on paragraphs whose text is new or unchanged. On a paragraph whose text changed the mentions are dropped, unless the body says `"mentions": "keep"`: then a mark stays, with its id and wherever it went, if the words that it covers are as they were, and new marks are taken there, too.',
        ],
        [
          "`PATCH /chapters/{chapterId}/paragraphs/{blockId}` changes exactly one paragraph, at any depth. The body is its Markdown, bare or as JSON `{markdown}`, or its `{node}` as `format=doc` gives it. The paragraph keeps its `blockId` and marginalia; its own mentions are dropped when its text changes. A blank body, or Markdown that makes two paragraphs, is 400.",
          "An unknown `blockId` is 404. The body is read as the block's own type, so plain text on a heading keeps its level. Any text for a scene break or raw block is 400. A `node` is written as the whole document with it would be: its `blockId` is the path's or left out, marks stay where the text did not change, and what differs in letters alone keeps every other byte.",
        ],
        [
          "`POST /chapters/{chapterId}/paragraphs` with `{after, markdown}` puts one or more behind a paragraph, or at the start where `after` is null. `DELETE /chapters/{chapterId}/paragraphs/{blockId}` takes one out.",
          "Both at any depth: list entries behind an entry go into its list.",
        ],
        [
          "To leave it to the writer, `POST /chapters/{chapterId}/proposals` with `{revision, reason?, edits: [{op, blockId, markdown?}]}`, `op` one of `replace`, `insert_after`, `delete`: the prose changes when it is accepted.",
          "`GET /proposals/{proposalId}` shows each edit word by word, whether it still fits, and what accepting it costs. A key made with `--allow read,propose` can do nothing else.",
        ],
        [
          "To anchor mentions again, `POST /books/{bookId}/mentions/reanchor` puts back what is exactly a name or an alias, free of charge.",
          "`POST /chapters/{chapterId}/detect` spends credits and only proposes. Write what you accept by `POST /chapters/{chapterId}/proposals`, or each by itself: a `mention` by `POST /chapters/{chapterId}/mentions` with the answer's `revision`, a `new_fact` by `POST /books/{bookId}/facts`, a `new_alias` by `PATCH /facts/{factId}` with the whole list of aliases.",
        ],
        [
          "Where a chapter's title is the text of its first heading, the two stay equal: a write that edits the heading gives the chapter that title (`titleChanged`), and a new title is written into the heading.",
          "`PATCH /chapters/{chapterId}` says so (`headingChanged`). A heading that is taken out leaves the title; a title of its own is never touched.",
        ],
        [
          "",
          "`changed: false` means that all was as stored and there is no new revision. Markdown of identical bytes changes nothing but the mentions that it drops.",
        ],
        ["", "`Prefer: return=minimal` gives the lengths of the lists instead of the lists."],
        [
          "",
          "`wordCount` is that of the whole chapter. `can't`, `well-known` and `3,000.50` are one word each; each Chinese or Japanese character is one; scene breaks, comments (`%%…%%`, too), raw HTML, `{attributes}`, shortcodes, the lines of a `:::` div and what `[[target|shown]]` does not show count none, and `format=text` leaves them out.",
        ],
      ],
    },
    { full: "`status` of a block in `blocks`:" },
    { full: { terms: terms(STATUS_MEANING) } },
    { full: "`reason` of a dropped mention:" },
    { full: { terms: terms(REASON_MEANING) } },
    {
      full: "`warnings` are strings that begin with one of these codes and a colon, such as `duplicate_id: b_1 became b_9`:",
    },
    { full: { terms: terms(WARNINGS) } },
  ],
  sections: [
    {
      id: "history",
      title: "History and undo",
      blocks: [
        "A chapter's `revision` goes up by one at every change of its prose and is never used twice.",
        {
          full: "`GET /chapters/{chapterId}?revision=N` reads an old one, `POST /chapters/{chapterId}/restore` makes it the newest.",
        },
        {
          full: "`GET /chapters/{chapterId}/revisions` lists them. `GET /acts` is the change feed: every write with the ids that it touched. `POST /acts/{act}/undo` puts back what one act changed, later edits elsewhere untouched, or answers 409 `conflict` with `standing`, the rows that stand in the way. An undo is an act too.",
        },
      ],
    },
  ],
};

/** Every node of a native document; a test compares names and attributes with the schema of the prose. */
const NODES: readonly (readonly [name: string, attributes: string, holds: string])[] = [
  ["doc", "", "blocks"],
  ["paragraph", "blockId", "inline nodes"],
  ["heading", "blockId, level = 1 (1 to 6)", "inline nodes"],
  ["blockquote", "", "blocks"],
  ["bullet_list", 'bullet = "-" (or "*" or "+"), tight = true', "list_item nodes"],
  ["ordered_list", 'order = 1, delim = "." (or ")"), tight = true', "list_item nodes"],
  ["list_item", "", "blocks"],
  ["footnote", "label", "blocks"],
  ["code_block", 'blockId, params = "", fence = three backticks', "text"],
  ["raw_block", 'blockId, kind = "html" (or "table" or "front_matter")', "text, verbatim"],
  ["scene_break", 'blockId, markup = "***"', "nothing"],
  ["text", "", "inline: its characters are in the key text; a soft line break is \\n"],
  ["hard_break", "", "inline, nothing"],
  ["image", "src, alt = null, title = null", "inline, nothing"],
  ["footnote_ref", "label", "inline, nothing"],
  ["raw_inline", "text (one HTML tag or comment)", "inline, nothing"],
];

const MARKS: readonly (readonly [name: string, attributes: string])[] = [
  ["link", "href, title = null"],
  ["em", ""],
  ["strong", ""],
  ["strike", ""],
  ["code", ""],
  ["mention", "mentionId = null, factId"],
];

/** The forms of a chapter and the native document. */
export const NATIVE: Draft = {
  id: "document",
  title: "The forms of a chapter",
  blocks: [
    "`GET /chapters/{chapterId}` gives plain text; `format=markdown` the Markdown, byte for byte as it came until somebody edits it (bare with `Accept: text/markdown`); `format=blocks` each paragraph's `blockId` and Markdown; `format=doc` the native document.",
    {
      full: {
        terms: terms({
          text: "plain text, the default: blocks with a blank line between them, list entries and quotes as plain lines, a scene break as `* * *`.",
          "format=markdown":
            "the Markdown, byte for byte as it came until somebody edits it. `Accept: text/markdown` without a `format` answers it bare. YAML front matter of an imported file is not part of it.",
          "format=doc": "the native document, with a `blockId` on every paragraph.",
          "format=blocks":
            "`blocks`, every paragraph in order as `{blockId, type, markdown}`; sent back by `PATCH /chapters/{chapterId}/paragraphs/{blockId}` unchanged, such Markdown changes nothing.",
        }),
      },
    },
    "The native document is a ProseMirror document with the names of prosemirror-markdown's schema. A node is `{type, attrs?, content?, marks?, text?}`, a mark `{type, attrs?}`. `PUT /chapters/{chapterId}/prose` takes back unchanged what `format=doc` gave.",
    { full: { code: layOut(DOCUMENT) } },
    {
      list: [
        [
          "Every paragraph, heading, code block, raw block and scene break has `attrs.blockId`, at any depth. Send null, or leave it out, for a new one: it is matched by its text or gets a new id.",
          "An id that this chapter once had comes back, and its marginalia with it.",
        ],
        'A mention is a mark on text, `{type: "mention", attrs: {mentionId, factId}}`. Send null as `mentionId`, or leave it out, for a new one.',
        [
          "",
          "Attributes that have a default may be left out. An unknown node, mark or attribute is 400; `details` has its path, such as `/doc/content/0/type`.",
        ],
      ],
    },
    {
      full: {
        head: ["Node", "Attributes and their defaults", "Holds"],
        rows: NODES.map(([name, attributes, holds]) => [codes([name]), attributes, holds]),
      },
    },
    {
      full: {
        head: ["Mark", "Attributes and their defaults"],
        rows: MARKS.map(([name, attributes]) => [codes([name]), attributes]),
      },
    },
  ],
};
