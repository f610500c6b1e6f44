import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answerCall } from "../../src/mcp/answers/answer-call.ts";
import { type Allowed, toolsFor } from "../../src/mcp/rows/tools.ts";
import { listSnippets } from "../../src/service/annotations/snippets.ts";
import { createBook } from "../../src/service/books/books.ts";
import { createChapter } from "../../src/service/books/chapters.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { listActs } from "../../src/service/history/acts.ts";
import { actsSince, undoSince } from "../../src/service/history/undo.ts";
import { listBooks } from "../../src/service/list-books.ts";
import type { Manuscript } from "../../src/service/manuscript.ts";
import { outlineOf } from "../../src/service/naming/named.ts";
import { numberParagraphs } from "../../src/service/prose/numbered-paragraphs.ts";
import { listProposals } from "../../src/service/review/read-proposal.ts";
import { ALL_CASES } from "../prose/rewrite.ts";
import { dump } from "../support/dump.ts";
import { randomFrom } from "../support/random.ts";
import { OWNER, withSample } from "../support/sample.ts";
import { assertSound } from "../support/sound.ts";

const CALLS = ALL_CASES ? 10_000 : 1000;
const ROUND = 250;
const SEED = Number(process.env.MANUSCRIPT_SEED ?? 16);

const TEXTS = [
  ...["Nobody came.", "# Later", "- rope\n- sail", "> a voice", "* * *", "```\ncode\n```", "One.\n\nTwo."],
  ...[
    "",
    " ",
    "~~~",
    "<b>raw</b>",
    "a\u0000b",
    "[x]: http://y",
    "é́—“”",
    "*",
    "x".repeat(5000),
    "---\ntitle: No\n---",
  ],
];
const GARBAGE: unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e21,
  true,
  [],
  {},
  [[]],
  "",
  "ch_none",
  "b_none",
  "act_none",
  { a: 1 },
];

/** Calls with arguments that are right, nearly right, or nothing of the kind. */
function caller(own: Manuscript, random: () => number) {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const maybe = <Value>(share: number, value: () => Value) => (random() < share ? value() : undefined);
  const chapters = () => listBooks(own).books.flatMap(({ id }) => outlineOf(own, id).chapters);
  const tidyEdit = (id: string): Record<string, unknown> => {
    const { paragraphs } = numberParagraphs(own, id);
    const target = paragraphs.length === 0 ? undefined : pick(paragraphs);
    const word = target?.markdown.split(" ")[0] ?? "";
    if (target === undefined || random() < 0.3)
      return { op: "insert_after", paragraph: target?.number ?? 0, text: pick(TEXTS) };
    if (random() < 0.4) return { paragraph: target.blockId, find: word, text: `${word} indeed` };
    return random() < 0.3
      ? { op: "delete", paragraph: target.number }
      : { paragraph: target.number, text: `${target.markdown} Again ${Math.floor(random() * 1000)}.` };
  };
  const editOf = (id: string): Record<string, unknown> => {
    const { paragraphs } = numberParagraphs(own, id);
    const target = paragraphs.length === 0 ? undefined : pick(paragraphs);
    const words = target?.markdown.split(" ") ?? ["none"];
    const at = Math.floor(random() * words.length);
    return {
      op: maybe(0.6, () => pick(["replace", "insert_after", "delete", "append"])),
      paragraph: maybe(0.7, () =>
        pick<unknown>([target?.number, `¶${target?.number}`, target?.blockId, 0, 99, "b_x"]),
      ),
      find: maybe(0.6, () => words.slice(at, at + 1 + Math.floor(random() * 3)).join(" ")),
      text: maybe(0.8, () => pick(TEXTS)),
    };
  };
  const args = (): Record<string, unknown> => {
    const chapter = pick(chapters());
    const isTidy = random() < 0.5;
    const edits = () =>
      isTidy
        ? [tidyEdit(chapter.id)]
        : Array.from({ length: Math.floor(random() * 4) }, () => editOf(chapter.id));
    const acts = listActs(own, { limit: 20 }).acts.map(({ id }) => id);
    const made = () =>
      listBooks(own).books.flatMap(({ id }) => {
        const beside = [...listSnippets(own, id, {}).snippets, ...listProposals(own, id).proposals];
        return ["sn_none", ...beside.map((one) => one.id)];
      });
    return {
      chapter: maybe(0.9, () =>
        isTidy ? chapter.id : pick<unknown>([chapter.title, chapter.position, "ferry", 7]),
      ),
      revision: maybe(0.9, () =>
        pick<unknown>([chapter.revision, chapter.revision, chapter.revision, 1, 99, "1"]),
      ),
      edits: maybe(0.95, edits),
      dryRun: maybe(0.7, () => pick<unknown>([false, false, "false", true])),
      reason: maybe(0.5, () => pick(TEXTS)),
      paragraph: maybe(0.5, () => pick<unknown>([1, "2", "¶3", 50])),
      kind: maybe(0.3, () => pick(["note", "todo", "place", "scene"])),
      query: maybe(0.9, () => pick(["ferry", "tide -rope", '"old Tobit"', "l*", ""])),
      name: maybe(0.5, () => pick(["Mara", "tobit", "Bell", "Pier"])),
      fact: maybe(0.5, () => pick(["Mara", "tobit", "Bell", "fa_none"])),
      aliases: maybe(0.3, () => [pick(TEXTS)]),
      summary: maybe(0.4, () => pick(TEXTS)),
      attributes: maybe(0.3, () => ({ eyes: pick<unknown>(["grey", null, 3]), [pick(TEXTS)]: pick(TEXTS) })),
      act: maybe(0.5, () => pick(acts)),
      before: maybe(0.2, () => pick(acts)),
      text: maybe(0.9, () => pick(TEXTS)),
      limit: maybe(0.3, () => Math.floor(random() * 10)),
      from: maybe(0.3, () => Math.floor(random() * 10)),
      id: maybe(0.5, () => pick(["pr_none", "x", ...made()])),
      status: maybe(0.5, () => pick(["draft", "done", "open", "WIP"])),
      synopsis: maybe(0.5, () => pick(TEXTS)),
      replyTo: maybe(0.2, () => pick(made())),
      notes: maybe(0.3, () => true),
      book: maybe(0.6, () => pick<unknown>(["The Ferry Book", 1, 1, "Two", "none"])),
    };
  };
  return (keys: readonly string[]): Record<string, unknown> => {
    const all = args();
    const given: Record<string, unknown> = Object.fromEntries(
      keys.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]]])),
    );
    if (random() < 0.07) given[pick(keys)] = pick(GARBAGE);
    if (random() < 0.03) given[pick(["__proto__x", "constructor", "chaptr"])] = pick(GARBAGE);
    return given;
  };
}

