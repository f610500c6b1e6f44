import type { BookId, ChapterId } from "../../../src/ids.ts";
import { createFact } from "../../../src/service/annotations/facts.ts";
import { reanchorMentions } from "../../../src/service/annotations/mentions.ts";
import { createChapter } from "../../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../../src/service/books/read-chapter.ts";
import type { Manuscript } from "../../../src/service/manuscript.ts";
import { replaceProse } from "../../../src/service/prose/replace-prose.ts";
import { replaceInBook } from "../../../src/service/prose/replace-text.ts";
import { BOOKS } from "./books.ts";

/** One request over HTTP, or what the command line alone can ask for. */
export type Asked = { method: string; path: string; type?: string; body?: string } | (() => unknown);

/** Where a line is laid out: an empty book with one empty chapter. */
export interface Ground {
  manuscript: Manuscript;
  bookId: BookId;
  chapterId: ChapterId;
}

/** An input that a size makes larger, and what is then asked. Measured at `size`, twice and four times as much. */
export interface Line {
  name: string;
  size: number;
  /** Lays out the input and says what is to be measured. */
  lay(ground: Ground, size: number): Asked;
}

const OWNER = { source: "cli" } as const;
const KIB = 1024;
const MIB = 1024 * KIB;

/** A text, or what makes one of its number, again and again until there are so many characters. */
function fill(part: string | ((at: number) => string), characters: number): string {
  if (typeof part === "string") return part.repeat(Math.ceil(characters / part.length)).slice(0, characters);
  const parts: string[] = [];
  for (let length = 0, at = 0; length < characters; at++) {
    const next = part(at);
    parts.push(next);
    length += next.length;
  }
  return parts.join("").slice(0, characters);
}

function put(chapterId: ChapterId, markdown: string): Asked {
  return { method: "PUT", path: `/chapters/${chapterId}/prose`, type: "text/markdown", body: markdown };
}

function putDoc(chapterId: ChapterId, doc: unknown): Asked {
  const type = "application/json";
  return { method: "PUT", path: `/chapters/${chapterId}/prose`, type, body: JSON.stringify({ doc }) };
}

/** A PUT of so many characters of Markdown, at its largest a quarter of the size times four. */
function markdown(name: string, size: number, make: (characters: number) => string): Line {
  return { name: `PUT ${name}`, size, lay: ({ chapterId }, n) => put(chapterId, make(n)) };
}

const repeated = (name: string, size: number, part: string | ((at: number) => string)): Line =>
  markdown(name, size, (characters) => fill(part, characters));

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });
const inQuotes = (depth: number, node: unknown): unknown =>
  depth === 0 ? node : inQuotes(depth - 1, { type: "blockquote", content: [node] });

function document(name: string, size: number, make: (n: number) => unknown[]): Line {
  return {
    name: `PUT doc: ${name}`,
    size,
    lay: ({ chapterId }, n) => putDoc(chapterId, { type: "doc", content: make(n) }),
  };
}

/** A chapter of this Markdown, with a fact that is anchored wherever it is named. */
function anchored(
  { manuscript, bookId }: Ground,
  text: string,
  name = "Mara",
): { chapterId: string; factId: string } {
  const { id: chapterId } = createChapter(manuscript, bookId, { title: "Full", markdown: text }, OWNER);
  const { id: factId } = createFact(manuscript, bookId, { name }, OWNER);
  reanchorMentions(manuscript, bookId, OWNER);
  return { chapterId, factId };
}

function fact(name: string, size: number, make: (n: number) => string): Line[] {
  return (["GET", "DELETE"] as const).map((method) => ({
    name: `${method} fact, mentioned in ${name}`,
    size,
    lay: (ground, n) => ({ method, path: `/facts/${anchored(ground, make(n)).factId}` }),
  }));
}

function search(name: string, size: number, make: (characters: number) => string): Line {
  return {
    name: `first search: ${name}`,
    size,
    lay: ({ manuscript, bookId }, n) => {
      createChapter(manuscript, bookId, { title: "Full", markdown: make(n) }, OWNER);
      return { method: "GET", path: `/books/${bookId}/search?q=lamp` };
    },
  };
}

const WORDS =
  "the ferry lamp tide bell harbour night rope stone letter window nobody kept turned waited under".split(
    " ",
  );
