import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DocNode } from "../../src/prose/document/types.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { code, li, p, quote, ul } from "../build.ts";
import { byDocument, byImport, store } from "./fidelity.ts";

/** What a document with other blocks leaves of the Markdown; `change` gets those that stand, ids and all. */
function changed(markdown: string, change: (blocks: DocNode[]) => DocNode[]): string {
  const chapter = store(parseMarkdown(markdown));
  return byDocument(chapter, { nodes: change(structuredClone(chapter.blocks.map(({ node }) => node))) });
}

/** The first block's own blocks spliced. */
const within =
  (at: number, removed: number, ...added: DocNode[]) =>
  ([first, ...others]: DocNode[]): DocNode[] => {
    first?.content?.splice(at, removed, ...added);
    return [first!, ...others]; // every text here has a block
  };

const starred: DocNode = { ...ul(li("new")), attrs: { bullet: "*", tight: true } };

describe("blocks that come and go leave the lines of the others", () => {
  const cases: [promise: string, before: string, change: (blocks: DocNode[]) => DocNode[], after: string][] =
    [
      [
        "an entry more, in its author's numbers and indents",
        "1.  _a_ \\$5\n1.  b [[w]] [l](m)\n",
        within(1, 0, li(p("new"))),
        "1.  _a_ \\$5\n1.  new\n1.  b [[w]] [l](m)\n",
      ],
      ["an entry less", "1. _a_ \\$5\n2. b\n3. c \\@x\n", within(1, 1), "1. _a_ \\$5\n3. c \\@x\n"],
      [
        "entries that change places",
        "*   _a_\n*   b \\$5\n",
        ([list]) => [{ ...list!, content: list!.content!.toReversed() }], // a list with entries
        "*   b \\$5\n*   _a_\n",
      ],
      [
        "a nested entry more",
        "- one _em_\n    - wide _inner_\n- two \\@x\n",
        ([list]) => {
          list?.content?.[0]?.content?.[1]?.content?.push(li(p("new")));
          return [list!]; // as above
        },
        "- one _em_\n    - wide _inner_\n    - new\n- two \\@x\n",
      ],
      [
        "a paragraph more in a callout",
        "> [!note] T\n> b _em_\n>\n> second \\$5\n",
        within(1, 0, p("third")),
        "> [!note] T\n> b _em_\n>\n> third\n>\n> second \\$5\n",
      ],
      [
        "a paragraph that goes into a quote",
        "a \\$5 _em_ [[w]] [x](y)\n\nother\n",
        ([one, other]) => [quote(one!), other!],
        "> a \\$5 _em_ [[w]] [x](y)\n\nother\n",
      ],
      [
        "a paragraph that comes out of one",
        "> a \\$5 _em_\n>\n> b \\@x\n",
        ([block]) => block!.content!,
        "a \\$5 _em_\n\nb \\@x\n",
      ],
      [
        "a list before its author's, which keeps its bullet",
        "* a _em_\n* b\n",
        (blocks) => [starred, ...blocks],
        "- new\n\n* a _em_\n* b\n",
      ],
      [
        "a list between two of its author's",
        "* a __b__\n\n- c __d__\n",
        ([one, other]) => [one!, starred, other!],
        "* a __b__\n\n+ new\n\n- c __d__\n",
      ],
      [
        "an entry more behind a number of one digit",
        "8.  _a_ \\$5\n9.  b\n",
        within(2, 0, li(p("new"))),
        "8.  _a_ \\$5\n9.  b\n10.  new\n",
      ],
      [
        "an entry more before a number of two digits",
        "9)  _a_ \\$5\n10)  b\n",
        within(0, 0, li(p("new"))),
        "9)  new\n9)  _a_ \\$5\n10)  b\n",
      ],
      [
        "a paragraph more in a quote that begins with an empty line",
        ">\n> _a_ \\$5\n>\n>\n>   b\n",
        within(2, 0, p("new")),
        ">\n> _a_ \\$5\n>\n>\n>   b\n>\n> new\n",
      ],
      [
        "paragraphs of a quote that change places",
        "> _a_ \\$5\n>\n>\n>   b\n>\n> c\n",
        ([block]) => [{ ...block!, content: [1, 0, 2].map((at) => block!.content![at]!) }], // three
        "> b\n>\n>\n>   _a_ \\$5\n>\n> c\n",
      ],
      [
        "a first paragraph of a quote gone, and a last",
        "> x\n>\n>\n>   _a_ \\$5\n>\n> y\n",
        ([block]) => [{ ...block!, content: [block!.content![1]!] }], // three
        ">   _a_ \\$5\n",
      ],
      [
        "a paragraph more in an entry",
        "*   _a_ \\$5\n\n*   b\n",
        ([list]) => {
          list?.content?.[0]?.content?.push(p("new\nlines"));
          return [list!]; // as above
        },
        "*   _a_ \\$5\n\n    new\n    lines\n\n*   b\n",
      ],
      [
        "entries more in a nested list, one of them empty",
        "*   _a_ \\$5\n    +   b\n*   c\n",
        ([list]) => {
          list?.content?.[0]?.content?.[1]?.content?.push(li(p("new")), li(p()));
          return [list!]; // as above
        },
        "*   _a_ \\$5\n    +   b\n    +   new\n    +\n*   c\n",
      ],
      [
        "a quote in a quote more",
        "> _a_ \\$5\n>\n>   b\n",
        within(1, 0, quote(p("new"), p("newer"))),
        "> _a_ \\$5\n>\n> > new\n> >\n> > newer\n>\n>   b\n",
      ],
      [
        "a list more in an entry",
        "*   _a_ \\$5\n*   b\n",
        ([list]) => {
          list?.content?.[1]?.content?.push(ul(li(p("new")), li(p("newer"))));
          return [list!]; // as above
        },
        "*   _a_ \\$5\n*   b\n    - new\n    - newer\n",
      ],
      [
        "a paragraph more in a quote that ends with an empty line",
        "> _a_ \\$5\n>\n>   b\n>\n",
        within(0, 0, p("new")),
        "> new\n>\n> _a_ \\$5\n>\n>   b\n>\n",
      ],
      [
        "code with an empty line more in a quote",
        ">   _a_ \\$5\n",
        within(1, 0, code("", "x\n\ny")),
        ">   _a_ \\$5\n>\n>   ```\n>   x\n>\n>   y\n>   ```\n",
      ],
      [
        "code with an empty line more in an entry",
        "*    _a_ \\$5\n",
        within(1, 0, li(code("", "x\n\ny"))),
        "*    _a_ \\$5\n*    ```\n     x\n\n     y\n     ```\n",
      ],
      ["all but one entry gone, with its number", "7.   a\n7.   _b_ \\$5\n", within(0, 1), "7.   _b_ \\$5\n"],
      [
        "an entry more among equal numbers",
        "7.   a\n7.   _b_ \\$5\n",
        within(2, 0, li(p("new"))),
        "7.   a\n7.   _b_ \\$5\n7.   new\n",
      ],
      [
        "an entry more behind one",
        "7.   _b_ \\$5\n",
        within(1, 0, li(p("new"))),
        "7.   _b_ \\$5\n8.   new\n",
      ],
    ];
  for (const [promise, before, change, after] of cases)
    it(promise, () => assert.equal(changed(before, change), after));

  it("an entry more on either side of an import", () => {
    const base = store(parseMarkdown("- _a_ \\$5\n- b [[w]]\n- c\n"));
    const stored = store(parseMarkdown("- _a_ \\$5\n- b [[w]] more\n- c\n"), base);
    const file = "- _a_ \\$5\n- b [[w]]\n- new _em_ \\@x\n- c \\_x_\n";
    assert.equal(byImport(base, file, stored), "- _a_ \\$5\n- b [[w]] more\n- new _em_ \\@x\n- c \\_x_\n");
  });
});
