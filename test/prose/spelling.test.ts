import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { leavesOf, mapLeaves } from "../../src/prose/document/leaves.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { replaceText, retitle } from "../../src/prose/replace-text.ts";
import { byDocument, store } from "./fidelity.ts";
import { randomly } from "./rewrite.ts";

/** What a document that says what `next` says, paragraph for paragraph, leaves of the Markdown. */
function written(markdown: string, next: string): string {
  const chapter = store(parseMarkdown(markdown));
  const ids = chapter.blocks.flatMap(({ node }) => leavesOf(node).map(({ attrs }) => attrs?.blockId));
  const nodes = parseMarkdown(next).blocks.map(({ node }) =>
    mapLeaves(node, (leaf) => ({ ...leaf, attrs: { ...leaf.attrs, blockId: ids.shift() ?? null } })),
  );
  return byDocument(chapter, { nodes });
}

// What is odd in each, \$5 and _a_ above all, shows whether what did not change was written anew.
describe("a document's new words stand in the author's own spelling", () => {
  const kept: [promise: string, before: string, after: string][] = [
    ["words at the start", "_a_ \\$5 b\n", "So _a_ \\$5 b\n"],
    ["words at the end", "\\$5 b _a_\n", "\\$5 b _a_ so\n"],
    ["words between two marks", "\\$5 _a_ __b__\n", "\\$5 _a_ so __b__\n"],
    ["words within a mark", "_one two_ \\$5\n", "_one big two_ \\$5\n"],
    ["the first word of a mark gone", "\\$5 _one two_\n", "\\$5 _two_\n"],
    ["the last word of a mark gone", "_one two_ \\$5\n", "_one_ \\$5\n"],
    ["all of a mark gone", "\\$5 _one_ two \\@x\n", "\\$5 two \\@x\n"],
    ["another word in a mark", "\\$5 _one_ two\n", "\\$5 _six_ two\n"],
    ["words before the first in a mark", "\\$5 _two_\n", "\\$5 _one two_\n"],
    ["a word that becomes a mark", "\\$5 one __two__\n", "\\$5 *one* __two__\n"],
    ["a mark that becomes a word", "\\$5 _one_ __two__\n", "\\$5 one __two__\n"],
    ["another word in code", "`a b` \\$5\n", "`a c` \\$5\n"],
    ["signs that mean nothing there", "\\$5 b\n", "\\$5 2 * 3 < 4 & b\n"],
    ["signs that would mean something", "\\$5 b\n", "\\$5 \\*so\\* b\n"],
    ["several words in several places", "one two \\$5 three _four_ six\n", "one, two \\$5 _four_ five six\n"],
    ["words that change places", "one \\$5 two three _a_ four\n", "one \\$5 three two _a_ four\n"],
    ["one of two that are the same", "so \\$5 so _a_ so\n", "so \\$5 so _a_\n"],
    ["a word twice before, once after", "a so \\$5 so _a_ b\n", "x so \\$5 y _a_ z\n"],
    ["a word once before, twice after", "x so \\$5 y _a_ z\n", "a so \\$5 so _a_ b\n"],
    ["another picture of the same half", "\\$5 \u{1f600} _a_\n", "\\$5 \u{1f601} _a_\n"],
    ["another picture of the same other half", "\\$5 \u{1f600} _a_\n", "\\$5 \u{10600} _a_\n"],
    ["another picture in place of its number", "\\$5 &#x1F600; _a_\n", "\\$5 \u{1f601} _a_\n"],
    ["words beside an entity", "a &amp; b \\$5\n", "a &amp; so b \\$5\n"],
    ["a line more", "\\$5 _a_\nb\n", "\\$5 _a_\nso\nb\n"],
    ["a line less", "\\$5 _a_\nso\nb\n", "\\$5 _a_\nb\n"],
    ["words beside a break", "\\$5 a  \nb\n", "\\$5 a  \nso b\n"],
    ["a break gone", "\\$5 a  \nb _c_\n", "\\$5 a b _c_\n"],
    ["words beside a note", "\\$5 a[^1] b\n", "\\$5 a[^1] so b\n"],
    ["a note gone", "\\$5 a[^1] _b_\n", "\\$5 a _b_\n"],
    ["a picture gone", "\\$5 a ![x](y) _b_\n", "\\$5 a _b_\n"],
    ["words in a link", "\\$5 [a b](<x y>) _c_\n", "\\$5 [a so b](<x y>) _c_\n"],
    ["words behind a link", "[a](<x y>) \\$5\n", "[a](<x y>) so \\$5\n"],
    [
      "a link's label that its words leave",
      "\\$5 [Ada] _b_\n\n[ada]: /x\n",
      "\\$5 [Eve][Ada] _b_\n\n[ada]: /x\n",
    ],
    ["the same with two brackets", "\\$5 [Ada][] _b_\n\n[ada]: /x\n", "\\$5 [Eve][Ada] _b_\n\n[ada]: /x\n"],
    [
      "a link's label that its words come to",
      "\\$5 [Eve][Ada] _b_\n\n[ada]: /x\n",
      "\\$5 [Ada] _b_\n\n[ada]: /x\n",
    ],
    [
      "a label that stays, words changed",
      "\\$5 [Eve][Ada] _b_\n\n[ada]: /x\n",
      "\\$5 [Ivy][Ada] _b_\n\n[ada]: /x\n",
    ],
    ["words beside a link by its label", "[Ada] \\$5 _b_\n\n[ada]: /x\n", "[Ada] so \\$5 _b_\n\n[ada]: /x\n"],
    [
      "words on both sides of a label",
      "a so [Ada] \\$5 b\n\n[ada]: /x\n",
      "c so [Eve][Ada] \\$5 d\n\n[ada]: /x\n",
    ],
    ["a byte order mark within", "\\$5 a\ufeffb\n", "\\$5 a\ufeffc\n"],
    ["a paragraph that goes into a quote, a word more", "\\$5 _a_ b\n", "> \\$5 _a_ so b\n"],
    ["one that comes out of it, a word less", "> \\$5 _a_ so b\n", "\\$5 _a_ b\n"],
    ["one that becomes an entry, another word", "\\$5 _a_ b\n\n- d\n", "- \\$5 _a_ c\n- d\n"],
    ["a heading that becomes a paragraph", "# a\n\n\\$5 _b_\n", "a\n\n\\$5 _b_\n"],
    ["one of two that change places, a word more", "\\$5 _a_\n\n\n\\@b\n", "\\$5 _a_ so\n\n\n\\@b\n"],
    ["an entry's words", "*   \\$5 _a_\n*   b\n", "*   \\$5 _a_ so\n*   b\n"],
    ["an entry's further line", "*   \\$5\n    _a_\n", "*   \\$5\n    _a_ so\n"],
    ["an entry of lazy lines", "> \\$5\n_a_\n", "> \\$5 so\n_a_\n"],
    ["a heading under its line", "\\$5 _a_\n===\n", "\\$5 _a_ so\n===\n"],
    ["a heading with signs behind", "## \\$5 _a_ ##\n", "## \\$5 _a_ so ##\n"],
  ];
  for (const [promise, before, after] of kept) it(promise, () => assert.equal(written(before, after), after));

  it("a mark that words run across, and no more, is written anew", () => {
    for (const [before, next] of [
      ["\\$5 __a _b_ c__ _d_ \\@x\n", "\\$5 **a so c** _d_ \\@x\n"],
      ["_a_ \\$5 _b c_ d _e_\n", "_a_ \\$5 *b* so d _e_\n"],
      ["_a_ \\$5 _b **c** d_ e\n", "_a_ \\$5 *b c d* e\n"],
      ["_a_ \\$5 one two _b_\n", "_a_ \\$5 one **two *b***\n"],
      ["\\$5 _a_`b`\n", "\\$5 *a* so `b`\n"],
    ] as const)
      assert.equal(written(before, next), next);
  });
});

