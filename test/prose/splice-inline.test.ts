import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TextEdit } from "../../src/prose/document/text-edit.ts";
import { parseMarkdown } from "../../src/prose/markdown/parse-chapter.ts";
import { spliceInline } from "../../src/prose/plan/splice-inline.ts";

/** The ways to spell what the second says that touch only what changed in the first. */
function ways(
  before: string,
  after: string,
  { definitions = "", edits }: { definitions?: string; edits?: readonly TextEdit[] } = {},
): string[] {
  const [old, next] = [before, after].map((text) => parseMarkdown(text, definitions).blocks[0]!.node); // one paragraph
  return [...new Set(spliceInline(before, { old: old!, next: next!, ...(edits && { edits }) }, definitions))]; // two are given
}

// The first way that reads right is taken: the others are for what it would not say.
describe("spliceInline", () => {
  const cases: [promise: string, before: string, after: string, ways: string[], definitions?: string][] = [
    ["a word for a word", "so \\$5 two", "so \\$5 three", ["so \\$5 three"]],
    ["the end of a mark, which may be written anew", "_a_ b", "_a c_ b", ["_a c_ b", "*a c* b"]],
    ["a mark beside a mark", "_a_ b", "_a_ *c* b", ["_a_ *c* b", "_a_ _c_ b"]],
    ["the beginning of a mark gone", "a *b c* d", "a *c* d", ["a *c* d", "a _c_ d"]],
    ["a mark gone", "a *b c* d", "a d", ["a d"]],
    ["a mark's words for others without it", "x **a** y", "x z y", ["x z y"]],
    ["… for those of another mark", "x **a** y", "x *z* y", ["x *z* y", "x _z_ y"]],
    ["two marks gone with what is between", "x **a** _b_ y", "x z y", ["x z y"]],
    ["words in each of two marks", "*a b* c *d e*", "*x* c *y*", ["*x* c *y*", "_x_ c _y_"]],
    ["words across two marks, one stays", "*a b* c *d e*", "*a x* *d e*", ["*a x* *d e*", "_a x_ *d e*"]],
    ["two marks become one", "a *b* c *d*", "a *b c d*", ["a *b c d*", "a _b c d_"]],
    [
      "words in a mark within a mark",
      "**a _b c_ d** e",
      "**a _b x_ d** e",
      ["**a _b x_ d** e", "**a *b x* d** e"],
    ],
    ["the inner mark gone", "**a _b c_ d** e", "**a d** e", ["**a d** e"]],
    ["a mark behind a mark, nothing between", "*a***b**", "*a*c**b**", ["*a*c**b**", "_a_&#99;**b**"]],
    ["a letter behind a mark", "*a*b", "*a*cb", ["*a*cb", "_a_&#99;b"]],
    ["words at the end behind a mark", "*a*", "*a* b", ["*a* b", "_a_ b"]],
    ["words at the start before a mark", "*a*", "b *a*", ["b *a*", "b _a_"]],
    ["all of it", "*a*", "b", ["b"]],
    ["a line end", "a **b** c", "a **b**\nc", ["a **b**\nc", "a **b**&#10;c"]],
    ["a line end gone", "a\nb", "a b", ["a b"]],
    ["words behind a break", "a  \nb", "a  \nb c", ["a  \nb c"]],
    ["words beside a break with a tag, and a blank line end", "a<br>\nb", "a<br>\nb c", ["a<br>\nb c"]],
    ["a break of a tag that is guarded", "&NoBreak;<br>b", "&NoBreak;<br>b c", ["&NoBreak;<br>b c"]],
    ["a joiner that guards nothing", "a&NoBreak;b", "a&NoBreak;b c", ["a&NoBreak;b c"]],
    [
      "signs that mean something, as letters and spelt out",
      "a b",
      "a \\*c\\* \\_d \\[e] \\`f \\<g \\~h \\\\i b",
      [
        "a *c* _d [e] `f <g ~h \\i b",
        "a \\*c\\* \\_d \\[e\\] \\`f \\<g \\~h \\\\i b",
        "a \\*c\\* \\_d [e] `f \\<g ~h \\i b",
        "a \\*c\\* \\_d \\[e\\] \\`f \\<g \\~h \\i b",
      ],
    ],
    [
      "what could be an entity",
      "a b",
      "a \\&c; \\&#1; & &- b",
      ["a &c; &#1; & &- b", "a \\&c; \\&#1; & &- b", "a &c; \\&#1; & &- b"],
    ],
    ["words in code", "`a b` c", "`a x` c", ["`a x` c"]],
    ["code gone", "a `x` b", "a b", ["a b"]],
    ["words behind an entity", "a &amp; b", "a &amp; so b", ["a &amp; so b"]],
    ["an entity gone", "a &copy; b", "a b", ["a b"]],
    ["a picture gone", "a![x](y) b", "a b", ["a b"]],
    ["a picture new", "a b", "a ![x](y) b", ["a ![x](y) b"]],
    ["another picture", "a ![x](y) b", "a ![x](z) b", ["a ![x](z) b"]],
    ["words beside a footnote's number", "a[^1] b", "a[^1] c b", ["a[^1] c b"]],
    ["words in a link", "[a b](x) c", "[a so b](x) c", ["[a so b](x) c"]],
    ["words behind a link", "[b](x)", "[b](x) c", ["[b](x) c"]],
    ["words that come to be their address", "[a](x) c", "[x](x) c", ["[x](x) c"]],
    ["another address", "[a b](x) c", "[a b](y) c", ["[a b](y) c"]],
    ["words with a mark in a link", "[a b](x) c", "[a *so* b](x) c", ["[a *so* b](x) c", "[a _so_ b](x) c"]],
    [
      "an address that was its own text",
      "<https://a.b> c",
      "[x](https://a.b) c",
      ["<x> c", "[x](https://a.b) c"],
    ],
    ["a label that its words leave", "[b] x", "[c](/y) x", ["[c][b] x", "[c](/y) x"], "[b]: /y"],
    ["… with two brackets", "[b][] x", "[c](/y) x", ["[c][b] x", "[c](/y) x"], "[b]: /y"],
    ["… that was said", "[b][b] x", "[c](/y) x", ["[c][b] x", "[c](/y) x"], "[b]: /y"],
    [
      "… where another with it stays",
      "[b] x [b]",
      "[c](/y) x [b](/y)",
      ["[c][b] x [b]", "[c](/y) x [b]"],
      "[b]: /y",
    ],
    [
      "… with a mark in it",
      "[b *c*] x",
      "[b *d*](/y) x",
      ["[b *d*][b *c*] x", "[b *d*](/y) x", "[b _d_](/y) x"],
      "[b *c*]: /y",
    ],
    ["a label that its words come to", "[c][b] x", "[b](/y) x", ["[b] x", "[b](/y) x"], "[b]: /y"],
    ["a label that stays", "[c][b] x", "[d](/y) x", ["[d][b] x", "[d](/y) x"], "[b]: /y"],
    ["words before a link with a label", "x [b]", "y [b](/y)", ["y [b]"], "[b]: /y"],
    ["a picture of the same half", "\u{1f600}x\u{1f601}", "\u{1f602}x\u{1f601}", ["\u{1f602}x\u{1f601}"]],
    ["one picture more", "a \u{1f600}", "a \u{1f600}\u{1f600}", ["a \u{1f600}\u{1f600}"]],
    ["words that change places", "a b c d", "a c b d", ["a c b d"]],
    ["a word that is there twice", "a b a c", "a b c a", ["a b c a"]],
    ["the first word gone and a last one new", "one two three", "two three four", ["two three four"]],
    ["nothing", "a *b*", "a *b*", ["a *b*"]],
    ["a blank at the end, spelt out", "a *b*", "a *b*&#32;", ["a *b* ", "a *b*&#32;", "a _b_&#32;"]],
    ["a blank at the start, spelt out", "a", "&#32;b a", [" b a", "&#32;b a"]],
    ["blanks for a word", "a b c", "a  c", ["a  c"]],
  ];
  for (const [promise, before, after, expected, definitions] of cases)
    it(promise, () =>
      assert.deepEqual(ways(before, after, definitions === undefined ? {} : { definitions }), expected),
    );

  const edited: [promise: string, before: string, after: string, edits: TextEdit[], ways: string[]][] = [
    [
      "the first of three that are the same",
      "s&#111; so *so*",
      "so *so*",
      [{ from: 0, to: 3, insert: "" }],
      ["so *so*"],
    ],
    [
      "… the second",
      "s&#111; so *so*",
      "so *so*",
      [{ from: 3, to: 6, insert: "" }],
      ["s&#111; *so*", "s&#111; _so_"],
    ],
    [
      "… between the blanks",
      "s&#111; so *so*",
      "so *so*",
      [{ from: 2, to: 5, insert: "" }],
      ["s&#111; *so*"],
    ],
    [
      "two, the second where the first has moved it to",
      "abcd",
      "XXbYd",
      [
        { from: 0, to: 1, insert: "XX" },
        { from: 2, to: 3, insert: "Y" },
      ],
      ["XXbYd"],
    ],
    [
      "two that take out more than they put in",
      "abcdef",
      "bYf",
      [
        { from: 0, to: 1, insert: "" },
        { from: 2, to: 5, insert: "Y" },
      ],
      ["bYf"],
    ],
    [
      "all letters one by one",
      "a*b*",
      "x*y*",
      [
        { from: 0, to: 1, insert: "x" },
        { from: 1, to: 2, insert: "y" },
      ],
      ["x*y*", "&#120;_y_"],
    ],
    [
      "letters beside a picture",
      "a![x](y)b c",
      "a![x](y)d c",
      [{ from: 1, to: 2, insert: "d" }],
      ["a![x](y)d c"],
    ],
    [
      "letters on both sides of a picture, which cannot be followed",
      "a![x](y)b c",
      "d![x](y)b c",
      [{ from: 0, to: 2, insert: "db" }],
      ["d![x](y)b c"],
    ],
    ["beyond the end, which cannot be followed", "so *so*", "so", [{ from: 2, to: 9, insert: "" }], ["so"]],
    ["no letters, which cannot be followed", "ab", "aXb", [{ from: 1, to: 1, insert: "X" }], ["aXb"]],
  ];
  for (const [promise, before, after, edits, expected] of edited)
    it(`${promise}, the edit being known`, () => assert.deepEqual(ways(before, after, { edits }), expected));

  it("has no way where the Markdown says something else, nor from nothing, nor for 200,001 letters", () => {
    const node = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
    const found = (markdown: string, old: string, next: string) => [
      ...spliceInline(markdown, { old: node(old), next: node(next) }, ""),
    ];
    assert.deepEqual(found("a b", "a", "c"), []);
    assert.deepEqual(found("a", "a b", "c"), []);
    assert.deepEqual(found("a b", "x b", "c"), []);
    assert.deepEqual([...spliceInline("", { old: { type: "paragraph" }, next: node("a") }, "")], []);
    const long = "a".repeat(200_000);
    assert.deepEqual(found(`${long}a`, `${long}a`, "b"), []);
    assert.deepEqual(found("b", "b", `${long}a`), []);
    const first = spliceInline("b", { old: node("b"), next: node(long) }, "").next();
    assert.equal(first.value, long);
  });
});