const word = (at: number) => WORDS[(at * 7 + (at >> 4)) % WORDS.length]!; // within the list
const sentence = (at: number) =>
  `${Array.from({ length: 12 }, (_, index) => word(at * 13 + index * index)).join(" ")}. `;

function someFacts({ manuscript, bookId }: Ground, count: number): void {
  for (let at = 0; at < count; at++)
    createFact(manuscript, bookId, { name: `Name${at.toString(36)}x`, kind: "character" }, OWNER);
}

const MARKDOWN: readonly Line[] = [
  markdown(
    "one long definition, used again and again",
    15 * KIB,
    (n) => `[r]: /${"u".repeat(n / 2)}\n\n${fill("[r]\n\n", n / 2)}`,
  ),
  markdown(
    "one long definition, used again and again in one paragraph",
    120 * KIB,
    (n) => `[r]: /${"u".repeat(n / 2)}\n\n${fill("[r] ", n / 2)}`,
  ),
  repeated("plain paragraphs", MIB, (at) => `${sentence(at)}${sentence(at + 1)}\n\n`),
  repeated("list, loose", MIB, (at) => `- ${sentence(at)}\n\n`),
  repeated("list, tight, short entries", 16 * KIB, "- a\n"),
  repeated("quotes in quotes", MIB, (at) => `${"> ".repeat(1 + (at % 40))}${word(at)}\n\n`),
  repeated("quote of many paragraphs", MIB, (at) => `> ${sentence(at)}\n>\n`),
  markdown(
    "definitions and their uses",
    MIB,
    (n) => `${fill((at) => `[r${at}]: /u${at}\n`, n / 2)}\n${fill((at) => `[r${at}] `, n / 2)}`,
  ),
  repeated("pairs of emphasis", MIB, "*a* **b** "),
  repeated("dialogue", MIB, (at) => `“${word(at)}, no,” she said ${at % 9}.\n\n`),
  repeated("fences nobody closed", 16 * KIB, "```\n\n"),
  repeated("rules between letters", 16 * KIB, "a\n\n***\n\n"),
  repeated("blanks at line ends", 256 * KIB, `a${" ".repeat(40)}\n`),
  repeated("headings", 32 * KIB, "# a\n"),
  repeated("underlined headings", 32 * KIB, "a\n=\n\n"),
  repeated("paragraphs of one letter", 15 * KIB, "a\n\n"),
  repeated("a tag of many attributes", MIB, (at) => (at === 0 ? "x <a" : " b=c")),
  repeated("HTML in one block", MIB, (at) => (at === 0 ? "<div" : " b=c")),
  repeated("brackets", 256 * KIB, "["),
  repeated("backslashes", MIB, "\\*"),
  repeated("tables", 256 * KIB, "| a | b |\n|---|---|\n| c | d |\n\n"),
  repeated("footnotes", 128 * KIB, (at) => `[^${at}]: a\n\n`),
  {
    name: "PUT near-equal dialogue over itself",
    size: 128 * KIB,
    lay: ({ manuscript, bookId }, n) => {
      const text = (said: string) => fill((at) => `“${word(at)}, no,” ${said} ${at % 9}.\n\n`, n);
      const { id } = createChapter(manuscript, bookId, { title: "Full", markdown: text("she said") }, OWNER);
      return put(id as ChapterId, text("he replied"));
    },
  },
  {
    name: "PATCH with an unclosed mark, again and again",
    size: MIB,
    lay: ({ manuscript, bookId }, n) => {
      const { id } = createChapter(manuscript, bookId, { title: "Full", markdown: "One." }, OWNER);
      const answer = readChapterAnswer(manuscript, id as ChapterId, { format: "doc" }) as unknown as {
        doc: { content: { attrs: { blockId: string } }[] };
      };
      const { blockId } = answer.doc.content[0]!.attrs; // it has one paragraph
      const path = `/chapters/${id}/paragraphs/${blockId}`;
      return { method: "PATCH", path, type: "text/markdown", body: fill("*a ", n) };
    },
  },
];

/** A new chapter of this Markdown, and the ids of its leaves. */
function laid({ manuscript, bookId }: Ground, text: string): { id: ChapterId; leaves: string[] } {
  const { id } = createChapter(manuscript, bookId, { title: "Full", markdown: text }, OWNER);
  const sql =
    "SELECT l.id FROM leaves l JOIN blocks b ON b.id = l.row_id WHERE b.chapter_id = ? ORDER BY b.rank, l.place";
  return { id: id as ChapterId, leaves: manuscript.store.list<string>(sql, id) };
}

