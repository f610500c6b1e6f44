import type { JSX } from "preact";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { write } from "../../api/write.ts";
import { counted } from "../../parts/numbers.ts";
import { go } from "../../router.ts";
import { leavesOf } from "../read/leaves.ts";
import type { DocNode } from "../read/nodes.ts";
import { Losses } from "./changed-paragraph.tsx";

type Plan = Answer<"restoreRevision">;
type Lost = "mentionsDropped" | "snippetsDetached";

interface CostProps {
  bookId: string;
  chapterId: string;
  revision: number;
  newest: number;
  /** The prose of that revision. */
  doc: DocNode;
}

/** Restores a revision of a chapter, unless somebody has written since `newest`; then goes to an address. */
export async function restoreRevision(
  { id, title }: { id: string; title: string },
  { revision, newest, to }: { revision: number; newest: number | undefined; to: string },
): Promise<void> {
  const answer = await write(
    "restoreRevision",
    { params: { chapterId: id }, body: { revision, ifRevision: newest } },
    `“${title}” is back at revision ${revision}.`,
  );
  if (answer !== undefined) go(to);
}

/** The losses and gains of restoring a revision, shown before anything is written. */
export function Cost({ bookId, chapterId, revision, newest, doc }: CostProps): JSX.Element | null {
  const params = { chapterId };
  const notes = useRead("listSnippets", { params: { bookId }, query: { chapterId } });
  const { answer: plan, isLoading } = useAnswer(
    "restoreRevision",
    { params, query: { dryRun: "1" }, body: { revision } },
    { version: newest },
  );
  if (plan === undefined || isLoading) return null; // a refusal is shown when it is restored
  const ids = new Set(leavesOf(doc).map(([blockId]) => blockId));
  const back = (notes.answer?.snippets ?? []).filter(
    ({ detached }) => detached?.blockId && ids.has(detached.blockId),
  ).length;
  return (
    <p class="callout" role="status">
      {costOf(plan)}
      {back > 0 && ` ${counted(back, "note")} would come back to ${back === 1 ? "its" : "their"} paragraph.`}{" "}
      Nothing is written until you restore it.
    </p>
  );
}

/** Says what a restore of a chapter or a book would cost. */
export function costOf({ mentionsDropped, snippetsDetached }: Pick<Plan, Lost>): JSX.Element {
  const mentions = mentionsDropped as Exclude<Plan["mentionsDropped"], number>; // asked for whole
  const notes = snippetsDetached as Exclude<Plan["snippetsDetached"], number>; // as above
  if (mentions.length + notes.length === 0)
    return (
      <>
        <b>Restoring would cost nothing</b>: every mention and every note has its place there.
      </>
    );
  return (
    <>
      <b>Restoring would cost</b> <Losses mentions={mentions} notes={notes} />.
    </>
  );
}
