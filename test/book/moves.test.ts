import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BaseChapter, ChapterFile, StoredChapter } from "../../src/book/book.ts";
import type { BookBase, LastChapter } from "../../src/book/book-base.ts";
import { type MergeOptions, mergeBook } from "../../src/book/merge-book.ts";
import type { ChapterPlan } from "../../src/book/plan.ts";
import type { ChapterId } from "../../src/ids.ts";
import { leafIds, readLeaves, withLeafIds } from "../../src/prose/document/leaves.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import type { NewProse, StoredProse } from "../../src/prose/plan.ts";

// A chapter is words: each is a paragraph of that word and four more, and "a1" is another version of "a", "a9" one whose link is
// defined in its chapter, "a8" one with a link of its own, "a7" one much like "b7", and more like "a6", "a+b" a list. In a file "a!" brings
// the block id of a along, "a!z" that of z. Any other word is all that its paragraph says.
const PARAGRAPH = /^([a-z])(\d?)(!?)(.?)$/;

const markdownOf = (words: string) => `${words.split(" ").filter(Boolean).map(paragraphOf).join("\n\n")}\n`;

function paragraphOf(word: string): string {
  if (word.includes("+"))
    return word
      .split("+")
      .map((entry) => `- ${paragraphOf(entry)}`)
      .join("\n");
  const [, letter, version] = PARAGRAPH.exec(word) ?? [];
  if (letter === undefined) return word;
  if (version === "9") return `${letter}9 [link]\n\n[link]: /${letter}`;
  if (version === "7") return `${letter}7 the ferry waits at the quay ${letter.repeat(8)}`;
  if (version === "6") return `${letter}6 the ferry waits at the old quay ${letter.repeat(8)}`;
  if (version === "8") return `${letter}8 [link](/${letter})`;
  return `${letter}${version} ${[8, 6, 7, 5].map((count) => letter.repeat(count)).join(" ")}`;
}

/** The prose of words; where a leaf is stored it has the id `b_a`, in a file only if the word brings one. */
function proseOf(words: string, isStored: boolean): StoredProse {
  const prose = parseMarkdown(markdownOf(words));
  const ids = words
    .split(/[ +]/)
    .filter(Boolean)
    .map((word) => {
      const [, letter = word.toLowerCase(), , mark, other] = PARAGRAPH.exec(word) ?? [];
      return isStored || mark === "!" ? `b_${other || letter}` : null;
    });
  return {
    ...prose,
    blocks: withLeafIds(prose.blocks, ids).map((block, at) => ({
      ...block,
      row: leafIds([block])[0] ?? `r${at}`,
    })),
  };
}

/** The first word of each paragraph, with "!" if it has the id of that, and else with the id that it has. */
function told({ blocks }: NewProse): string {
  const texts = blocks.flatMap(({ node }) => readLeaves(node)).map(({ text }) => text.split(" ")[0] ?? "");
  return leafIds(blocks)
    .map((id, at) => {
      const word = texts[at]!; // as many
      return word + (id === null ? "" : id === `b_${word[0]?.toLowerCase()}` ? "!" : `!${id.slice(2)}`);
    })
    .join(" ");
}

/** A chapter on three sides; null where there is none. Where nothing else is said a side is as `was`. */
interface Sides {
  was: string | null;
  file?: string | null;
  stands?: string | null;
}

function chapterFile(name: string, words: string, isSame: boolean): ChapterFile {
  const prose = proseOf(words, false);
  const isMarked = words.includes("!");
  const own = { file: `${name}.md`, name: `${name}.md`, hash: isSame ? `${name} was` : `${name} is` };
  const incoming = { ...own, bom: false, markdown: markdownOf(words), fields: {}, prose, newTitle: name };
  const read = () => ({ ...incoming, isMarked, mayHaveMore: false });
  return { ...own, said: {}, fields: () => ({}), read, parse: read } as unknown as ChapterFile;
}

const FIELDS = { title: "T", status: "draft", synopsis: "", part: null } as const;

