import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { joinMarkdown } from "../../src/prose/join-chapter.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { replaceText, retitle } from "../../src/prose/replace-text.ts";
import { store, tried } from "./fidelity.ts";

type Wanted = Parameters<typeof replaceText>[2];

/** What is replaced: offsets in which paragraph, and how many finds stay as they are; then the chapter, if it changed. */
function replaced(markdown: string, [find, insert]: readonly [string, string], isWanted?: Wanted) {
  const { prose, leaves, skipped } = replaceText(
    store(parseMarkdown(markdown)),
    (texts) =>
      texts.map((text) =>
        [...text.matchAll(new RegExp(find, "gsu"))].map(({ index, 0: found }) => ({
          ...{ from: index, to: index + found.length },
          insert,
        })),
      ),
    isWanted,
  );
  const told = leaves.map(
    ({ blockId, type, edits }) =>
      `${blockId} ${type} ${edits.map(({ from, to }) => `${from}-${to}`).join(" ")}`,
  );
  return { text: prose && joinMarkdown(prose), told: [...told, `${skipped} skipped`].join("; ") };
}

type Case = readonly [before: string, find: string, insert: string, after: string | undefined, told?: string];

describe("replaceText", () => {
  const promises: [promise: string, cases: readonly Case[]][] = [
    [
      "tells where in which paragraph, and writes nothing where nothing is to be done",
      [
        ["one two\n", "two", "six", "one six\n", "b_1 paragraph 4-7; 0 skipped"],
        ["one two\n", "two", "two", undefined, "0 skipped"],
        ["one two\n", "x", "y", undefined, "0 skipped"],
        ["aaa\n", "a", "aa", "aaaaaa\n", "b_1 paragraph 0-1 1-2 2-3; 0 skipped"],
        [
          "# two\n\n- two\n- x\n\n> two\n",
          "two",
          "six",
          "# six\n\n- six\n- x\n\n> six\n",
          "b_1 heading 0-3; b_2 paragraph 0-3; b_4 paragraph 0-3; 0 skipped",
        ],
      ],
    ],
    [
      "takes a blank with a word that goes",
      [
        ["one two three\n", "two", "", "one three\n", "b_1 paragraph 4-8; 0 skipped"],
        ["one two\n", "two", "", "one\n", "b_1 paragraph 3-7; 0 skipped"],
        ["two one\n", "two", "", "one\n", "b_1 paragraph 0-4; 0 skipped"],
        ["one two.\n", "two", "", "one.\n", "b_1 paragraph 3-7; 0 skipped"],
      ],
    ],
    [
      "leaves code, tables, HTML and addresses, and counts them; front matter it does not read",
      [
        ["`two` two\n", "two", "six", "`two` six\n", "b_1 paragraph 4-7; 1 skipped"],
        [
          "```\ntwo two\n```\n\ntwo\n",
          "two",
          "six",
          "```\ntwo two\n```\n\nsix\n",
          "b_2 paragraph 0-3; 2 skipped",
        ],
        ["<two@a.b> two\n", "two", "six", "<two@a.b> six\n", "b_1 paragraph 8-11; 1 skipped"],
        ["<http://two> two\n", "two", "six", "<http://two> six\n", "b_1 paragraph 11-14; 1 skipped"],
        [
          "[two](http://two) two\n",
          "two",
          "six",
          "[six](http://two) six\n",
          "b_1 paragraph 0-3 4-7; 0 skipped",
        ],
        ["[x](two)\n", "two", "six", undefined, "0 skipped"],
        ["| two |\n|---|\n\ntwo\n", "two", "six", "| two |\n|---|\n\nsix\n", "b_2 paragraph 0-3; 1 skipped"],
        ["<div>two</div>\n\ntwo\n", "two", "six", "<div>two</div>\n\nsix\n", "b_2 paragraph 0-3; 1 skipped"],
        [
          "---\ntitle: two\n---\n\ntwo\n",
          "two",
          "six",
          "---\ntitle: two\n---\n\nsix\n",
          "b_2 paragraph 0-3; 0 skipped",
        ],
      ],
    ],
    [
      "finds nothing across a break, a picture or a number, and what stands behind one at its place",
      [
        ["one  \ntwo\n", "one.two", "x", undefined],
        ["one  \ntwo\n", "two", "x", "one  \nx\n", "b_1 paragraph 3-6; 0 skipped"],
        ["one\ntwo\n", "one.two", "x", "x\n"],
        ["a[^1]b\n", "ab", "x", undefined],
        ["a ![i](j) two\n", "two", "six", "a ![i](j) six\n", "b_1 paragraph 3-6; 0 skipped"],
        ["`a` b two `c` two\n", "two", "six", "`a` b six `c` six\n", "b_1 paragraph 4-7 10-13; 0 skipped"],
      ],
    ],
    [
      "gives new words the marks that all of the old ones have",
      [
        ["**two** one\n", "two one", "six", "six\n"],
        ["**two** one\n", "two o", "six", "sixne\n"],
        ["*a **two*** one\n", "a two", "six", "*six* one\n"],
        ["*a* *b*\n", "a b", "six", "six\n"],
        ["*two*\n", "two", "six", "*six*\n"],
        ["*one two* x\n", "one", "six", "*six two* x\n"],
        ["*one* two\n", "two", "six", "*one* six\n"],
      ],
    ],
    [
      "leaves the letters that stay their own marks",
      [
        ["**t**wo\n", "two", "tao", "**t**ao\n"],
        ["t**w**o\n", "two", "tao", "t**a**o\n"],
        ["tw**o**\n", "two", "to", "t**o**\n"],
        ["*two*\n", "two", "two too", "*two too*\n"],
        ["*two*\n", "two", "so two", "*so two*\n"],
        ["**ab**ab\n", "abab", "ab", "**ab**\n"],
        ["**ab**ab\n", "abab", "abxab", "**ab**xab\n"],
        ["aba\n", "aba", "aa", "aa\n"],
        ["aba\n", "aba", "abba", "abba\n"],
        ["aa\n", "aa", "aaa", "aaa\n"],
        ["aaa\n", "aaa", "aa", "aa\n"],
        ["*a*a\n", "aa", "aaa", "*a*aa\n"],
        ["x**ab**y\n", "xaby", "xacby", "x**acb**y\n"],
      ],
    ],
    [
      "cuts no pair of code units in two",
      [
        ["\u{1f600} a\n", "\u{1f600}", "\u{1f601}", "\u{1f601} a\n"],
        ["\u{1f600} a\n", "\u{1f600}", "\u{10600}", "\u{10600} a\n"],
        ["x\u{1f600}y\n", "x\u{1f600}y", "x\u{1f601}y", "x\u{1f601}y\n"],
        ["x\u{1f600}y\n", "x\u{1f600}y", "x\u{10600}y", "x\u{10600}y\n"],
        ["*x*\u{1f600}y\n", "x\u{1f600}y", "x\u{1f601}y", "*x*\u{1f601}y\n"],
        ["_\u{1f600}_ x\n", "\u{1f600} x", "\u{1f601} y", "\u{1f601} y\n"],
        ["x _\u{1f600}_\n", "x \u{1f600}", "y \u{10600}", "y \u{10600}\n"],
        ["*x*\u{1f600}y\n", "x\u{1f600}y", "x\u{10600}y", "*x*\u{10600}y\n"],
      ],
    ],
    [
      "writes as text what would mean something",
      [
        ["a\n", "a", "# a", "\\# a\n"],
        ["a\n", "a", "1. x", "1\\. x\n"],
        ["# a\nb\n", "a", "b c", "# b c\nb\n"],
        ["two [x]\n\n[x]: /two\n", "two", "six", "six [x]\n\n[x]: /two\n"],
      ],
    ],
  ];
  for (const [promise, cases] of promises)
    it(promise, () => {
      for (const [before, find, insert, after, told] of cases) {
        const found = replaced(before, [find, insert]);
        assert.equal(found.text, after, before);
        if (told !== undefined) assert.equal(found.told, told, before);
      }
    });

  it("replaces only what is wanted, of which it is asked by its place in the paragraph", () => {
    const asked: string[] = [];
    const isSecond: Wanted = ({ attrs }, { from }) => asked.push(`${attrs?.blockId} ${from}`) === 2;
    assert.equal(replaced("`x` two two\n\ntwo\n", ["two", "six"], isSecond).text, "`x` two six\n\ntwo\n");
    assert.deepEqual(asked, ["b_1 2", "b_1 6", "b_2 0"]);
    const none = replaced("two\n", ["two", "six"], () => false);
    assert.deepEqual(none, { text: undefined, told: "0 skipped" });
  });

  it("refuses to leave nothing of a paragraph, but for one with a picture", () => {
    const refused = (before: string, insert: string) =>
      assert.match(
        tried(() => String(replaced(before, ["two", insert]).text)),
        /^refused: Nothing .* b_\d;/,
      );
    for (const before of ["two\n", "two two\n", "- two\n- x\n", "a\n\ntwo\n"]) refused(before, "");
    refused("a\n\ntwo\n", " ");
    assert.equal(replaced("![x](y) two\n", ["two", ""]).text, "![x](y)\n");
  });

  it("parts a text from the definition that would take it, wherever that is", () => {
    const said = (before: string) => String(replaced(before, ["two", "'d'"]).text);
    assert.equal(said("[x]: /y\ntwo\n"), "[x]: /y\n\n'd'\n");
    assert.equal(said("[x]: /y\n\ntwo\n"), "[x]: /y\n\n'd'\n");
    assert.equal(said("a\n\n[x]: /y\ntwo\n"), "a\n\n[x]: /y\n\n'd'\n");
  });

  it("tells of each text where it begins", () => {
    const told: unknown[] = [];
    replaceText(store(parseMarkdown("# a\n\nb `c` d\n")), (texts, spots) => {
      told.push(...spots.map(({ blockId, from }, at) => [blockId, from, texts[at]]));
      return texts.map(() => []);
    });
    assert.deepEqual(told, [
      ["b_1", 0, "a"],
      ["b_2", 0, "b "],
      ["b_2", 2, "c"],
      ["b_2", 3, " d"],
    ]);
  });
});

