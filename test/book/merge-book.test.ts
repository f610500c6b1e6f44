import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ChapterFields, ChapterFile, Description, StoredChapter } from "../../src/book/book.ts";
import type { BookBase, LastChapter } from "../../src/book/book-base.ts";
import { type MergeOptions, mergeBook } from "../../src/book/merge-book.ts";
import { planFiles } from "../../src/book/plan/plan-files.ts";
import type { ChapterId } from "../../src/ids.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { store } from "../prose/fidelity.ts";

const FIELDS = { title: "T", status: "draft", synopsis: "", part: null } as const;

/** A chapter's file, its text its hash; what it says of itself, and what its folder says of it. */
interface FileSaid {
  text: string;
  file?: string | null;
  fields?: Partial<ChapterFields> & { id?: string };
  said?: Partial<ChapterFields>;
  /** Its part is that of the folder in which it lies. */
  isFound?: boolean;
  /** A file that may not be read. */
  isClosed?: boolean;
}

function fileOf({
  text,
  file = `${text}.md`,
  fields = {},
  said = {},
  isFound,
  isClosed,
}: FileSaid): ChapterFile {
  const read = () => {
    if (isClosed) throw new Error(`${file} was read`);
    const own = { file, name: file, hash: text, bom: false, frontMatter: "", keptBlock: "", markdown: text };
    return {
      ...own,
      isFound,
      fields: { ...said, ...fields },
      prose: parseMarkdown(`${text}\n`),
      newTitle: `Of ${text}`,
    };
  };
  const fieldsOf = () => read().fields;
  return {
    file,
    name: file,
    hash: text,
    said,
    fields: fieldsOf,
    read,
    parse: read,
  } as unknown as ChapterFile;
}

/** A chapter at revision 1, and what the folder had of it, the same where nothing else is said. */
interface ChapterSaid extends Partial<StoredChapter> {
  text: string;
}

function chapterOf({ text, ...own }: ChapterSaid): StoredChapter {
  const prose = () => store(parseMarkdown(`${text}\n`));
  const known = {
    ...FIELDS,
    id: `ch_${text}`,
    file: `${text}.md`,
    rank: "a",
    revision: 1,
    bom: false,
    eol: "lf",
  };
  return {
    ...known,
    frontMatter: "",
    partId: null,
    prose,
    owns: () => new Set(),
    ...own,
  } as unknown as StoredChapter;
}

/** What a folder had of a chapter; its prose then, if that is still known. */
interface Had extends Partial<LastChapter> {
  text: string;
  prose?: string;
}

function baseOf(had: readonly Had[], description?: Description): BookBase {
  const proseAt = (id: ChapterId) => {
    const prose = had.find(({ text }) => id === `ch_${text}`)?.prose;
    return prose === undefined ? undefined : store(parseMarkdown(`${prose}\n`));
  };
  const last = had.map(({ text, prose: _, ...own }): [ChapterId, LastChapter] => {
    const chapterId = `ch_${text}` as ChapterId;
    const was = { ...FIELDS, chapterId, file: `${text}.md`, hash: text, revision: 1, isMerged: false };
    return [chapterId, { ...was, ...own }];
  });
  const known = new Map(last);
  return {
    description,
    last: known,
    proseAt,
    lastProse: proseAt,
    chapter: ({ id }) => {
      const was = known.get(id);
      return was && { ...was, prose: () => proseAt(id) };
    },
    hasHad: (id, hash) => id === "ch_a" && hash === "older",
  };
}

interface Asked extends MergeOptions {
  files?: readonly FileSaid[];
  chapters?: readonly ChapterSaid[];
  had?: readonly Had[];
  description?: Partial<Description>;
  /** Whether the book is new. */
  isNew?: boolean;
}

const describing = (said: Partial<Description>): Description => ({
  parts: [],
  folders: new Map(),
  manifest: {},
  ...said,
});

function merged({ files = [], chapters = [], had, description, isNew, ...options }: Asked) {
  const id = "bk_own" as never;
  const book = {
    id,
    title: "Tide",
    goal: null,
    manifest: {},
    parts: ["P"],
    chapters: chapters.map(chapterOf),
  };
  return mergeBook(
    {
      base: had && baseOf(had, describing({ folders: new Map([["p", "P"]]), parts: ["P"] })),
      incoming: { chapters: files.map(fileOf), description: description && describing(description) },
      ...(isNew ? {} : { stored: book }),
    },
    options,
  );
}

/** What becomes of each file, and of which the chapter is gone. */
function became(asked: Asked): string {
  const { chapters, deleted } = merged(asked);
  const kinds = chapters.map((plan) => {
    if (plan.kind === "write") return [plan.kind, ...Object.values(plan.fields)].join(" ");
    return "isRenamed" in plan && plan.isRenamed ? `${plan.kind} renamed` : plan.kind;
  });
  return [...kinds, ...deleted.map(({ id, file }) => `${id} of ${file} is deleted`)].join(", ");
}

