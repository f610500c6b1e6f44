import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createMint } from "../../src/ids.ts";
import { insertBlockIds, takeBlockIds } from "../../src/prose/block-ids.ts";
import { leafIds, leavesOf } from "../../src/prose/document/leaves.ts";
import { readDocument } from "../../src/prose/document/read-document.ts";
import type { DocNode } from "../../src/prose/document/types.ts";
import { joinMarkdown } from "../../src/prose/join-chapter.ts";
import { readPage } from "../../src/prose/markdown/leaf-lines.ts";
import { normalizeBlocks } from "../../src/prose/markdown/normalize.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { anyMarkdown, denseDoc, nativeDoc, plainDoc } from "./arbitrary.ts";
import { KEPT_AFRESH, KEPT_AS_WRITTEN } from "./constructs.ts";
import { parse, randomly, write } from "./rewrite.ts";

const [A, B, C] = ["b_0123456789abcdef", "b_ghjkmnpqrstvwxyz", "b_aaaaaaaaaaaaaaaa"];
const [a, b, c] = [A, B, C].map((id) => `^b-${id!.slice(2)}`);

const mint = createMint();
const LONE = /^\^b-\w{16}$/;

/** The Markdown with a fresh id on every leaf. */
function marked(markdown: string): { text: string; ids: string[] } {
  const ids = parse(markdown)
    .flatMap(leavesOf)
    .map(() => mint("block"));
  return { text: insertBlockIds(markdown, ids), ids };
}

/** Marks come off without a trace, name their leaves, and change no block's kind. */
function comesBack(markdown: string): void {
  const { text, ids } = marked(markdown);
  const taken = takeBlockIds(text);
  assert.equal(taken.markdown, markdown);
  if (taken.ids.length > 0) assert.equal(taken.ids.length, ids.length);
  for (const [index, id] of taken.ids.entries()) if (id !== null) assert.equal(id, ids[index]);
  const bare = (blocks: readonly DocNode[]) => JSON.stringify(blocks.filter(isNoMark).map(kindsOf));
  assert.equal(bare(parse(text)), bare(parse(markdown)));
}

function isNoMark({ content }: DocNode): boolean {
  return !LONE.test(content?.[0]?.text ?? "");
}

function kindsOf({ type, attrs, content }: DocNode): unknown {
  const blocks = content?.filter(({ text, type }) => text === undefined && type !== "hard_break") ?? [];
  return [type, attrs, type === "paragraph" || type === "heading" ? [] : blocks.map(kindsOf)];
}

describe("insertBlockIds", () => {
  for (const [promise, markdown, expected] of [
    ["marks the end of a paragraph", "One.\nTwo.\n", `One.\nTwo. ${a}\n`],
    ["marks a heading before its closing hashes", "## One ##\n", `## One ${a} ##\n`],
    ["marks an underlined heading above the line", "One\n===\n", `One ${a}\n===\n`],
    [
      "marks entries of a list and paragraphs of a quote",
      "- one\n- two\n\n> three",
      `- one ${a}\n- two ${b}\n\n> three ${c}`,
    ],
    [
      "puts the mark behind code on a line of its own",
      "```\nx\n```\n\nOne.\n",
      `\`\`\`\nx\n\`\`\`\n\n${a}\n\nOne. ${b}\n`,
    ],
    ["puts it behind a table at the end", "|a|\n|-|\n|1|", `|a|\n|-|\n|1|\n\n${a}`],
    [
      "keeps the line ends that are there",
      "<!-- a -->\r\n\r\nOne.\r\n",
      `<!-- a -->\r\n\r\n${a}\r\n\r\nOne. ${b}\r\n`,
    ],
    [
      "leaves code without one where something follows at once",
      "```\nx\n```\nOne.\n",
      `\`\`\`\nx\n\`\`\`\nOne. ${b}\n`,
    ],
    [
      "leaves scene breaks and code in a list without one",
      "***\n\n- ```\n  x\n  ```\n",
      "***\n\n- ```\n  x\n  ```\n",
    ],
    ["leaves a paragraph without one that would be a definition", "[x]:\n\nOne.\n", `[x]:\n\nOne. ${b}\n`],
    ["leaves a paragraph without one that would be a list", "One\n+\n\nTwo.", `One\n+\n\nTwo. ${b}`],
    ["marks what ends in a mark already", `One. ${c}\n`, `One. ${c} ${a}\n`],
  ] as const) {
    it(promise, () => {
      const count = parse(markdown).flatMap(leavesOf).length;
      assert.equal(insertBlockIds(markdown, [A, B, C].slice(0, count) as string[]), expected);
      comesBack(markdown);
    });
  }

  it("leaves a block without a mark whose id is of another shape", () => {
    assert.equal(insertBlockIds("One.\n\nTwo.\n", ["x", B as string]), `One.\n\nTwo. ${b}\n`);
  });

  it("marks what writers put into files so that it comes back", () => {
    for (const markdown of [...KEPT_AFRESH, ...KEPT_AS_WRITTEN]) {
      for (const text of [markdown, `${markdown}\n`, `One.\n\n${markdown}\n\nTwo.\n`]) comesBack(text);
      comesBack(markdown.replaceAll("\n", "\r\n"));
      comesBack(`\ufeff${markdown}`);
    }
    comesBack([...KEPT_AFRESH, ...KEPT_AS_WRITTEN].join("\n\n"));
  });

  for (const [name, arbitrary, runs] of [
    ["a paragraph of punctuation", plainDoc, 300],
    ["marks squeezed against each other", denseDoc, 300],
    ["any document", nativeDoc, 300],
  ] as const) {
    it(`marks ${name} so that it comes back`, (t) => {
      const settings = randomly(runs);
      t.diagnostic(`seed ${settings.seed}`);
      fc.assert(
        fc.property(arbitrary, (doc) => comesBack(write(normalizeBlocks(readDocument(doc))))),
        settings,
      );
    });
  }

  it("marks any text so that it comes back", (t) => {
    const settings = randomly(250);
    t.diagnostic(`seed ${settings.seed}`);
    fc.assert(fc.property(anyMarkdown, comesBack), settings);
  });
});

