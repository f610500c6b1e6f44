import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMITS } from "../../src/contract/limits.ts";
import { hasDefinitions } from "../../src/prose/definitions.ts";
import { CHAPTER_ROOM } from "../../src/prose/document/room.ts";
import { joinMarkdown } from "../../src/prose/join-chapter.ts";
import { tokenizer } from "../../src/prose/markdown/parser.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { BadRequest, PayloadTooLarge } from "../../src/refusals.ts";
import { code, em, footnote, h, hr, li, link, loose, p, quote, raw, ref, tag, ul } from "../build.ts";
import { parse } from "./rewrite.ts";

const TRICKY: [string, string][] = [
  ["nothing", ""],
  ["blank lines only", " \n\n\t\n"],
  ["no final line end", "One.\n\nTwo."],
  ["blank lines at both ends", "\n\n\nOne.\n\n\n\nTwo.\n\n\n"],
  ["a byte order mark", "\ufeffOne.\n"],
  ["Windows line ends", "\ufeff# One\r\n\r\nTwo\r\nlines.\r\n"],
  ["mixed line ends", "One\r\nstill one.\n\r\nTwo.\rThree\n"],
  ["a lone carriage return", "\r"],
  ["trailing blanks", "One.  \n\nTwo.\t\n   \nThree. "],
  [
    "reference definitions",
    "[a]: /x\n[a] and [b]\n\n[b]: <y z> 'title\nover lines'\n\nEnd.\n[c]: no definition\n",
  ],
  ["footnotes", "See[^1].\n\n[^1]: The note.\n\n    Its second paragraph.\n[^2]: Another.\n"],
  ["front matter", "---\ntitle: x\n# a comment\nlist:\n  - a\n---\n\nOnce.\n"],
  ["a table in a quote", "> | a | b |\n> |---|---|\n> | 1 | 2 |\n>\n> after\n"],
  ["HTML", "<div>\n\n*in*\n\n</div>\n\n<!-- a\n\nb -->\n"],
  ["a comment that nobody closed", "One.\n\n<!-- open\n\nTwo.\n\n\n"],
  ["a fence that nobody closed", "- ```\n  code\n\n\n"],
  ["lists with blank lines within and behind", "- a\n\n\n- b\n  - c\n\n\n\n1. d\n\n\n"],
  ["tabs", "\tIndented first line.\n\n-\tone\n\n\t\ttwo\n"],
];

for (const [name, markdown] of TRICKY) {
  test(`joinMarkdown › gives back ${name}`, () => {
    const chapter = parseMarkdown(markdown);
    assert.equal(joinMarkdown(chapter), markdown);
    assert.ok(chapter.blocks.every(({ source }) => !/^\n|\n$/.test(source)));
  });
}

test("parseMarkdown › keeps plain line ends inside a chapter of Windows line ends", () => {
  const { eol, blocks } = parseMarkdown("One\r\nmore.\r\n\r\nTwo.\r\n");
  assert.equal(eol, "crlf");
  assert.deepEqual(
    blocks.map(({ source, gap }) => [source, gap]),
    [
      ["One\nmore.", "\n\n"],
      ["Two.", "\n"],
    ],
  );
});

test("parseMarkdown › keeps reference definitions in the head and the gaps, where hasDefinitions finds them", () => {
  const { head, blocks } = parseMarkdown("[a]: /x\n\n[a]\n\n[b]: /y\n\n[b]");
  assert.deepEqual([head, ...blocks.map(({ gap }) => gap)], ["[a]: /x\n\n", "\n\n[b]: /y\n\n", ""]);
  assert.deepEqual(
    blocks.map(({ node }) => node),
    [p(link("/x", "a")), p(link("/y", "b"))],
  );
  assert.ok(hasDefinitions(head) && !hasDefinitions("\n\n"));
});

test("parseMarkdown › reads references by definitions from elsewhere", () => {
  assert.deepEqual(parseMarkdown("[a]", "[a]: /x").blocks[0]?.node, p(link("/x", "a")));
  assert.deepEqual(parseMarkdown("[a]").blocks[0]?.node, p("[a]"));
});