describe("mergeBook", () => {
  it("calls a new book as the caller, else its folder, else its first file does", () => {
    const [files, description] = [[{ text: "a" }], { title: "Ebb" }];
    assert.equal(merged({ isNew: true, files, description, title: "Flood" }).title, "Flood");
    assert.equal(merged({ isNew: true, files, description }).title, "Ebb");
    assert.equal(merged({ isNew: true, files }).title, "Of a");
    assert.equal(merged({ isNew: true }).title, "Untitled");
    assert.equal(merged({ files, title: "Flood" }).title, "Tide");
    assert.equal(merged({ isNew: true, files, description }).bookId, undefined);
  });

  it("takes what a folder says of a book that is its own, not of another", () => {
    const said = (exportedFrom: string) =>
      merged({ description: { title: "Ebb", exportedFrom: exportedFrom as never } }).description.title;
    assert.equal(said("bk_own"), "Ebb");
    assert.equal(said("bk_other"), undefined);
    assert.equal(merged({ description: { title: "Ebb" } }).description.title, undefined);
  });

  const UNREAD = { text: "a", isClosed: true };
  const [CHAPTER, HAD] = [{ text: "a" }, { text: "a" }];
  const cases: [promise: string, asked: Asked, expected: string][] = [
    ["makes a chapter of a file", { files: [{ text: "a" }] }, "create"],
    ["reads no file that is as it was", { files: [UNREAD], chapters: [CHAPTER], had: [HAD] }, "same"],
    [
      "… leaves it where the manuscript has a later revision",
      { files: [UNREAD], chapters: [{ ...CHAPTER, revision: 2 }], had: [HAD] },
      "left",
    ],
    [
      "… or another title",
      { files: [{ text: "a" }], chapters: [{ ...CHAPTER, title: "U" }], had: [HAD] },
      "left",
    ],
    [
      "… or held more than the file before",
      { files: [UNREAD], chapters: [CHAPTER], had: [{ ...HAD, isMerged: true }] },
      "left",
    ],
    [
      "… though its folder says what it said before",
      { files: [{ ...UNREAD, said: { title: "T" } }], chapters: [CHAPTER], had: [HAD] },
      "same",
    ],
    [
      "reads it where its folder says something else of it",
      { files: [{ text: "a", said: { title: "U" } }], chapters: [CHAPTER], had: [HAD] },
      "write U",
    ],
    ["… where nobody knows its folder", { files: [{ text: "a" }], chapters: [CHAPTER] }, "write"],
    [
      "… and where its text is another",
      { files: [{ text: "b", file: "a.md" }], chapters: [CHAPTER], had: [HAD] },
      "write",
    ],
    [
      "calls it the same where a later revision says what the file does",
      { files: [UNREAD], chapters: [{ ...CHAPTER, revision: 2 }], had: [{ ...HAD, prose: "a" }] },
      "same",
    ],
    [
      "… not if it says something else",
      { files: [UNREAD], chapters: [{ ...CHAPTER, revision: 2 }], had: [{ ...HAD, prose: "b" }] },
      "left",
    ],
    [
      "… nor if it held more than the file before",
      {
        files: [UNREAD],
        chapters: [{ ...CHAPTER, revision: 2 }],
        had: [{ ...HAD, prose: "a", isMerged: true }],
      },
      "left",
    ],
    [
      "… and where the file says the title that is new",
      {
        files: [{ text: "a", fields: { title: "U", synopsis: "" } }],
        chapters: [{ ...CHAPTER, title: "U" }],
        had: [{ ...HAD, prose: "a" }],
      },
      "same",
    ],
    [
      "… or none",
      { files: [{ text: "a" }], chapters: [{ ...CHAPTER, title: "U" }], had: [{ ...HAD, prose: "a" }] },
      "same",
    ],
    [
      "… not if it says the old one",
      {
        files: [{ text: "a", fields: { title: "T", synopsis: "" } }],
        chapters: [{ ...CHAPTER, title: "U" }],
        had: [{ ...HAD, prose: "a" }],
      },
      "left",
    ],
    [
      "tells a new name of a file that it leaves",
      {
        files: [{ text: "a", file: "z.md" }, { text: "b" }],
        chapters: [{ ...CHAPTER, prose: () => store(parseMarkdown("new\n")) }, { text: "b" }],
        had: [{ ...HAD, prose: "a" }, { text: "b" }],
      },
      "left renamed, same",
    ],
    [
      "… and of one that it had renamed in this folder before: no",
      {
        files: [{ text: "a", file: "z.md" }],
        chapters: [CHAPTER],
        had: [{ ...HAD, file: "z.md" }],
      },
      "same",
    ],
    [
      "… nor of a chapter that no file held",
      {
        files: [{ text: "a", file: "z.md", fields: { id: "ch_a" } }],
        chapters: [{ ...CHAPTER, file: null, prose: () => store(parseMarkdown("new\n")) }],
        had: [{ ...HAD, prose: "a", file: null }],
      },
      "left",
    ],
    [
      "… nor of what came from stdin",
      {
        files: [{ text: "a", file: null, fields: { id: "ch_a" } }],
        chapters: [{ ...CHAPTER, prose: () => store(parseMarkdown("new\n")) }],
        had: [{ ...HAD, prose: "a" }],
      },
      "left",
    ],
    [
      "takes the part of the folder that a file was moved to",
      {
        files: [{ text: "a", file: "p/a.md", isFound: true, fields: { part: "P", id: "ch_a" } }],
        chapters: [CHAPTER],
        had: [{ ...HAD, prose: "a" }],
      },
      "write P",
    ],
    [
      "… not of one that it was renamed in",
      {
        files: [{ text: "a", file: "p/z.md", isFound: true, fields: { part: "P", id: "ch_a" } }],
        chapters: [{ ...CHAPTER, file: "p/a.md" }],
        had: [{ ...HAD, file: "p/a.md", prose: "a" }],
      },
      "write",
    ],
    [
      "… but what the file itself says",
      {
        files: [{ text: "a", file: "p/z.md", fields: { part: "P", id: "ch_a" } }],
        chapters: [{ ...CHAPTER, file: "p/a.md" }],
        had: [{ ...HAD, file: "p/a.md", prose: "a" }],
      },
      "write P",
    ],
    [
      "… and of a folder that nobody knows its part",
      {
        files: [{ text: "a", file: "p/a.md", isFound: true, fields: { part: "P" } }],
        chapters: [{ ...CHAPTER, file: "p/a.md" }],
      },
      "write P",
    ],

    [
      "makes no chapter again of a file that nobody has edited",
      { files: [{ text: "a" }], had: [HAD] },
      "ch_a of a.md is deleted",
    ],
    [
      "… also under another name, if it says whose it is",
      { files: [{ text: "a", file: "z.md", fields: { id: "ch_a" } }], had: [HAD] },
      "ch_a of z.md is deleted",
    ],
    ["… but not, if it does not", { files: [{ text: "a", file: "z.md" }], had: [HAD] }, "create"],
    [
      "… also of a text that it had before",
      { files: [{ text: "older", file: "a.md" }], had: [HAD] },
      "ch_a of a.md is deleted",
    ],
    ["… not of one that was edited", { files: [{ text: "b", file: "a.md" }], had: [HAD] }, "create"],
    ["… nor if the files are to win", { files: [{ text: "a" }], had: [HAD], force: "incoming" }, "create"],
    [
      "… nor for what came from stdin",
      { files: [{ text: "a", file: null, fields: { id: "ch_a" } }], had: [HAD] },
      "create",
    ],
    [
      "… nor for a folder of another book",
      { files: [{ text: "a" }], had: [HAD], description: { exportedFrom: "bk_other" as never } },
      "create",
    ],
    [
      "… nor where its chapter stands under another file",
      {
        files: [{ text: "a" }, { text: "b", fields: { id: "ch_a" } }],
        chapters: [{ ...CHAPTER, file: "b.md" }],
        had: [{ ...HAD, file: "b.md" }],
      },
      "create, write",
    ],
  ];
  for (const [promise, asked, expected] of cases) it(promise, () => assert.equal(became(asked), expected));

  it("parses a new book's files anew whenever they are asked for, so that none is held", () => {
    let parsed = 0;
    const given = { text: "a", isClosed: true };
    const parse = () => {
      parsed++;
      return fileOf({ text: "a" }).read();
    };
    const placed = [{ incoming: { ...fileOf(given), parse }, stored: undefined, state: undefined }];
    const { chapters, moves, emptied } = planFiles(placed, {
      base: undefined,
      force: undefined,
      files: [],
      moved: [],
    });
    const [plan] = chapters;
    assert.deepEqual([parsed, moves, emptied, plan?.kind], [0, [], [], "create"]);
    if (plan?.kind !== "create") return;
    plan.read();
    plan.read();
    assert.deepEqual([parsed, plan.arrived.size, plan.isMerged], [2, 0, false]);
  });

  it("makes the parts that files which are read say", () => {
    const { description } = merged({
      files: [
        { text: "a", fields: { part: "Q" }, isClosed: true },
        { text: "b", fields: { part: "R" } },
      ],
      chapters: [CHAPTER],
      had: [HAD],
    });
    assert.deepEqual(description.parts, [{ title: "P", was: "P" }, { title: "R" }]);
  });

  it("takes chapters along whose part gets another title", () => {
    const { order, description } = merged({
      chapters: [{ text: "a", part: "P" }, { text: "b" }],
      had: [],
      description: { exportedFrom: "bk_own" as never, folders: new Map([["p", "First"]]) },
    });
    assert.deepEqual(description.parts, [{ title: "First", was: "P" }]);
    assert.deepEqual(
      order.map((entry) => "rank" in entry && entry.part),
      ["First", null],
    );
  });

  it("puts chapters in the order of the folder's list, new ones too", () => {
    const { order } = merged({
      files: [{ text: "b" }, { text: "n" }, { text: "a" }],
      chapters: [CHAPTER, { text: "b" }],
      description: { exportedFrom: "bk_own" as never, order: ["b.md", "n.md", "a.md"] },
    });
    assert.deepEqual(
      order.map((entry) => ("rank" in entry ? entry.id : entry.kind)),
      ["ch_b", "create", "ch_a"],
    );
  });
});
