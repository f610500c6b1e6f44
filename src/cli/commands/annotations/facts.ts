import type { AnswerOf, BodyOf } from "../../../contract/index.ts";
import { BadRequest, NotFound } from "../../../refusals.ts";
import {
  createFact,
  deleteFact,
  listFacts,
  mergeFacts,
  readFact,
  theFact,
  updateFact,
} from "../../../service/annotations/facts.ts";
import { checkText, TEXTS } from "../../../service/field-rules.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import type { FactRenamed } from "../../../service/prose/rename-fact.ts";
import { readPassages } from "../../../service/reading/passages.ts";
import { alignedLines, counted, oneLine } from "../../../text/columns.ts";
import {
  bookAndText,
  type FoundInBook,
  outlineOf,
  resolveBook,
  resolveChapter,
  resolveInBook,
} from "../../input/resolve.ts";
import { reply, replyWrite, takeBack, talkUnlessJson, would } from "../../io/call.ts";
import { styled, type Terminal } from "../../io/terminal.ts";
import { countOf, showKept } from "../../output/losses.ts";
import { showReplaced } from "../../output/word-diff.ts";
import { inBold, inColumns } from "../../output/wrapped.ts";
import type { ROWS } from "../../rows/annotations.ts";
import type { CommandsOf, OptionsOf } from "../../rows/rows.ts";

type FactOptions = OptionsOf<(typeof ROWS)["facts add"]>;

/** The commands on facts. */
export const COMMANDS: CommandsOf<typeof ROWS, "facts"> = {
  "facts list": async (call, { book }) => {
    const manuscript = await call.open();
    const answer = listFacts(manuscript, resolveBook(manuscript, book).id);
    await reply(call, answer, ({ facts }) =>
      inColumns(
        "No facts yet.",
        facts.map(({ id, name, kind, mentionCount, summary }) => [
          ...[id, name, kind],
          counted(mentionCount, "mention"),
          oneLine(summary, 60),
        ]),
        [3],
      ),
    );
  },

  "facts add": async (call, { name: words, ...options }) => {
    const { attribute: attributes = [] } = options;
    const fields = { ...textsOf(options), attributes: attributes.map(pairOf) };
    const manuscript = await call.open();
    const { book, text: name = "" } = bookAndText(manuscript, words, { what: "name", book: options.book });
    const from = fromChapter(manuscript, options.from, book.id);
    const body = {
      ...fields,
      name: checkText("The name", name, TEXTS.name),
      attributes: fields.attributes.map((attribute) => ({ ...attribute, ...from })),
    };
    const answer = createFact(manuscript, book.id, body, call.caller);
    await replyWrite(call, answer, ({ fact }) => `${would(call, "add", `${fact.id}  `)}${fact.name}`);
    if (answer.warnings.includes("same_name"))
      await talkUnlessJson(call, "The book has another fact of this name; facts merge makes one of two.");
  },

  "facts show": async (call, { fact: wanted, book }) => {
    const manuscript = await call.open();
    const { id } = resolveFact(manuscript, wanted, book);
    const answer = { ...readFact(manuscript, id), ...(await readPassages(manuscript, id)) };
    const { chapters } = outlineOf(manuscript, answer.fact.bookId);
    await reply(call, answer, (shown) => showFact(call.terminal, shown, chapters));
  },

  "facts edit": async (call, { fact: wanted, ...options }) => {
    const { book, name, alias, aliases, attribute = [], dropAttribute = [] } = options;
    const dropped = dropAttribute.map((key) => ({ key, value: null }));
    const setAttributes = [...attribute.map(pairOf), ...dropped];
    if (!aliases && alias !== undefined) throw new BadRequest("Give --alias or --no-aliases, not both.");
    const body: BodyOf<"updateFact"> = {
      ...textsOf(options),
      ...(name === undefined ? {} : { name: checkText("The name", name, TEXTS.name) }),
      ...(aliases ? {} : { aliases: [] }),
      ...(setAttributes.length === 0 ? {} : { setAttributes }),
    };
    if (Object.keys(body).length === 0) {
      throw new BadRequest(
        "Nothing to change: give --name, --kind, --alias, --no-aliases, --attribute, --drop-attribute or --summary.",
      );
    }
    const manuscript = await call.open();
    const { id } = resolveFact(manuscript, wanted, book);
    const { fact: before } = readFact(manuscript, id);
    assertAttributes(before, dropAttribute);
    const from = fromChapter(manuscript, options.from, before.bookId);
    const changes = body.setAttributes && {
      setAttributes: body.setAttributes.map((attribute) => ({ ...attribute, ...from })),
    };
    const answer = updateFact(manuscript, id, { ...body, ...changes }, call.caller);
    await replyWrite(call, answer, ({ fact }) => `${would(call, "change")}${fact.id}  ${fact.name}`);
  },

  "facts rename": async (call, { fact: wanted, name, book, prose = false, alias = true }) => {
    const renaming = { name: checkText("The name", name, TEXTS.name), prose, alias };
    const manuscript = await call.open();
    const { id } = resolveFact(manuscript, wanted, book);
    const { renameFact } = await import("../../../service/prose/rename-fact.ts"); // it loads a parser
    const answer = renameFact(manuscript, id, renaming, call.caller);
    const show = () => `${would(call, "rename")}${showRenamed(call.terminal, answer)}`;
    await replyWrite(call, answer, show, [...notesOn(answer, prose), takeBack(call, answer)]);
  },

  "facts merge": async (call, { keep, drop, book }) => {
    const manuscript = await call.open();
    const keepId = resolveFact(manuscript, keep, book).id;
    const { id: dropId, title: dropped } = resolveFact(manuscript, drop, book);
    const answer = mergeFacts(manuscript, { keepId, dropId }, call.caller);
    await replyWrite(call, answer, ({ fact, mentionsMoved, snippet }) => {
      const moved = `${counted(mentionsMoved, "mention")} of ${dropped} ${call.isDry ? "to move" : "moved"}`;
      return `${fact.id}  ${fact.name}: ${moved} to it${showKept(snippet)}`;
    });
  },

  "facts delete": async (call, { fact: wanted, book }) => {
    const manuscript = await call.open();
    const { id, title: name } = resolveFact(manuscript, wanted, book);
    const answer = deleteFact(manuscript, id, call.caller);
    await replyWrite(call, answer, ({ mentionsDropped }) => {
      const dropped = counted(countOf(mentionsDropped), "mention");
      return `${would(call, "delete", "Deleted ")}“${name}”: ${dropped} of it`;
    });
  },
};

