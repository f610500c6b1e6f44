import fc from "fast-check";
import type { DocMark, DocNode } from "../../src/prose/document/types.ts";

const WORDS = [
  "night",
  "he said",
  "Ahab",
  "a",
  "été",
  "漢字",
  "ไทย",
  "🐋",
  "—",
  "…",
  "“So”",
  "3,000.50",
  "\u00a0",
];
const SOUP = [
  ..."\\`*_{}[]()#+-.!<>&|~^:;='\"$%@/?,",
  " ",
  "  ",
  "\n",
  "\t",
  "1.",
  "2)",
  "1914. ",
  "---",
  "***",
  "===",
  "~~~",
  "```",
  "&amp;",
  "&#32;",
  "&nbsp;",
  "<b>",
  "<!--",
  "-->",
  "[^1]",
  "[x]: y",
  "](",
  "[[w]]",
  "%%",
  "http://a.b",
  "- ",
  "> ",
  "# ",
];

/** A character as the unit "binary" has them, which takes a second to make a table of them all. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((place) => String.fromCodePoint(place < 0xd800 ? place : place + 0x800));

const piece = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...WORDS) }, fc.constantFrom(...SOUP));

// Punctuation soup between words: what Markdown could take for something else. Never empty.
const soup: fc.Arbitrary<string> = fc
  .array(piece, { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(""));

const url = fc.constantFrom(
  "",
  "a",
  "https://a.example/b?c=1&d=2",
  "my file.md",
  "a(b)c",
  "x&amp;y",
  "<>",
  "mailto:a@b.c",
  "#x",
  "ü\\*",
);
const title = fc.option(fc.constantFrom('say "so"', "a\nb", "\\", "&lt;"), { nil: null });

const markSet: fc.Arbitrary<DocMark[]> = fc
  .record({
    link: fc.option(fc.record({ href: url, title }), { nil: undefined, freq: 6 }),
    names: fc.subarray(["em", "strong", "strike"]),
    plain: fc.boolean(),
  })
  .map(({ link, names, plain }) => {
    const marks: DocMark[] = link ? [{ type: "link", attrs: link }] : [];
    return plain ? [] : [...marks, ...names.map((type) => ({ type }))];
  });

const label = fc.constantFrom("1", "note-a", "*", "ü");
const atom: fc.Arbitrary<DocNode> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<DocNode>({ type: "hard_break" }) },
  label.map((name): DocNode => ({ type: "footnote_ref", attrs: { label: name } })),
  fc
    .record({ src: url, alt: fc.option(soup, { nil: null }), title })
    .map((attrs): DocNode => ({ type: "image", attrs })),
  fc
    .constantFrom("<b>", "</b>", '<i class="x*y">', "<!-- a\nb -->", "[](x)", "<div>", "<?php a ?>")
    .map((text): DocNode => ({ type: "raw_inline", attrs: { text } })),
);

const inlineNode: fc.Arbitrary<DocNode> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(soup, markSet)
      .map(([text, marks]): DocNode => withMarks({ type: "text", text }, marks)),
  },
  fc
    .tuple(soup, markSet)
    .map(
      ([text, marks]): DocNode =>
        withMarks({ type: "text", text: text.replaceAll("\n", " ") }, [...marks, { type: "code" }]),
    ),
  { weight: 2, arbitrary: fc.tuple(atom, markSet).map(([node, marks]) => withMarks(node, marks)) },
);

function withMarks(node: DocNode, marks: DocMark[]): DocNode {
  return marks.length > 0 ? { ...node, marks } : node;
}

// Inline content: text, code, breaks, images, tags and references under any marks.
const inlineContent: fc.Arbitrary<DocNode[]> = fc.array(inlineNode, { maxLength: 5 });

const id = { blockId: null };
const verbatim = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));

const leaf: fc.Arbitrary<DocNode> = fc.oneof(
  {
    weight: 6,
    arbitrary: inlineContent.map((content): DocNode => ({ type: "paragraph", attrs: id, content })),
  },
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), inlineContent)
    .map(([level, content]): DocNode => ({ type: "heading", attrs: { ...id, level }, content })),
  fc.tuple(fc.constantFrom("", "js", "a `b` c", "~x", "&amp;"), fc.constantFrom("```", "~~~~"), verbatim).map(
    ([params, fence, text]): DocNode => ({
      type: "code_block",
      attrs: { ...id, params, fence },
      content: text === "" ? [] : [{ type: "text", text }],
    }),
  ),
  fc
    .constantFrom(
      ["html", "<!-- a\n\nb -->"],
      ["html", "<div>\n*x*\n</div>"],
      ["table", "| a | b |\n|---|:-:|\n| 1 | 2 |"],
    )
    .map(
      ([kind, text]): DocNode => ({
        type: "raw_block",
        attrs: { ...id, kind },
        content: [{ type: "text", text: text as string }],
      }),
    ),
  fc
    .constantFrom("***", "* * *", "---", "- - -", "___")
    .map((markup): DocNode => ({ type: "scene_break", attrs: { ...id, markup } })),
);

const year = fc.constantFrom(undefined, 1000, 1914, 1915, 9999, 7, 123_456);
// Paragraphs that begin with years, for Markdown a list; some entries with no number of their own.
const years: fc.Arbitrary<DocNode> = fc
  .record({
    order: fc.constantFrom(1, 1914, 9999),
    delim: fc.constantFrom(".", ")"),
    tight: fc.boolean(),
    entries: fc.array(fc.tuple(year, inlineContent), { minLength: 1, maxLength: 3 }),
  })
  .map(
    ({ entries, ...attrs }): DocNode => ({
      type: "ordered_list",
      attrs,
      content: entries.map(([value, content]) => ({
        type: "list_item",
        ...(value !== undefined && { attrs: { value } }),
        content: [{ type: "paragraph", attrs: id, content }],
      })),
    }),
  );

const { block } = fc.letrec<{ block: DocNode; blocks: DocNode[]; entry: DocNode }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: leaf },
    tie("blocks").map((content): DocNode => ({ type: "blockquote", content })),
    fc
      .tuple(
        fc.constantFrom("-", "*", "+"),
        fc.boolean(),
        fc.array(tie("entry"), { minLength: 1, maxLength: 3 }),
      )
      .map(
        ([bullet, tight, content]): DocNode => ({ type: "bullet_list", attrs: { bullet, tight }, content }),
      ),
    fc
      .tuple(
        fc.constantFrom(1, 0, 7, 98, 999_999_999),
        fc.constantFrom(".", ")"),
        fc.boolean(),
        fc.array(tie("entry"), { minLength: 1, maxLength: 3 }),
      )
      .map(
        ([order, delim, tight, content]): DocNode => ({
          type: "ordered_list",
          attrs: { order, delim, tight },
          content,
        }),
      ),
    years,
    fc
      .tuple(label, tie("blocks"))
      .map(([name, content]): DocNode => ({ type: "footnote", attrs: { label: name }, content })),
  ),
  blocks: fc.array(tie("block"), { minLength: 1, maxLength: 3 }),
  entry: tie("blocks").map((content): DocNode => ({ type: "list_item", content })),
}));

/** A whole native document of any blocks the schema knows, as a client may send it. */
export const nativeDoc: fc.Arbitrary<DocNode> = fc
  .array(block, { maxLength: 5 })
  .map((content): DocNode => ({ type: "doc", content }));