/** A proposal of so many edits, each of its paragraph. */
function proposal(
  name: string,
  size: number,
  make: { text: (n: number) => string; edit: (at: number, n: number) => { op: string; markdown: string } },
): Line {
  return {
    name: `POST proposal: ${name}`,
    size,
    lay: (ground, n) => {
      const { id, leaves } = laid(ground, make.text(n));
      const edits = leaves.map((blockId, at) => ({ blockId, ...make.edit(at, n) }));
      const body = JSON.stringify({ revision: 1, edits });
      return { method: "POST", path: `/chapters/${id}/proposals`, type: "application/json", body };
    },
  };
}

const unlike = (at: number, characters: number) =>
  fill((part) => `${word(part + at)}${(part * 31 + at) % 97} `, characters);
const many = (n: number, make: (at: number) => string) =>
  Array.from({ length: n }, (_, at) => make(at)).join("");

const REVIEWED: readonly Line[] = [
  proposal("paragraphs, each replaced by another", 250, {
    text: (n) => many(n, (at) => `${unlike(at, 480)}\n\n`),
    edit: (at) => ({ op: "replace", markdown: unlike(at + 7, 480) }),
  }),
  proposal("one paragraph of unclosed marks", 240_000, {
    text: () => "One.",
    edit: (_, n) => ({ op: "replace", markdown: fill("*a ", n) }),
  }),
  proposal("an entry behind each entry of a list", 250, {
    text: (n) => many(n, (at) => `- ${unlike(at, 60)}\n`),
    edit: (at) => ({ op: "insert_after", markdown: `- ${unlike(at + 7, 60)}` }),
  }),
  ...[500, 40_000].map(
    (characters): Line => ({
      name: `GET diff of unlike paragraphs of ${characters} characters`,
      size: 1_000_000,
      lay: (ground, n) => {
        const text = (first: number) =>
          many(Math.floor(n / (characters + 2)), (at) => `${unlike(at + first, characters)}\n\n`);
        const { id, leaves } = laid(ground, text(0));
        const nodes = leaves.map((blockId, at) => ({
          ...paragraph(unlike(at + 7, characters)),
          attrs: { blockId },
        }));
        replaceProse(ground.manuscript, id, { doc: { type: "doc", content: nodes } }, OWNER);
        return { method: "GET", path: `/chapters/${id}/diff` };
      },
    }),
  ),
  {
    name: "POST facts/merge, mentioned in one paragraph",
    size: 1250,
    lay: (ground, n) => {
      const { factId: dropId } = anchored(ground, "Mara ".repeat(n));
      const { id: keepId } = createFact(ground.manuscript, ground.bookId, { name: "Lara" }, OWNER);
      const body = JSON.stringify({ keepId, dropId });
      return { method: "POST", path: "/facts/merge", type: "application/json", body };
    },
  },
];

const DOCUMENTS: readonly Line[] = [
  document("lists for nodes", 1_300_000, (n) => Array.from({ length: n }, () => [])),
  document("lines in 95 quotes", MIB / 4, (n) => [inQuotes(95, paragraph(`${fill("a\n", n - 2)}a`))]),
  document("stars", 4_000_000, (n) => [paragraph(fill("*", n))]),
  document("escapes", 512 * KIB, (n) => [paragraph(fill("*_`[<&~\\ a", n))]),
  document("paragraphs without ids", 5000, (n) => Array.from({ length: n }, (_, at) => paragraph(word(at)))),
  document("empty paragraphs", 5000, (n) => Array.from({ length: n }, () => ({ type: "paragraph" }))),
];