function assertAttributes(
  { name, attributes }: AnswerOf<"readFact">["fact"],
  wanted: readonly string[],
): void {
  const keys = attributes.map(({ key }) => key);
  const absent = wanted.find((key) => !keys.includes(key));
  if (absent === undefined) return;
  const has = keys.length === 0 ? "has none" : `has ${keys.join(", ")}`;
  throw new NotFound(`attribute as "${absent}"; ${name} ${has}`);
}

function textsOf({ kind, alias: aliases, summary }: Pick<FactOptions, "kind" | "alias" | "summary">) {
  return {
    ...(kind === undefined ? {} : { kind: checkText("The kind", kind, TEXTS.kind) }),
    ...(aliases === undefined
      ? {}
      : { aliases: aliases.map((alias) => checkText("An alias", alias, TEXTS.name)) }),
    ...(summary === undefined ? {} : { summary: checkText("The summary", summary, TEXTS.summary) }),
  };
}

/** From which chapter on attributes hold; nothing if no chapter is named. */
function fromChapter(
  manuscript: Manuscript,
  wanted: string | undefined,
  book: string,
): { fromChapterId?: string } {
  return wanted === undefined ? {} : { fromChapterId: resolveChapter(manuscript, wanted, book).id };
}

function pairOf(pair: string): { key: string; value: string } {
  const split = pair.indexOf("=");
  if (split < 1) throw new BadRequest(`An attribute is KEY=VALUE, such as eyes=grey, got "${pair}".`);
  const key = checkText("An attribute's key", pair.slice(0, split), TEXTS.name);
  return { key, value: checkText(`The attribute ${key}`, pair.slice(split + 1), TEXTS.attribute) };
}

/** Finds a fact by its id, name or alias. Throws as `resolveChapter` does. */
export function resolveFact(manuscript: Manuscript, wanted: string, book: string | undefined): FoundInBook {
  if (/^fa_[0-9a-z]+$/.test(wanted)) {
    const { id, name: title, bookId } = theFact(manuscript, wanted);
    return { id, title, bookId };
  }
  return resolveInBook(manuscript, wanted, {
    book,
    what: "fact",
    listedBy: "facts list",
    list: (bookId) =>
      listFacts(manuscript, bookId).facts.map(({ id, name, aliases }) => ({ id, title: name, aliases })),
  });
}