const markdownOf = (own: Manuscript) =>
  listBooks(own)
    .books.flatMap(({ id }) => outlineOf(own, id).chapters)
    .map(({ id }) => readChapterAnswer(own, id, { format: "markdown" }));

describe("an agent at random", () => {
  it(`leaves nothing in ${CALLS} calls that undo does not take back to the byte`, async (t) => {
    const { own } = withSample(t);
    const { id: other } = createBook(own, { title: "Two" }, OWNER);
    createChapter(own, other, { title: "Else", markdown: "Alone.\n\nAnd not.\n" }, OWNER);
    const random = randomFrom(SEED);
    const argsOf = caller(own, random);
    const log: string[] = [];
    const told = new Map<string, [done: number, refused: number]>();
    for (let round = 0; round * ROUND < CALLS; round++) {
      const before = dump(own.store);
      const texts = markdownOf(own).map((answer) => "markdown" in answer && answer.markdown);
      const edge = listActs(own, { limit: 1 }).acts[0]?.id ?? "";
      for (let count = 0; count < ROUND; count++) {
        const allowed: Allowed = random() < 0.9 ? "write" : "propose";
        const tools = toolsFor(allowed);
        const tool = tools[Math.floor(random() * tools.length)]!; // there are some
        const args = argsOf(Object.keys(tool.schema().properties ?? {}));
        const answer = await answerCall(
          tools,
          { name: tool.name, args },
          {
            open: () => own,
            by: "random",
            ownOnly: allowed === "propose",
            log: (line) => log.push(`${line}\n${JSON.stringify(args)}`),
          },
        );
        assert.deepEqual(log, []);
        assert.ok(answer.content[0].text.length > 0, tool.name);
        const [done, refused] = told.get(tool.name) ?? [0, 0];
        told.set(tool.name, answer.isError ? [done, refused + 1] : [done + 1, refused]);
      }
      assertSound(own.store);
      const first = listActs(own, { after: edge, limit: 1 }).acts[0]?.id;
      if (first !== undefined) undoSince(own, { act: first }, OWNER, actsSince(own, { act: first }));
      assert.deepEqual(dump(own.store), before);
      assert.deepEqual(
        markdownOf(own).map((answer) => "markdown" in answer && answer.markdown),
        texts,
      );
    }
    for (const [name, [done, refused]] of told) {
      t.diagnostic(`${name}: ${done} done, ${refused} refused`);
      assert.ok(done > CALLS / 400, `${name} was hardly ever done`);
    }
  });
});