const ANNOTATIONS: readonly Line[] = [
  ...fact("one list", 5000, (n) => "- Mara\n".repeat(n)),
  ...fact("one quote of paragraphs", 5000, (n) => "> Mara\n>\n".repeat(n)),
  ...fact("one paragraph", 1250, (n) => "Mara ".repeat(n)),
  ...fact("paragraphs", 5000, (n) => "Mara\n\n".repeat(n)),
  {
    name: "POST mentions in one paragraph",
    size: 1250,
    lay: (ground, n) => {
      const { manuscript, bookId } = ground;
      const { id } = createChapter(manuscript, bookId, { title: "Full", markdown: "Mara ".repeat(n) }, OWNER);
      const { id: factId } = createFact(manuscript, bookId, { name: "Mara" }, OWNER);
      const answer = readChapterAnswer(manuscript, id as ChapterId, { format: "doc" }) as unknown as {
        doc: { content: { attrs: { blockId: string } }[] };
      };
      const { blockId } = answer.doc.content[0]!.attrs; // it has one paragraph
      const mentions = Array.from({ length: n }, (_, at) => ({
        factId,
        blockId,
        from: at * 5,
        to: at * 5 + 4,
      }));
      const body = JSON.stringify({ revision: 1, mentions });
      return { method: "POST", path: `/chapters/${id}/mentions`, type: "application/json", body };
    },
  },
  {
    name: "GET doc, mentions in one paragraph",
    size: 1250,
    lay: (ground, n) => ({
      method: "GET",
      path: `/chapters/${anchored(ground, "Mara ".repeat(n)).chapterId}?format=doc`,
    }),
  },
  {
    name: "check with so many facts",
    size: 625,
    lay: (ground, n) => {
      someFacts(ground, n);
      const { manuscript, bookId } = ground;
      const { id } = createChapter(
        manuscript,
        bookId,
        { title: "Full", markdown: fill((at) => sentence(at) + (at % 9 ? "" : "\n\n"), MIB) },
        OWNER,
      );
      return { method: "POST", path: `/chapters/${id}/check` };
    },
  },
  {
    name: "reanchor with so many facts",
    size: 2500,
    lay: (ground, n) => {
      someFacts(ground, n);
      const { manuscript, bookId } = ground;
      createChapter(
        manuscript,
        bookId,
        { title: "Full", markdown: fill((at) => sentence(at) + (at % 9 ? "" : "\n\n"), MIB) },
        OWNER,
      );
      return { method: "POST", path: `/books/${bookId}/mentions/reanchor` };
    },
  },
  {
    name: "detect, so many capitalised words",
    size: 40_000,
    lay: ({ manuscript, bookId }, n) => {
      const { id } = createChapter(manuscript, bookId, { title: "Full", markdown: "Mara ".repeat(n) }, OWNER);
      return { method: "POST", path: `/chapters/${id}/detect` };
    },
  },
  {
    name: "replace over blanks",
    size: 64 * KIB,
    lay: ({ manuscript, bookId }, n) => {
      const markdown = `a\n\n\`\`\`\n${" ".repeat(n)}a\n\`\`\`\n`;
      createChapter(manuscript, bookId, { title: "Full", markdown }, OWNER);
      return () => replaceInBook(manuscript, bookId, { find: " -", with: "–" }, OWNER);
    },
  },
];

const SEARCHES: readonly Line[] = [
  search(
    "base64 in HTML",
    256 * KIB,
    (n) => `<img src="data:image/png;base64,${fill((at) => `${(at * 7919).toString(36)}+/`, n)}">`,
  ),
  search("one word", 256 * KIB, (n) => fill("the ", n)),
  search("a Chinese paragraph", 170 * KIB, (n) =>
    fill((at) => String.fromCharCode(0x4e00 + ((at * 7919) % 5000)), n),
  ),
  search("Thai without blanks", 40 * KIB, (n) => fill("แม่น้ำในตอนเช้า", n)),
  search("HTML in one block", MIB, (n) => fill((at) => (at === 0 ? "<div" : " b=c"), n)),
  search("one long paragraph", 512 * KIB, (n) => fill(sentence, n)),
  {
    name: "search after so many facts of 200 aliases changed",
    size: 100,
    lay: ({ manuscript, bookId }, n) => {
      createChapter(manuscript, bookId, { title: "Full", markdown: "The lamp." }, OWNER);
      return () => {
        for (let at = 0; at < n; at++) {
          const aliases = Array.from({ length: 200 }, (_, index) => `Alias ${at} ${index}`);
          createFact(manuscript, bookId, { name: `Name ${at}`, aliases }, OWNER);
        }
      };
    },
  },
];

/** Every line that is measured for promise 13 of TRUST.md. */
export const LINES: readonly Line[] = [
  ...MARKDOWN,
  ...REVIEWED,
  ...DOCUMENTS,
  ...ANNOTATIONS,
  ...SEARCHES,
  ...BOOKS,
];