describe("takeBlockIds", () => {
  for (const [promise, markdown, expected, ids] of [
    [
      "counts a mark that stands twice for its first place",
      `One. ${a}\n\nTwo. ${a}\n`,
      "One.\n\nTwo.\n",
      [A, null],
    ],
    [
      "leaves a mark of the writer's own alone",
      `One. ^note ${a}\n\nTwo. ^b-note\n`,
      "One. ^note\n\nTwo. ^b-note\n",
      [A, null],
    ],
    ["keeps the blanks that an editor left behind a mark", `One. ${a}  \n`, "One.  \n", [A]],
    [
      "takes a mark that was wrapped onto the next line",
      `One\ntwo.\n${a}\n\n> three\n> ${b}\n`,
      "One\ntwo.\n\n> three\n",
      [A, B],
    ],
    ["takes a mark whose paragraph went", `One. ${a}\n\n${b}\n\nThree. ${c}\n`, "One.\n\nThree.\n", [A, C]],
    ["takes a mark whose entry of a list went", `- one ${a}\n- ${b}\n`, "- one\n-\n", [A, null]],
    ["takes a mark at the start, which is of nothing", `${a}\n\nOne. ${b}\n`, "\n\nOne.\n", [B]],
    [
      "reads the mark behind a table as the table's",
      `|a|\n|-|\n|1|\n\n${a}\n\nOne. ${b}\n`,
      "|a|\n|-|\n|1|\n\nOne.\n",
      [A, B],
    ],
    ["takes a mark for none of a scene break", `***\n\n${a}\n\nOne.\n`, "***\n\nOne.\n", [null, null]],
    ["leaves what stands in code", `\`\`\`\nx ${a}\n\`\`\`\n`, `\`\`\`\nx ${a}\n\`\`\`\n`, []],
    ["leaves what stands within a line", `One ${a} two.\n`, `One ${a} two.\n`, []],
  ] as const) {
    it(promise, () => assert.deepEqual(takeBlockIds(markdown), { markdown: expected, ids }));
  }

  for (const [promise, markdown, expected, ids] of [
    ["takes one that somebody wrote on behind", `One ${a} two.\n`, "One two.\n", [A]],
    ["lets the one at the end say who a joined paragraph is", `One. ${a}\nTwo. ${b}\n`, "One.\nTwo.\n", [B]],
    [
      "takes one that has a line to itself",
      `> One.\n> ${a}\n> Two.\n\nThree. ${b}\n`,
      "> One.\n> Two.\n\nThree.\n",
      [A, B],
    ],
    ["takes one that opens a paragraph", `${a} One.\n\n${b}\nTwo.\n`, "One.\n\nTwo.\n", [A, B]],
    ["leaves those that it does not know", `One ${c} two ${a} three. ${b}\n`, `One ${c} two three.\n`, [B]],
    ["leaves what is part of a word", `One${a} two ${b}.\n`, `One${a} two ${b}.\n`, []],
  ] as const) {
    it(`of known ids also ${promise}`, () => {
      assert.deepEqual(
        takeBlockIds(markdown, (id) => id !== C),
        { markdown: expected, ids },
      );
    });
  }

  it("gives text without marks back as it is, without reading it", () => {
    const text = "One. ^note\n";
    assert.deepEqual(takeBlockIds(text), { markdown: text, ids: [] });
  });
});

describe("marks strewn anywhere", () => {
  const strewn = fc
    .array(
      fc.tuple(
        anyMarkdown,
        fc.constantFrom("", "\n", "\n\n", " "),
        fc.constantFrom("", ...([a, b, c] as string[])),
      ),
      { maxLength: 6 },
    )
    .map((pieces) => pieces.flat().join(""));

  it("give each leaf at most one id and no id twice", () => {
    fc.assert(
      fc.property(strewn, fc.boolean(), (text, areOwn) => {
        const { markdown, ids } = takeBlockIds(text, () => areOwn);
        const given = ids.filter((id) => id !== null);
        assert.equal(new Set(given).size, given.length);
        if (ids.length > 0) assert.equal(ids.length, leafIds(parseMarkdown(markdown).blocks).length);
        else assert.ok(markdown === text || parse(markdown).length === 0);
      }),
      randomly(100),
    );
  });

  it("bear more marks, which come off again", () => {
    fc.assert(
      fc.property(strewn, (text) => {
        const { text: more } = marked(text);
        if (more !== text) assert.equal(takeBlockIds(more).markdown, text);
      }),
      randomly(100),
    );
  });
});

describe("readPage", () => {
  it("finds as many leaves as the document has", () => {
    const settings = randomly(250);
    fc.assert(
      fc.property(anyMarkdown, (text) => {
        const chapter = parseMarkdown(text);
        const body = joinMarkdown({ ...chapter, bom: false });
        assert.equal(readPage(body).leaves.length, leafIds(chapter.blocks).length);
      }),
      settings,
    );
  });
});
