import type { ChapterId } from "../../ids.ts";
import { nodeOf, readLeaves } from "../../prose/document/leaves.ts";
import { sameNode } from "../../prose/document/same-node.ts";
import { joinMarkdown } from "../../prose/join-chapter.ts";
import { parseMarkdown } from "../../prose/parse.ts";
import { listCopies } from "../../store/copies.ts";
import { followLinks } from "../../store/put-back-copy.ts";
import { type ProseReader, type Rebuilt, rebuild, type Salvage, salvage } from "../../store/rescue.ts";
import { listBlocks } from "../../store/rows/blocks.ts";
import { findChapter } from "../../store/rows/chapters.ts";
import { type Manuscript, openManuscript } from "../manuscript.ts";
import { replaceProse } from "../prose/replace-prose.ts";
import { deriveBlock, deriveBlockAsBefore } from "../prose/stored-prose.ts";
import { firstMisread } from "./examine.ts";

/** A new manuscript of what was left of a damaged one. */
export interface Rescued extends Rebuilt {
  manuscript: Manuscript;
  salvage: Salvage;
}

/**
 * Makes a new manuscript at `to` of everything that is left of the one at `from`, whatever is wrong with that, of its history, and of
 * the copies that lie beside it. `from` is only read; `makeRoom` is called once something was found. Throws `NotFound`, and `BadRequest` for what is no manuscript.
 */
export function rescue(from: string, to: string, makeRoom: () => void): Rescued {
  const found = salvage(from, { prose: PROSE, copies: listCopies(followLinks(from)) });
  makeRoom();
  const manuscript = openManuscript(to, { create: true, writer: found.account.writer });
  const rebuilt = rebuild(manuscript.store, found);
  for (const { id, isProved } of found.chapters) if (!isProved) readAgain(manuscript, id);
  return { manuscript, salvage: found, ...rebuilt };
}

/** Writes a chapter anew whose Markdown reads otherwise without what is gone of it, as two lists do that nothing parts any more. */
function readAgain(manuscript: Manuscript, id: ChapterId): void {
  const { store } = manuscript;
  const chapter = findChapter(store, id);
  if (chapter === undefined) return;
  const rows = listBlocks(store, id);
  if (firstMisread(chapter, rows) === undefined) return;
  const { bom, eol, head } = chapter;
  const blocks = rows.map((row) => ({ ...row, node: nodeOf(row) }));
  const markdown = joinMarkdown({ bom: bom === 1, eol, head, blocks });
  replaceProse(manuscript, id, { markdown }, { source: "restore" });
}

const BLANK_LINE = /\n[ \t]*\r?\n/;

/** Undefined for what is no prose. */
function attempt<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const PROSE: ProseReader = {
  derive: (stored) => {
    const node = nodeOf({ node: stored });
    return [deriveBlock(node), deriveBlockAsBefore(node)];
  },
  agrees: (source, stored) =>
    attempt(() => {
      const [block, ...others] = parseMarkdown(`${source}\n`).blocks;
      return block !== undefined && others.length === 0 && sameNode(block.node, nodeOf({ node: stored }));
    }) === true,
  part: (chapter, blocks) => {
    const eol = chapter.eol === "crlf" ? "\r\n" : "\n";
    const head = String(chapter.head ?? "");
    const read = blocks.map(({ node, source, gap }) => {
      return { node: String(node), source: String(source), gap: String(gap) };
    });
    for (let at = next(); at !== undefined; at = next())
      for (const block of [read[at - 1], read[at]])
        if (block !== undefined && !BLANK_LINE.test(block.gap)) block.gap = eol + eol;
    return read.map(({ gap }) => gap);

    /** The next block that runs into another and can be parted from it. */
    function next(): number | undefined {
      const at = attempt(() => firstMisread({ bom: 0, eol: eol === "\n" ? "lf" : "crlf", head }, read));
      const around = [read[(at ?? 0) - 1], read[at ?? 0]];
      return around.every((block) => block === undefined || BLANK_LINE.test(block.gap)) ? undefined : at;
    }
  },
  leafTexts: (stored) => readLeaves(nodeOf({ node: stored })),
};
