import { useMemo } from "preact/hooks";
import { useRead } from "../../api/reads.ts";
import { leavesOf } from "../read/leaves.ts";
import { docOf, textOf } from "../read/nodes.ts";

/** The texts of a chapter's paragraphs by their ids, in order; undefined until they are there. */
export function useParagraphs(chapterId: string): ReadonlyMap<string, string> | undefined {
  const { answer } = useRead("readChapter", { params: { chapterId }, query: { format: "doc" } });
  return useMemo(
    () => answer && new Map(leavesOf(docOf(answer)).map(([blockId, leaf]) => [blockId, textOf(leaf)])),
    [answer],
  );
}