function chapter(name: string, words: string, revision: number): StoredChapter {
  const prose = proseOf(words, true);
  const known = {
    ...FIELDS,
    id: name,
    file: `${name}.md`,
    rank: "a",
    frontMatter: "",
    eol: "lf",
    bom: false,
  };
  const ids = new Set(leafIds(prose.blocks));
  return { ...known, prose: () => prose, owns: () => ids, revision } as unknown as StoredChapter;
}

/** What becomes of the files, of the paragraphs that move, and of chapters without a file. */
function planned(book: Record<string, Sides>, options: MergeOptions = {}) {
  const all = Object.entries(book);
  const last = new Map<ChapterId, LastChapter>();
  const files: ChapterFile[] = [];
  const chapters: StoredChapter[] = [];
  for (const [name, { was, file = was, stands = was }] of all) {
    const own = { ...FIELDS, chapterId: name as ChapterId, file: `${name}.md`, hash: `${name} was` };
    if (was !== null) last.set(own.chapterId, { ...own, revision: 1, isMerged: false });
    if (file !== null) files.push(chapterFile(name, file, file === was));
    if (stands !== null) chapters.push(chapter(name, stands, stands === was ? 1 : 2));
  }
  const wasOf = (id: string) => (book[id]?.was == null ? undefined : proseOf(book[id].was, true));
  const base: BookBase = {
    description: undefined,
    last,
    proseAt: wasOf,
    lastProse: wasOf,
    chapter: ({ id }) => ({ ...FIELDS, hash: `${id} was`, prose: () => wasOf(id) }) as unknown as BaseChapter,
    hasHad: () => false,
  };
  const stored = { id: "bk" as never, title: "", goal: null, manifest: {}, parts: [], chapters };
  const isGone = (file: string) => !files.some((one) => one.file === file);
  const plan = mergeBook({ base, incoming: { chapters: files }, stored }, { isGone, ...options });
  return {
    files: plan.chapters.map(becomes),
    moves: plan.moves.map(
      ({ blockId, from, to, isEdited, wordCount }) =>
        `${blockId.slice(2)} ${from.id}>${nameOf(to)} ${wordCount}${isEdited ? " edited" : ""}`,
    ),
    emptied: plan.emptied.map(
      ({ stored: { id }, prose, left }) =>
        `${id}: ${told(prose)}; without ${[...left].map(([id, { isEdited }]) => id.slice(2) + (isEdited ? " edited" : "")).join(" ")}`,
    ),
  };
}

const nameOf = ({ incoming: { file } }: ChapterPlan) => String(file).slice(0, -3);