function showRenamed(terminal: Terminal, { fact, before, replaced, chapters }: FactRenamed): string {
  const head = `${fact.id}  ${before} → ${fact.name}`;
  if (replaced === 0) return head;
  const sum = `${counted(replaced, "place")} in ${counted(chapters.length, "chapter")}`;
  return [head, showReplaced(terminal, chapters), sum].join("\n");
}

/** Returns what a renaming left as it was, in sentences. */
function notesOn(answer: FactRenamed, prose: boolean): string[] {
  const { before, fact, warnings, skipped, doubtful, others, left, beside } = answer;
  const dropped = answer.chapters.flatMap(({ mentionsDropped }) => mentionsDropped).length;
  const stand = left.map(
    ({ text, is, places }) => `“${text}” (${is === "alias" ? "an alias" : "a part of it"}) ${places}×`,
  );
  const held = [
    beside.notes > 0 && counted(beside.notes, "note"),
    beside.synopses > 0 && counted(beside.synopses, "chapter synopsis", "chapter synopses"),
    beside.summaries > 0 && counted(beside.summaries, "fact summary"),
  ].filter(Boolean);
  const places = (count: number) => counted(count, "place");
  const words = `“${before.toLowerCase()}” is a word too`;
  return [
    warnings.includes("same_name") && `Another fact is called “${fact.name}”; facts merge makes one of two.`,
    !prose && "The prose stays as it is; --prose rewrites it too.",
    others > 0 && `${places(others)} left: a mention of another fact.`,
    doubtful > 0 && `${places(doubtful)} left, at the start of a sentence or in capitals: ${words}.`,
    skipped > 0 && `${places(skipped)} left in code, tables, HTML or addresses.`,
    stand.length > 0 && `Left in the prose: ${stand.join(", ")}; "manuscript replace" changes such words.`,
    held.length > 0 && `“${before}” still stands in ${held.join(", ")}.`,
    dropped > 0 && `${counted(dropped, "mention")} dropped.`,
  ].filter((note) => note !== false);
}

type Shown = AnswerOf<"readFact">;
type Passages = AnswerOf<"readPassages">;

/**
 * A fact as text: its names, kind and summary, its attributes, what the prose says of it, and its mentions under the titles
 * of their chapters.
 */
export function showFact(
  terminal: Terminal,
  { fact, mentions, groups }: Shown & Passages,
  chapters: readonly { id: string; title: string }[],
): string {
  const { id, name, kind, aliases, attributes, summary } = fact;
  const head = [id, styled(terminal, "bold", name), kind].filter(Boolean).join("  ");
  const titleOf = (id: string) =>
    chapters.find((chapter) => chapter.id === id)?.title ?? "a chapter that is gone";
  const about = [aliases.length === 0 ? "" : `also ${aliases.join(", ")}`, summary].filter(Boolean);
  const pairs = alignedLines(
    attributes.map(({ key, value, fromChapterId }) => [
      `${key}:`,
      value + (fromChapterId === undefined ? "" : ` (from ${titleOf(fromChapterId)})`),
    ]),
  );
  const described = groups.flatMap((group) => showGroup(terminal, group));
  const lines = [head, ...about, ...pairs, ...described, "", counted(mentions.length, "mention")];
  let chapter = "";
  for (const mention of mentions) {
    if (mention.chapterId !== chapter)
      lines.push("", `${mention.chapterId}  ${styled(terminal, "bold", mention.chapterTitle)}`);
    chapter = mention.chapterId;
    lines.push(`  ${mention.blockId}  ${around(terminal, mention)}`);
  }
  return lines.join("\n");
}

const TITLE = 24;

/** Shows the sentences about an attribute, one a line behind the title of their chapter, to compare them. */
function showGroup(terminal: Terminal, { attribute, passages }: Passages["groups"][number]): string[] {
  const rows = passages.map((passage) => [oneLine(passage.chapterTitle, TITLE), inBold(terminal, passage)]);
  return ["", styled(terminal, "bold", attribute), ...alignedLines(rows).map((line) => `  ${line}`)];
}

const SHOWN = 40;

/** The mention in bold between what stands next to it, in one line. */
function around(terminal: Terminal, { before, text, after }: Shown["mentions"][number]): string {
  const flat = (part: string) => part.replace(/\s+/g, " ");
  const left = flat(before).length > SHOWN ? `…${flat(before).slice(-SHOWN)}` : flat(before);
  const right = flat(after);
  const shown = right.length > SHOWN ? `${right.slice(0, SHOWN).trimEnd()}…` : right;
  return `${left.toWellFormed()}${styled(terminal, "bold", oneLine(text, 80))}${shown.toWellFormed()}`.trim();
}