const READINGS: [string, string, unknown][] = [
  [
    "keeps a hard-wrapped paragraph as one block with its line ends",
    "One\ntwo\nthree",
    [p("One\ntwo\nthree")],
  ],
  ["reads an indented first line as a paragraph", "\tOnce upon", [p("Once upon")]],
  ["reads emphasis within emphasis as one", "*He said *never* again*", [p(em("He said never again"))]],
  ["reads a lone &nbsp; as an empty paragraph", "&nbsp;", [p()]],
  ["keeps a scene break's own markup", "* * *", [hr("* * *")]],
  [
    "keeps a table verbatim, without the prefix of its quote",
    "> a | b\n> ---|---",
    [quote(raw("table", "a | b\n---|---"))],
  ],
  ["reads YAML on line 0 as front matter", "---\na: b\n---", [raw("front_matter", "---\na: b\n---")]],
  [
    "reads prose between two scene breaks as prose",
    "---\nHe left.\n\n---",
    [hr("---"), p("He left."), hr("---")],
  ],
  ["reads a footnote's indented paragraphs as its own", "[^a]: x\n\n    y", [footnote("a", p("x"), p("y"))]],
  ["reads a list in a footnote", "[^a]: - x\n    - y", [footnote("a", ul(li("x"), li("y")))]],
  ["reads a footnote reference with or without a definition", "x[^a]", [p("x", ref("a"))]],
  [
    "reads a tag as it stands and <br> as a break",
    "<b>x<br/>y",
    [p(tag("<b>"), "x", { type: "hard_break" }, "y")],
  ],
  ["keeps a comment behind text", "x <!-- y -->", [p("x ", tag("<!-- y -->"))]],
  ["keeps code verbatim", "```js x\n a\n\n```", [code("js x", " a\n")]],
  [
    "takes an image's text from all of it",
    "![a *b* `c`](d)",
    [p({ type: "image", attrs: { src: "d", alt: "a b c", title: null } })],
  ],
  ["keeps a heading over several lines", "a\\\nb\n===", [h(1, "a", { type: "hard_break" }, "b")]],
  ["reads a quote over a scene break, whatever it ends in", "> a|\n---", [quote(p("a|")), hr("---")]],
  [
    "reads one list where an empty entry and blank lines part it",
    "- a\n-\n\n\n- b",
    [loose(ul(li("a"), li(p()), li("b")))],
  ],
  [
    "reads a noncharacter's entity as itself, a control character's as text",
    "&#65534;&#13;",
    [p("\ufffe&#13;")],
  ],
  ["reads &NoBreak; before a tag as the start of a paragraph", "&NoBreak;<b>", [p(tag("<b>"))]],
  ["keeps a javascript: link as text", "[a](javascript:x)", [p("[a](javascript:x)")]],
  [
    "keeps a javascript: link as text however it is hidden",
    "[a](java&#10;script:x)",
    [p("[a](java\nscript:x)")],
  ],
];

for (const [promise, markdown, blocks] of READINGS) {
  test(`parseMarkdown › ${promise}`, () => assert.deepEqual(parse(markdown), blocks));
}

for (const [name, markdown, message] of [
  ["NUL", "One\ntwo\u0000", /U\+0000 in line 2/],
  ["a form feed", "\f", /U\+000C/],
  [
    "several control characters",
    "a\u0008\n\nb\u0000\u0008",
    /characters: U\+0008 in lines 1 and 3, U\+0000 in line 3; remove them/,
  ],
  ["half a surrogate pair", "a\ud83d", /surrogate.*line 1/],
  ["containers nested too deep", `${"> ".repeat(LIMITS.depth + 1)}x`, /100 levels/],
  [
    "lists nested too deep",
    Array.from({ length: 60 }, (_, at) => `${"  ".repeat(at)}- a`).join("\n"),
    /100 levels/,
  ],
] as [string, string, RegExp][]) {
  test(`parseMarkdown › refuses ${name}`, () => {
    assert.throws(
      () => parseMarkdown(markdown),
      (error) => error instanceof BadRequest && message.test(error.message),
    );
  });
}

test("parseMarkdown › takes containers nested up to the cap", () => {
  const markdown = `${"> ".repeat(LIMITS.depth)}x`;
  assert.equal(joinMarkdown(parseMarkdown(markdown)), markdown);
});

test("parseMarkdown › makes no more links of one long definition than a chapter takes", (t) => {
  const push = t.mock.method(tokenizer.inline.State.prototype, "push");
  const most = CHAPTER_ROOM.characters / 100_000;
  for (const use of ["[r] ", "![r] ", "*[r]* "]) {
    push.mock.resetCalls();
    const text = `[r]: /${"u".repeat(100_000)}\n\n${use.repeat(10 * most)}`;
    assert.throws(() => parseMarkdown(text, "", CHAPTER_ROOM), PayloadTooLarge);
    assert.ok(push.mock.callCount() < 10 * most, `${push.mock.callCount()} tokens`);
  }
});