// Beside a note with a text of its own, which is no definition of a link.
it("a heading takes a title and keeps its level, its marks and its notes", () => {
  for (const [heading, title, expected] of [
    ["# _The_ \\$5 Storm", "X The $5 Storm", "# _X The_ \\$5 Storm"],
    ["# _The_ \\$5 Storm", "The $5 Storms", "# _The_ \\$5 Storms"],
    ["# _The_ \\$5 Storm", "The $5", "# _The_ \\$5"],
    ["# _The_ \\$5 Storm", "$5 Storm", "# \\$5 Storm"],
    ["# _The_ \\$5 Storm", "The $6 Storm", "# _The_ \\$6 Storm"],
    ["# _The_ \\$5 Storm", "Calm", "# Calm"],
    ["# _The_ Storm[^1] of _all_", "The Storm of none", "# _The_ Storm[^1] of _none_"],
    ["# _The_ Storm[^1] of _all_", "A Storm of all", "# _A_ Storm[^1] of _all_"],
    ["# _The_ Storm[^1] of _all_", "The Calm or all", "# The Calm or all[^1]"],
    ["The\n_Storm_ \\$5\n===", "The Storm $6", "The\n_Storm_ \\$6\n==="],
    ["# ![x](y) _b_", "c", "# ![x](y)c"],
    ["# _a_", "*b*", "# _\\*b\\*_"],
    ["## \u{1f600} _a_ ##", "\u{1f601} a", "## \u{1f601} _a_ ##"],
    ["# _x_ a-b _c_", "x a b d", "# _x_ a b d"],
    ["# _x_ a b_c_ d", "y a d", "# y a d"],
    ["# _aa_ \\$5", "a $5", "# _a_ \\$5"],
    ["# a", " ", undefined],
  ] as const) {
    const prose = parseMarkdown(`${heading}\n\n[^1]: note\n`);
    assert.equal(retitle(prose, 0, title)?.prose.blocks[0]?.source, expected, title);
  }
});

it("a word replaced by another says that other, whatever both begin and end with", () => {
  const words = fc
    .array(fc.constantFrom("a", "b", "\u{1f600}", "\u{1f601}"), { minLength: 1, maxLength: 5 })
    .map((letters) => letters.join(""));
  const replaced = fc.property(
    words,
    words,
    fc.constantFrom("_q_ \\$ abaWORD end", "_q \\$ abaWORD_ end"),
    (old, insert, text) => {
      const chapter = store(parseMarkdown(text.replace("WORD", old)));
      const { prose } = replaceText(chapter, (texts) =>
        texts.map((run) => [{ from: run.lastIndexOf(old), to: run.lastIndexOf(old) + old.length, insert }]),
      );
      assert.equal(
        prose === undefined ? old : prose.blocks[0]?.source,
        old === insert ? old : text.replace("WORD", insert),
      );
    },
  );
  fc.assert(replaced, randomly(80));
});