describe("retitle", () => {
  const retitled = (markdown: string, title: string, at = 0) => {
    const found = retitle(store(parseMarkdown(markdown)), at, title);
    const edits = found?.edits?.map(({ from, to, insert }) => `${from}-${to} ${insert}`).join(", ");
    return found && [joinMarkdown(found.prose), edits];
  };
  const promises: [
    promise: string,
    cases: readonly (readonly [before: string, title: string, after: string, edits?: string])[],
  ][] = [
    [
      "changes only the letters that differ, and tells which",
      [
        ["# One\n\nx\n", "Two", "# Two\n\nx\n", "0-3 Two"],
        ["# One\n", "One Two", "# One Two\n", "2-3 e Two"],
        ["# One Two\n", "One", "# One\n", "3-7 "],
        ["# One Two\n", "Two", "# Two\n", "0-4 "],
        ["# aa\n", "a", "# a\n", "1-2 "],
        ["# aa\n", "aaa", "# aaa\n", "1-2 aa"],
        ["# aba\n", "abba", "# abba\n", "1-2 bb"],
        ["# ab\n", "xab", "# xab\n", "0-1 xa"],
        ["# \u{1f600}a\n", "\u{1f600}b", "# \u{1f600}b\n", "2-3 b"],
        ["# \u{1f600}\n", "\u{1f601}", "# \u{1f601}\n", "0-2 \u{1f601}"],
        ["   #   One   #\n\nx\n", "Two", "   #   Two   #\n\nx\n", "0-3 Two"],
        ["# a &amp; b\n", "a & c", "# a &amp; c\n", "4-5 c"],
      ],
    ],
    [
      "keeps the marks around what stays",
      [
        ["# _One_ Two\n", "One Six", "# _One_ Six\n", "4-7 Six"],
        ["# _One_ Two\n", "Six Two", "# _Six_ Two\n", "0-3 Six"],
        ["# _One_ Two\n", "Six", "# Six\n", "0-7 Six"],
        ["# One `x`\n", "Two x", "# Two `x`\n", "0-3 Two"],
        ["# [One] Two\n\n[One]: /x\n", "Six Two", "# [Six][One] Two\n\n[One]: /x\n", "0-3 Six"],
      ],
    ],
    [
      "keeps a footnote's number and a picture, at the end if need be",
      [
        ["# One[^1] Two\n", "One Six", "# One[^1] Six\n", "4-7 Six"],
        ["# One[^1] Two\n", "Six", "# Six[^1]\n"],
        ["# ![x](y)\n", "One", "# One![x](y)\n"],
        ["One[^1]\\\nTwo\n===\n", "Six", "# Six[^1]\n"],
      ],
    ],
    [
      "takes a line end for a blank, and a title of several lines for one",
      [
        ["One\nTwo\n===\n", "One Six", "One\nSix\n===\n", "4-7 Six"],
        ["One\nTwo\n===\n", "Six Two", "Six\nTwo\n===\n", "0-3 Six"],
        ["One\nTwo\n===\n", "One Two", "# One Two\n"],
        ["# One\n", " Two\nSix ", "# Two Six\n", "0-3 Two Six"],
      ],
    ],
    [
      "writes it anew where letters cannot be followed",
      [
        ["# One `x`\n", "One y", "# One y\n"],
        ["# <http://a>\n", "b", "# b\n"],
        ["#\n", "Two", "# Two\n"],
      ],
    ],
    [
      "writes as text what would mean something",
      [
        ["# One\n", "*One*", "# \\*One\\*\n", "0-3 *One*"],
        ["# One\n", "One #", "# One \\#\n", "2-3 e #"],
      ],
    ],
  ];
  for (const [promise, cases] of promises)
    it(promise, () => {
      for (const [before, title, after, edits] of cases)
        assert.deepEqual(retitled(before, title), [after, edits], before);
    });

  it("says nothing where no title is said, or no block stands", () => {
    assert.equal(retitled("# One\n", " \n"), undefined);
    assert.equal(retitled("# One\n", "Two", 1), undefined);
    assert.deepEqual(retitled("x\n\n# One\n", "Two", 1), ["x\n\n# Two\n", "0-3 Two"]);
  });
});
