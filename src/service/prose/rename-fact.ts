import { LENGTHS } from "../../contract/limits.ts";
import type { LocalAnswer } from "../../contract/local-answers.ts";
import type { ChapterId, FactId } from "../../ids.ts";
import type { Spot } from "../../prose/plan/replace-text.ts";
import { BadRequest } from "../../refusals.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { type ChapterRow, listChapters } from "../../store/rows/chapters.ts";
import { type FactRow, findFact, hasFactNamed, listFacts, updateFact } from "../../store/rows/facts.ts";
import { byBlock, countMentions, listChapterMentions, type MentionRow } from "../../store/rows/mentions.ts";
import { listSnippets } from "../../store/rows/snippets.ts";
import { once } from "../../text/once.ts";
import { ahead } from "../ahead.ts";
import { found } from "../guards.ts";
import { type Caller, type Manuscript, write } from "../manuscript.ts";
import { toFact } from "../present.ts";
import {
  countHolding,
  isCommonWord,
  leftByAll,
  type MentionInText,
  type NameFinder,
  nameFinder,
} from "./find-name.ts";
import {
  chaptersAhead,
  describeReplaced,
  type PlannedReplacing,
  planReplacing,
  replaceInChapter,
} from "./replace-text.ts";

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
  const before = findFact(store, id);
  const plan = planner(manuscript, id, { name, prose });
  const chapters =
    before && prose ? chaptersAhead(() => listChapters(manuscript.store, before.bookId)) : () => [];
  return ahead(store, chapters, plan(before), (recall) =>
    write(manuscript, "renameFact", caller, (act) => {
      const fact = found(findFact(store, id), "fact");
      if (fact.name === name) throw new BadRequest(`The fact is called "${name}" already.`);
      const warnings = hasFactNamed(store, fact.bookId, name) ? ["same_name"] : [];
      const isSame = before !== undefined && keyOf(before) === keyOf(fact);
      const planned = (prose ? listChapters(store, fact.bookId) : []).map((chapter) => ({
        chapter,
        ...(isSame ? recall : plan(fact))(chapter.id),
      }));
      const done = planned.map(({ chapter, replacing }) =>
        replaceInChapter(manuscript, act, chapter, replacing),
      );
      updateFact(store, { ...fact, name, aliases: aliasesOf(fact, { name, alias }) });
      const beside = besideOf(manuscript, fact);
      return () => ({
        fact: toFact(found(findFact(store, id), "fact"), countMentions(store, id)),
        before: fact.name,
        warnings,
        ...describeReplaced(manuscript, done),
        ...leftByAll(planned.map(({ finder }) => finder)),
        beside,
      });
    }),
  );
}

/** What of a fact the prose is searched for. */
const keyOf = ({ name, aliases }: FactRow): string => JSON.stringify([name, aliases]);

/** Plans the new name in one chapter after another, each with a finder of its own. */
function planner(manuscript: Manuscript, id: FactId, { name, prose }: Omit<Renaming, "alias">) {
  const { store } = manuscript;
  return (fact: FactRow | undefined) => {
    const isWord = once(
      () => prose && isCommonWord(known().name, proseOf(manuscript, listChapters(store, known().bookId))),
    );
    const known = () => found(fact, "fact");
    return (chapterId: ChapterId): { finder: NameFinder; replacing: PlannedReplacing } => {
      const finder = nameFinder({ ...known(), to: name, isWord: isWord() });
      const mentions = byBlock(listChapterMentions(store, chapterId));
      const find = (texts: readonly string[], spots: readonly Spot[]) =>
        texts.map((text, at) => finder.find(text, mentionsIn(text, spots[at]!, mentions))); // one spot a text
      return { finder, replacing: planReplacing(manuscript, chapterId, { find, renamed: id }) };
    };
  };
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
  const all = alias ? [...others, before] : others;
  if (all.length > LENGTHS.aliases)
    throw new BadRequest(`aliases must be at most ${LENGTHS.aliases}; rename without keeping the old name.`);
  return all;
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
