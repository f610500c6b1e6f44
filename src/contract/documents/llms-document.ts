import { DOCUMENT } from "./example.ts";
import { codes, layOut, type Section } from "./llms-text.ts";

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
export const NATIVE: Section = {
  id: "document",
  title: "The forms of a chapter",
  blocks: [
    "`GET /chapters/{chapterId}` gives a chapter in one of three forms:",
    {
      terms: [
        {
          names: ["text"],
          text: "plain text, the default: blocks with a blank line between them, list entries and quotes as plain lines, a scene break as `* * *`.",
        },
        {
          names: ["format=markdown"],
          text: "the Markdown, byte for byte as it came as long as nobody edited it. `Accept: text/markdown` without a `format` answers it bare. YAML front matter of an imported file is not part of it.",
        },
        { names: ["format=doc"], text: "the native document, with a `blockId` on every paragraph." },
      ],
    },
    "The native document is a ProseMirror document with the names of prosemirror-markdown's schema. A node is `{type, attrs?, content?, marks?, text?}`, a mark `{type, attrs?}`. `PUT /chapters/{chapterId}/prose` takes back unchanged what `format=doc` gave. An example:",
    { code: layOut(DOCUMENT) },
    {
      list: [
        "Every paragraph, heading, code block, raw block and scene break has `attrs.blockId`, at any depth. Send null, or leave it out, for a new one: it is matched by its text or gets a new id. An id that this chapter once had comes back, and its marginalia with it.",
        'A mention is a mark on text, `{type: "mention", attrs: {mentionId, factId}}`. Send null as `mentionId`, or leave it out, for a new one.',
        "Attributes that have a default may be left out. An unknown node, mark or attribute is 400; `details` has its path, such as `/doc/content/0/type`.",
      ],
    },
    {
      head: ["Node", "Attributes and their defaults", "Holds"],
      rows: NODES.map(([name, attributes, holds]) => [codes([name]), attributes, holds]),
    },
    {
      head: ["Mark", "Attributes and their defaults"],
      rows: MARKS.map(([name, attributes]) => [codes([name]), attributes]),
    },
  ],
};
