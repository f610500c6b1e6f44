import type { StoredChapter } from "../../src/book/book.ts";
import { leafIds, withLeafIds } from "../../src/prose/document/leaves.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { compile } from "../../src/publish/compile.ts";
import type { BookMetadata, CompiledBook, CompiledNote } from "../../src/publish/compiled.ts";
import { readPicture } from "../../src/publish/picture.ts";

/** A chapter to compile. */
interface Written {
  title?: string;
  part?: string;
  markdown: string;
}

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Chapters with everything that a book may hold. */
export const WHOLE = [
  {
    title: 'The "Low" <Light> & more',
    part: "Part & One",
    markdown:
      'He said *no* < "yes"[^1] & again[^1], [left](https://example.org/?a=1&b=2).\n\n***\n\n- one\n- two\n  1. deep\n\n9. nine\n\n> quoted\n>\n> - in it\n\n| a | b |\n| - | - |\n| c | d |\n\n![q & "a"](q.png)\n\n![gone](missing.png)\n\n`x`  \nbroken\n\n    a <code>\n\n#### Deep\n\n[^1]: A *note*.\n\n    With two paragraphs.',
  },
  { title: "Dawn", part: "Part & One", markdown: "# Dawn[^x]\n\nMorning.\n\n[^x]: Of a heading." },
  { title: "Noon", part: "Two", markdown: "" },
];

const METADATA: BookMetadata = {
  author: "Ada Rook",
  language: "en-GB",
  rights: "",
  identifier: "",
  description: "",
  contact: ["3 Quay Street", "Hull"],
  cover: undefined,
};

/** Compiles chapters whose paragraphs are `b_1`, `b_2` and so on; every picture is one pixel, but those called missing. */
export function compiled(
  chapters: readonly Written[],
  { metadata = {}, notes = [] }: { metadata?: Partial<BookMetadata>; notes?: readonly CompiledNote[] } = {},
): CompiledBook {
  let count = 0;
  const stored = chapters.map(({ title = "One", part, markdown }, at) => {
    const prose = parseMarkdown(markdown);
    const blocks = withLeafIds(
      prose.blocks,
      leafIds(prose.blocks).map(() => `b_${++count}`),
    );
    return {
      id: `ch_${at + 1}`,
      revision: 3,
      title,
      part: part ?? null,
      wordCount: 700,
      prose: () => ({ ...prose, blocks }),
    };
  }) as unknown as StoredChapter[];
  return compile(
    { id: "bk_1", title: "The Ferry & the Fog", chapters: stored },
    {
      metadata: { ...METADATA, ...metadata },
      modifiedAt: Date.UTC(2026, 4, 3, 10),
      notes: new Map([["ch_1", notes]]),
      picture: (_, path) => (path.includes("missing") ? undefined : readPicture("pixel", PIXEL)),
    },
  );
}
