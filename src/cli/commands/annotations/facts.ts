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
import { readPassages } from "../../../service/reading/passages.ts";
import { columns, counted, oneLine } from "../../../text/columns.ts";
import {
  bookAndText,
  type FoundInBook,
  outlineOf,
  resolveBook,
  resolveChapter,
  resolveInBook,
} from "../../input/resolve.ts";
import { type Call, reply, replyWrite, type WriteOptions } from "../../io/call.ts";
import { talk } from "../../io/terminal.ts";
import { showFact } from "./show-fact.ts";

interface FactOptions extends WriteOptions {
  book?: string;
  kind?: string;
  alias?: string[];
  summary?: string;
  /** The chapter from which on the attributes hold. */
  from?: string;
}

/** Lists a book's facts. */
export async function factsList(call: Call, [book]: [string?]): Promise<void> {
  const manuscript = await call.open();
  const answer = listFacts(manuscript, resolveBook(manuscript, book).id);
  await reply(call, answer, ({ facts }) =>
    facts.length === 0
      ? "No facts yet."
      : columns(
          facts.map(({ id, name, kind, mentionCount, summary }) => [
            id,
            name,
            kind,
            counted(mentionCount, "mention"),
            oneLine(summary, 60),
          ]),
          [3],
        ),
  );
}

/** Adds a fact: `words` are its name, before which the book may be named. */
export async function factsAdd(
  call: Call,
  [words]: [string[]],
  options: FactOptions & { attribute?: string[] },
): Promise<void> {
  const { attribute: attributes = [], dryRun = false } = options;
  const fields = { ...textsOf(options), attributes: attributes.map(pairOf) };
  const manuscript = await call.open();
  const { book, text: name = "" } = bookAndText(manuscript, words, { what: "name", book: options.book });
  const from = fromChapter(manuscript, options.from, book.id);
  const body = {
    ...fields,
    name: checkText("The name", name, TEXTS.name),
    attributes: fields.attributes.map((attribute) => ({ ...attribute, ...from })),
  };
  const answer = createFact(manuscript, book.id, body, { source: "cli", dryRun });
  await replyWrite(call, answer, ({ fact }) => `${dryRun ? "Would add" : fact.id}  ${fact.name}`);
  if (!call.json && answer.warnings.includes("same_name")) {
    await talk(call.terminal, "The book has another fact of this name; facts merge makes one of two.");
  }
}

/** Shows a fact with all that is known of it, and where it is mentioned. */
export async function factsShow(call: Call, [wanted]: [string], { book }: FactOptions): Promise<void> {
  const manuscript = await call.open();
  const { id } = resolveFact(manuscript, wanted, book);
  const answer = { ...readFact(manuscript, id), ...(await readPassages(manuscript, id)) };
  const { chapters } = outlineOf(manuscript, answer.fact.bookId);
  await reply(call, answer, (shown) => showFact(call.terminal, shown, chapters));
}

/** Changes the fields given. */
export async function factsEdit(
  call: Call,
  [wanted]: [string],
  options: FactOptions & {
    name?: string;
    aliases: boolean;
    attribute?: string[];
    dropAttribute?: string[];
  },
): Promise<void> {
  const { book, name, alias, aliases, attribute = [], dropAttribute = [], dryRun = false } = options;
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
  const answer = updateFact(manuscript, id, { ...body, ...changes }, { source: "cli", dryRun });
  const lead = dryRun ? "Would change " : "";
  await replyWrite(call, answer, ({ fact }) => `${lead}${fact.id}  ${fact.name}`);
}

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

/** Lets one fact absorb another. */
export async function factsMerge(
  call: Call,
  [keep, drop]: [string, string],
  { book, dryRun = false }: FactOptions,
): Promise<void> {
  const manuscript = await call.open();
  const keepId = resolveFact(manuscript, keep, book).id;
  const { id: dropId, title: dropped } = resolveFact(manuscript, drop, book);
  const answer = mergeFacts(manuscript, { keepId, dropId }, { source: "cli", dryRun });
  await replyWrite(
    call,
    answer,
    ({ fact, mentionsMoved }) =>
      `${fact.id}  ${fact.name}: ${counted(mentionsMoved, "mention")} of ${dropped} ${dryRun ? "to move" : "moved"} to it`,
  );
}

/** Deletes a fact and its mentions. */
export async function factsRemove(
  call: Call,
  [wanted]: [string],
  { book, dryRun = false }: FactOptions,
): Promise<void> {
  const manuscript = await call.open();
  const { id, title: name } = resolveFact(manuscript, wanted, book);
  const answer = deleteFact(manuscript, id, { source: "cli", dryRun });
  await replyWrite(call, answer, ({ mentionsDropped }) => {
    const dropped = typeof mentionsDropped === "number" ? mentionsDropped : mentionsDropped.length;
    return `${dryRun ? "Would delete" : "Deleted"} ${name}: ${counted(dropped, "mention")} of it`;
  });
}

function textsOf({ kind, alias: aliases, summary }: FactOptions) {
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
