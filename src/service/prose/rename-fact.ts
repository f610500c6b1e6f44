import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { FactId } from "../../ids.ts";
import type { Spot } from "../../prose/replace-text.ts";
import { BadRequest } from "../../refusals.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { type ChapterRow, listChapters } from "../../store/rows/chapters.ts";
import { type FactRow, findFact, hasFactNamed, listFacts, updateFact } from "../../store/rows/facts.ts";
import { byBlock, countMentions, listChapterMentions, type MentionRow } from "../../store/rows/mentions.ts";
import { listSnippets } from "../../store/rows/snippets.ts";
import { found } from "../guards.ts";
import { type Caller, type Manuscript, write, writeOptimistically } from "../manuscript.ts";
import { toFact } from "../present.ts";
import {
  countHolding,
  isCommonWord,
  type MentionInText,
  type NameLeft,
  nameFinder,
} from "./find/find-name.ts";
import { describeReplaced, type PlannedReplacing, planReplacing, replaceInChapter } from "./replace-text.ts";

/** What renaming a fact answers. */
export type FactRenamed = LocalAnswer<"factRenamed">;

/** A fact's new name, and how far it goes. */
export interface Renaming {
  name: string;
  /** Puts it in the old name's place in the prose, too. */
  prose: boolean;
  /** Keeps the old name as an alias. */
  alias: boolean;
}

/**
 * Gives a fact another name, as one act. In the prose the new name takes the old one's place where that is a mention of
 * the fact or a whole word, and no mention is lost; `nameFinder` says which places it leaves. Throws `NotFound`,
 * `BadRequest`, `PayloadTooLarge`; then nothing is changed.
 */
export function renameFact(
  manuscript: Manuscript,
  id: FactId,
  { name, prose, alias }: Renaming,
  caller: Caller,
): FactRenamed {
  const { store } = manuscript;
  const plan = () => planRenaming(manuscript, found(findFact(store, id), "fact"), { name, prose });
  const bookOf = () => findFact(store, id)?.bookId;
  return writeOptimistically(store, bookOf, plan, (made) =>
    write(manuscript, "renameFact", caller, (act) => {
      const fact = found(findFact(store, id), "fact");
      if (fact.name === name) throw new BadRequest(`The fact is called "${name}" already.`);
      const warnings = hasFactNamed(store, fact.bookId, name) ? ["same_name"] : [];
      const { chapters, left } = made();
      const done = chapters.map((chapter) => replaceInChapter(manuscript, act, chapter));
      updateFact(store, { ...fact, name, aliases: aliasesOf(fact, { name, alias }) });
      const beside = besideOf(manuscript, fact);
      return () => ({
        fact: toFact(found(findFact(store, id), "fact"), countMentions(store, id)),
        before: fact.name,
        warnings,
        ...describeReplaced(manuscript, done),
        ...left,
        beside,
      });
    }),
  );
}

/** Plans a fact's new name in the prose of its book, if it goes there, chapter by chapter. */
function planRenaming(
  manuscript: Manuscript,
  fact: FactRow,
  { name, prose }: Pick<Renaming, "name" | "prose">,
): { chapters: PlannedReplacing[]; left: NameLeft } {
  const { store } = manuscript;
  const chapters = prose ? listChapters(store, fact.bookId) : [];
  const isWord = isCommonWord(fact.name, proseOf(manuscript, chapters));
  const finder = nameFinder({ ...fact, to: name, isWord });
  const planned = chapters.map(({ id }) => {
    const mentions = byBlock(listChapterMentions(store, id));
    const find = (texts: readonly string[], spots: readonly Spot[]) =>
      texts.map((text, at) => finder.find(text, mentionsIn(text, spots[at]!, mentions))); // one spot a text
    return planReplacing(manuscript, id, { find, renamed: fact.id });
  });
  return { chapters: planned, left: finder.left() };
}

/** The text of each block. */
function* proseOf({ store }: Manuscript, chapters: readonly ChapterRow[]): Iterable<string> {
  for (const { id } of chapters) for (const { text } of listBlocks(store, id)) yield text;
}

/** The mentions that stand in a text of their leaf, counted in that text. */
function mentionsIn(
  text: string,
  { blockId, from }: Spot,
  mentions: ReadonlyMap<string, readonly MentionRow[]>,
): MentionInText[] {
  return (mentions.get(blockId) ?? [])
    .filter((mention) => mention.from < from + text.length && from < mention.to)
    .map((mention) => ({ factId: mention.factId, from: mention.from - from, to: mention.to - from }));
}

/** The aliases after it: without the new name, and with the old one if that is kept. */
function aliasesOf(
  { name: before, aliases }: FactRow,
  { name, alias }: Pick<Renaming, "name" | "alias">,
): string[] {
  const others = aliases.filter((one) => one !== name && one !== before);
  return alias ? [...others, before] : others;
}

/** Where beside the prose the old name still stands. */
function besideOf({ store }: Manuscript, { bookId, name }: FactRow): FactRenamed["beside"] {
  return {
    notes: countHolding(
      name,
      listSnippets(store, bookId).map(({ text }) => text),
    ),
    synopses: countHolding(
      name,
      listChapters(store, bookId).map(({ synopsis }) => synopsis),
    ),
    summaries: countHolding(
      name,
      listFacts(store, bookId).map(({ summary }) => summary),
    ),
  };
}