const wordsIn = (text = "-") => text.match(/\b[a-z]\d?(?= [a-z[]{5})/g)?.join("+") ?? text;

function becomes(plan: ChapterPlan): string {
  const kind = `${nameOf(plan)}: ${plan.kind}`;
  if (plan.kind === "conflict")
    return `${kind} ${plan.paragraphs.map(({ incoming, stored }) => `${wordsIn(incoming)}|${wordsIn(stored)}`).join(" ")}`;
  if (!("arrived" in plan)) return kind;
  const prose = plan.kind === "create" ? plan.read().prose : plan.prose;
  const left =
    plan.kind === "create"
      ? []
      : [...plan.left].map(([id, { isEdited }]) => `-${id.slice(2)}${isEdited ? " edited" : ""}`);
  const moved = [...[...plan.arrived].map((id) => `+${id.slice(2)}`), ...left].join(" ");
  return [`${kind} ${told(prose)}`, plan.isMerged ? "merged" : "", moved].filter(Boolean).join("; ");
}

describe("a book's paragraphs that go from one file to another", () => {
  const cases: [
    promise: string,
    book: Record<string, Sides>,
    expected: Partial<ReturnType<typeof planned>>,
    options?: MergeOptions,
  ][] = [
    [
      "keep their ids",
      { A: { was: "a b", file: "b" }, B: { was: "c", file: "c a" } },
      { files: ["A: write b; -a", "B: write c a!; +a"], moves: ["a A>B 5"], emptied: [] },
    ],
    [
      "… both ways at once, what was not changed unread",
      { A: { was: "a b", file: "b c" }, B: { was: "c d", file: "d a" }, C: { was: "e" } },
      {
        files: ["A: write b c!; +c -a", "B: write d a!; +a -c", "C: same"],
        moves: ["a A>B 5", "c B>A 5"],
      },
    ],
    [
      "… with new words, if they bring their id along",
      { A: { was: "a b", file: "b" }, B: { was: "c", file: "c a1!" } },
      { files: ["A: write b; -a edited", "B: write c a1!; +a"], moves: ["a A>B 5 edited"] },
    ],
    [
      "… into a file that is new",
      { A: { was: "a b", file: "b" }, B: { was: null, file: "x a" } },
      { files: ["A: write b; -a", "B: create x a!; +a"], moves: ["a A>B 5"] },
    ],
    [
      "… though their own file has new words, too",
      { A: { was: "a b", file: "x b" }, B: { was: "c", file: "a c1" } },
      { files: ["A: write x b; -a", "B: write a! c1; +a"], moves: ["a A>B 5"] },
    ],
    [
      "take the manuscript's edit along",
      { A: { was: "a b", file: "b", stands: "a1 b" }, B: { was: "c", file: "c a" } },
      { files: ["A: write b; -a", "B: write c a1!; merged; +a"], moves: ["a A>B 5"] },
    ],
    [
      "… beside what it has written where they go to",
      { A: { was: "a b", file: "b", stands: "a1 b" }, B: { was: "c", file: "c a", stands: "c d" } },
      { files: ["A: write b; -a", "B: write c! a1! d!; merged; +a"], moves: ["a A>B 5"] },
    ],
    [
      "… into a file that is new",
      { A: { was: "a b", file: "b", stands: "a1 b" }, B: { was: null, file: "x a" } },
      { files: ["A: write b; -a", "B: create x a1!; merged; +a"], moves: ["a A>B 5"] },
    ],
    [
      "… and of several each its own",
      { A: { was: "a b d", file: "b", stands: "a1 b d2" }, B: { was: "c", file: "a c d" } },
      { files: ["A: write b; -a -d", "B: write a1! c d2!; merged; +a +d"], moves: ["a A>B 5", "d A>B 5"] },
    ],
    [
      "are named where both sides have given them other words",
      { A: { was: "a b", file: "b", stands: "a1 b" }, B: { was: "c", file: "c a2!" } },
      { files: ["A: conflict -|a1", "B: conflict a2|a1"], moves: [] },
    ],
    [
      "stay where the manuscript has put a link into them that leads nowhere there",
      { A: { was: "a b", file: "b", stands: "a9 b" }, B: { was: "c", file: "c a" } },
      { files: ["A: conflict -|a9", "B: conflict a|a9"], moves: [] },
    ],
    [
      "wait on both sides where the file that they go to is in conflict",
      { A: { was: "a b", file: "b" }, B: { was: "c", file: "c1 a", stands: "c2" } },
      { files: ["A: conflict -|a", "B: conflict c1|c2"], moves: [] },
    ],
    [
      "… where the file that they leave is",
      { A: { was: "a b", file: "b1", stands: "a b2" }, B: { was: "c", file: "c a" } },
      { files: ["A: conflict b1|b2", "B: conflict a|-"], moves: [] },
    ],
    [
      "… from file to file, however they are listed, and hold up no other",
      {
        A: { was: "e", file: "e c" },
        B: { was: "c d", file: "d a" },
        C: { was: "a b", file: "b1", stands: "a b2" },
        D: { was: "f g", file: "g" },
        E: { was: "h", file: "f h" },
      },
      {
        files: [
          "A: conflict c|-",
          "B: conflict -|c a|-",
          "C: conflict b1|b2",
          "D: write g; -f",
          "E: write f! h; +f",
        ],
        moves: ["f D>E 5"],
      },
    ],
    [
      "wait with a new file while the one that they leave is in conflict",
      { A: { was: "a b", file: "b1", stands: "a b2" }, B: { was: null, file: "x a" } },
      { files: ["A: conflict b1|b2", "B: conflict a|-"], moves: [] },
    ],
    [
      "… or waits for another",
      {
        A: { was: "a b c", file: "b" },
        B: { was: null, file: "x a" },
        C: { was: "d", file: "d1 c", stands: "d2" },
      },
      { files: ["A: conflict -|a -|c", "B: conflict a|-", "C: conflict d1|d2"], moves: [] },
    ],
    [
      "do not come back where the manuscript has them no more",
      { A: { was: "a b", file: "b", stands: "b" }, B: { was: "c", file: "c a" } },
      { files: ["A: write b", "B: write c; merged"], moves: [] },
    ],
    [
      "… are new where it has not even the chapter that they were in",
      { A: { was: "a b", file: "b", stands: null }, B: { was: "c", file: "c a" } },
      { files: ["A: create b", "B: write c a"], moves: [] },
    ],
    [
      "are copies where they still stand in their own file",
      { A: { was: "a b" }, B: { was: "c", file: "c a" } },
      { files: ["A: same", "B: write c a"], moves: [] },
    ],
    [
      "… and where two files have them",
      { A: { was: "a b", file: "b" }, B: { was: "c", file: "c a" }, C: { was: null, file: "a" } },
      { files: ["A: write b", "B: write c a", "C: create a"], moves: [] },
    ],
    [
      "are not known by a short line",
      { A: { was: "Yes b", file: "b" }, B: { was: "c", file: "c Yes" } },
      { files: ["A: write b", "B: write c Yes"], moves: [] },
    ],
    [
      "come from a chapter whose file is gone",
      { A: { was: "a b", file: null }, B: { was: "c", file: "c a" } },
      { files: ["B: write c a!; +a"], moves: ["a A>B 5"], emptied: ["A: b!; without a"] },
    ],
    [
      "… with new words, if they bring their id along",
      { A: { was: "a b d", file: null }, B: { was: "c", file: "c a1! d" } },
      {
        files: ["B: write c a1! d!; +a +d"],
        moves: ["a A>B 5 edited", "d A>B 5"],
        emptied: ["A: b!; without a edited d"],
      },
    ],
    [
      "… with new words, in the place of one that is somewhat like them",
      { A: { was: "a7 b", file: null }, B: { was: "c7 d", file: "a6 d" } },
      { files: ["B: write a6! d; +a"], moves: ["a A>B 8 edited"], emptied: ["A: b!; without a edited"] },
    ],
    [
      "… into a file that is new, and alone",
      { A: { was: "a b", file: null }, B: { was: null, file: "x a" } },
      { files: ["B: create x a!; +a"], moves: ["a A>B 5"], emptied: ["A: b!; without a"] },
    ],
    [
      "… each chapter by itself",
      { A: { was: "a b", file: null }, B: { was: "c d", file: null }, C: { was: "e", file: "e a c" } },
      {
        files: ["C: write e a! c!; +a +c"],
        moves: ["a A>C 5", "c B>C 5"],
        emptied: ["A: b!; without a", "B: d!; without c"],
      },
    ],
    [
      "… with the words that the manuscript has changed since",
      { A: { was: "a b", file: null, stands: "a1 b" }, B: { was: "c", file: "c a" } },
      { files: ["B: write c a1!; merged; +a"], moves: ["a A>B 5"], emptied: ["A: b!; without a"] },
    ],
    [
      "… also where such words hold a link",
      { A: { was: "a b", file: null, stands: "a8 b" }, B: { was: "c", file: "c a" } },
      {
        files: ["B: write c a8!; merged; +a"],
        moves: ["a A>B 2"],
        emptied: ["A: b!; without a"],
      },
    ],
    [
      "… not where that is defined in the chapter that they leave",
      { A: { was: "a b", file: null, stands: "a9 b" }, B: { was: "c", file: "c a" } },
      { files: ["B: conflict a|a9"], moves: [], emptied: [] },
    ],
    [
      "… not those that folder and manuscript have had elsewhere since",
      { A: { was: "a b", file: null, stands: "b" }, B: { was: "c a", file: "c a! d" } },
      { files: ["B: write c a! d"], moves: [], emptied: [] },
    ],
    [
      "… nor a copy of one",
      {
        A: { was: "a b", file: null, stands: "b" },
        B: { was: "c a", file: "c a" },
        C: { was: "d", file: "d a" },
      },
      { files: ["B: same", "C: write d a"], moves: [], emptied: [] },
    ],
    [
      "… and not while the file that they go to is in conflict",
      { A: { was: "a b", file: null }, B: { was: "c", file: "c1 a", stands: "c2" } },
      { files: ["B: conflict c1|c2"], moves: [], emptied: [] },
    ],
    [
      "… nor while that waits for another",
      {
        A: { was: "a b", file: null },
        B: { was: "c e", file: "c a" },
        C: { was: "d", file: "d1 e", stands: "d2" },
      },
      { files: ["B: conflict -|e a|-", "C: conflict d1|d2"], moves: [], emptied: [] },
    ],
    [
      "go with the list that they are in, and its edit",
      { A: { was: "a+b d", file: "d", stands: "a1+b d" }, B: { was: "c", file: "c a+b" } },
      { files: ["A: write d; -a -b", "B: write c a1! b!; merged; +a +b"], moves: ["a A>B 5", "b A>B 5"] },
    ],
    [
      "… wait where the manuscript has put another entry into it",
      { A: { was: "a+b d", file: "d", stands: "a+b+e d" }, B: { was: "c", file: "c a+b" } },
      { files: ["A: conflict -|a+b+e", "B: conflict a+b|-"] },
    ],
    [
      "… or another for one of them",
      { A: { was: "a+b d", file: "d", stands: "a1+e d" }, B: { was: "c", file: "c a+b" } },
      { files: ["A: conflict -|a1+e", "B: conflict a+b|a1+e"] },
    ],
    [
      "go for the first of two files that bring their id",
      { A: { was: "a b", file: "b" }, B: { was: "c", file: "c a! a1!" }, C: { was: "d", file: "d a1!" } },
      { files: ["A: write b; -a", "B: write c a! a1!; +a", "C: write d a1"], moves: ["a A>B 5"] },
    ],
    [
      "go with the manuscript's words where those are to win and both sides have changed them",
      { A: { was: "a b", file: "b", stands: "a1 b" }, B: { was: "c", file: "c a2!" } },
      { files: ["A: write b; -a", "B: write c a1!; merged; +a"], moves: ["a A>B 5"] },
      { force: "stored" },
    ],
    [
      "… go as the file has them where that is to win",
      { A: { was: "a b", file: "b", stands: "a1 b" }, B: { was: "c", file: "c a2!" } },
      { files: ["A: write b; -a edited", "B: write c a2!; +a"], moves: ["a A>B 5 edited"] },
      { force: "incoming" },
    ],
    [
      "… do not wait for a conflict that is decided",
      { A: { was: "a b", file: "b" }, B: { was: "c", file: "c1 a", stands: "c2" } },
      { files: ["A: write b; -a", "B: write c2! a!; merged; +a"], moves: ["a A>B 5"] },
      { force: "stored" },
    ],
    [
      "… do not stay where a list that the manuscript has cut is to win",
      {
        A: { was: "a+b+c+e f", file: "f", stands: "a+b f" },
        B: { was: "d", file: "d a+b+c+e" },
        C: { was: null, stands: "c+e" },
      },
      {
        files: ["A: write f!; merged; -a -b", "B: write d a! b!; merged; +a +b"],
        moves: ["a A>B 5", "b A>B 5"],
      },
      { force: "stored" },
    ],
    [
      "stay one where both sides have cut a list there",
      { A: { was: "a+b+c+d e f", file: "a+b x c+d e f", stands: "a+b e c+d f" } },
      { files: ["A: write a! b! x e! c! d! f!; merged"] },
    ],
    [
      "… and where only one has, but the other's list is to win",
      { A: { was: "a+b+c+d e", file: "a+b x c+d e", stands: "a+b+c1+d e" } },
      { files: ["A: write a! b! c1! d! x e!; merged"] },
      { force: "stored" },
    ],
    [
      "go from where the manuscript has put them, if their file takes them out",
      { A: { was: "a b", file: "b", stands: "b" }, B: { was: "c", stands: "c a" } },
      { files: ["A: write b", "B: write c!; merged"] },
    ],
    [
      "… from a file that has changed, too",
      { A: { was: "a b", file: "b", stands: "b" }, B: { was: "c", file: "c d", stands: "c a" } },
      { files: ["A: write b", "B: write c d; merged"] },
    ],
    [
      "… not where the manuscript has given them other words as well",
      { A: { was: "a b", file: "b", stands: "b" }, B: { was: "c", stands: "c a1" } },
      { files: ["A: conflict -|a1", "B: left"] },
    ],
    [
      "… unless one side is to win",
      { A: { was: "a b", file: "b", stands: "b" }, B: { was: "c", stands: "c a1" } },
      { files: ["A: write b", "B: write c!; merged"] },
      { force: "incoming" },
    ],
    [
      "wait where they come with other words, and the manuscript has taken them out",
      { A: { was: "a b", file: "b", stands: "b" }, B: { was: "c", file: "c a1!" } },
      { files: ["A: conflict -|-", "B: conflict a1|-"] },
    ],
    [
      "stay in a list of their own where the list that they join is deleted, and that is to win",
      { A: { was: "x a+b", file: "x" }, B: { was: "c+d e", file: "c+d a+b e", stands: "e" } },
      { files: ["A: write x; -a -b", "B: write a! b! e!; merged; +a +b"], moves: ["a A>B 5", "b A>B 5"] },
      { force: "stored" },
    ],
    [
      "… and where a file takes the list out that the manuscript has put them behind",
      {
        A: { was: "x a+b", file: "x", stands: "x a+b g+h" },
        B: { was: "e g+h", stands: "e" },
        C: { was: null, file: "y a+b" },
      },
      {
        files: ["A: write x! g! h!; merged; -a -b", "B: left", "C: create y a! b!; +a +b"],
        moves: ["a A>C 5", "b A>C 5"],
      },
      { force: "incoming" },
    ],
    [
      "stand once where a list has gone in half, and the manuscript has put another before it",
      {
        A: { was: "a+b+c+d e", file: "c+d e", stands: "g+h a+b+c+d e" },
        B: { was: "g+h f", file: "g+h f a+b", stands: "f" },
      },
      {
        files: ["A: write g! h! c! d! e!; merged; -a -b", "B: write f! a! b!; merged; +a +b"],
        moves: ["a A>B 5", "b A>B 5"],
      },
    ],
    [
      "… where the manuscript has joined two lists of which a file has rewritten one",
      { A: { was: "a+b x c+d", file: "a+b x c1+d", stands: "a+b c+d" }, B: { was: "e", stands: "e x" } },
      { files: ["A: write a! b! c1! d!; merged", "B: left"] },
      { force: "incoming" },
    ],
    [
      "… each with its own words where lists of one length meet",
      {
        A: { was: "x", stands: "x a+b+g+h" },
        B: { was: "c+d e", file: "c+d g+h e a+b" },
        C: { was: "z a+b+g+h", file: "z", stands: "z" },
      },
      { files: ["A: left", "B: write c d e; merged", "C: write z"] },
    ],
    [
      "give no id to a new paragraph where they went",
      {
        A: { was: "a+b7 c", file: "g+h a+b7 d7 c", stands: "c" },
        B: { was: "g+h e", file: "e", stands: "e g+h" },
        C: { was: null, stands: "a+b7 y" },
      },
      {
        files: ["A: write g! h! d7 c!; merged; +g +h", "B: write e!; merged; -g -h"],
        moves: ["g B>A 5", "h B>A 5"],
      },
      { force: "incoming" },
    ],
    [
      "wait in the file of a deleted chapter while the file of the chapter that has them does",
      {
        A: { was: "a b", file: "a1 b", stands: null },
        B: { was: "d e", file: "d1 e", stands: "d2 e a b" },
      },
      { files: ["B: conflict d1|d2", "A: conflict b|- a1|-"] },
    ],
  ];
  for (const [promise, book, expected, options] of cases)
    it(promise, () => {
      const found = planned(book, options);
      for (const what of ["files", "moves", "emptied"] as const)
        assert.deepEqual(found[what], expected[what] ?? [], what);
    });
});
