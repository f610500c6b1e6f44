import { nodeOf, readLeaves } from "../../prose/document/leaves.ts";
import { sameNode } from "../../prose/document/same-node.ts";
import { parseMarkdown } from "../../prose/parse.ts";
import { listCopies } from "../../store/copies.ts";
import { followLinks } from "../../store/put-back-copy.ts";
import { type ProseReader, type Rebuilt, rebuild, type Salvage, salvage } from "../../store/rescue.ts";
import { type Manuscript, openManuscript } from "../manuscript.ts";
import { deriveBlock, deriveBlockAsBefore } from "../prose/stored-prose.ts";

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
  const manuscript = openManuscript(to, { create: true });
  return { manuscript, salvage: found, ...rebuild(manuscript.store, found) };
}

const PROSE: ProseReader = {
  derive: (stored) => {
    const node = nodeOf({ node: stored });
    return [deriveBlock(node), deriveBlockAsBefore(node)];
  },
  agrees: (source, stored) => {
    try {
      const [block, ...others] = parseMarkdown(`${source}\n`).blocks;
      return block !== undefined && others.length === 0 && sameNode(block.node, nodeOf({ node: stored }));
    } catch {
      return false;
    }
  },
  leafTexts: (stored) => readLeaves(nodeOf({ node: stored })),
};
