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