/** A native document of paragraphs of punctuation soup. */
export const plainDoc: fc.Arbitrary<DocNode> = fc
  .array(soup, { minLength: 1, maxLength: 3 })
  .map((texts) => ({
    type: "doc",
    content: texts.map(
      (text): DocNode => ({ type: "paragraph", attrs: id, content: [{ type: "text", text }] }),
    ),
  }));

const letters = fc
  .array(fc.constantFrom(...'a b*_~`[]()!<>&\\.\n1-é—"\u00a0^:|#\t', "🐋"), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(""));
const anyCharacters = fc
  .string({ unit: anyCharacter, minLength: 1, maxLength: 3 })
  .filter((text) => !/[\u0000-\u0008\u000b-\u001f\u007f]|\p{Surrogate}/u.test(text));
const anyMarks = fc.subarray<DocMark>([
  { type: "link", attrs: { href: "x", title: null } },
  { type: "em" },
  { type: "strong" },
  { type: "strike" },
]);
const denseNode: fc.Arbitrary<DocNode> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.oneof({ weight: 5, arbitrary: letters }, anyCharacters), anyMarks)
      .map(([text, marks]): DocNode => withMarks({ type: "text", text }, marks)),
  },
  fc
    .tuple(letters, anyMarks)
    .map(
      ([text, marks]): DocNode =>
        withMarks({ type: "text", text: text.replaceAll("\n", " ") }, [...marks, { type: "code" }]),
    ),
  fc.tuple(atom, anyMarks).map(([node, marks]) => withMarks(node, marks)),
);

/** One paragraph or heading of short texts whose marks start and end at every letter. */
export const denseDoc: fc.Arbitrary<DocNode> = fc
  .tuple(fc.integer({ min: 0, max: 6 }), fc.array(denseNode, { minLength: 1, maxLength: 7 }))
  .map(([level, content]): DocNode => {
    const leafNode: DocNode =
      level === 0 ? { type: "paragraph", content } : { type: "heading", attrs: { level }, content };
    return { type: "doc", content: [leafNode] };
  });

const BLOCKS = [
  ...[
    "\n\n",
    "\n\n",
    "\n",
    "\n> ",
    "> ",
    "- ",
    "* ",
    "1. ",
    "2) ",
    "  ",
    "    ",
    "\t",
    "---\n",
    "***\n",
    "===\n",
    "```\n",
  ],
  ...[
    "~~~",
    "| a | b |\n|---|---|\n",
    "[^1]: ",
    "[^1]",
    "[x]: y\n",
    "[x]",
    "<!--",
    "-->",
    "<b>",
    "<div>",
    "<br>",
    "&nbsp;",
  ],
  ...[
    "&#10;",
    "&NoBreak;",
    "**",
    "~~",
    "](",
    "![",
    "word",
    "said",
    "<http://a.b>",
    "\r\n",
    "\r",
    "title: x\n",
  ],
];

/** Markdown of all kinds, most of it broken: what a file may hold. */
export const anyMarkdown: fc.Arbitrary<string> = fc.oneof(
  fc
    .array(fc.constantFrom(...BLOCKS, ..."\\`*_{}[]()#+-.!<>&|~^:;='\" \n\ta1é🐋\u00a0"), { maxLength: 40 })
    .map((parts) => parts.join("")),
  fc
    .array(fc.constantFrom(..."*_~`[]()<>!\\& \n.aé—", "**", "~~", "<b>", "](x)", "[^1]", "\\\n"), {
      maxLength: 25,
    })
    .map((parts) => parts.join("")),
  fc.string({ unit: "grapheme", maxLength: 40 }),
);
