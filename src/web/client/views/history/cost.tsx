import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask } from "../../api/ask.ts";
import type { Answer } from "../../api/operations.ts";
import { useRead } from "../../api/reads.ts";
import { counted } from "../../parts/numbers.ts";
import type { DocNode } from "../read/nodes.ts";
import { Losses } from "./losses.tsx";
import { leafIds } from "./rows.ts";

type Plan = Answer<"restoreRevision">;

/** What restoring a revision would cost, and what would come back, before anything is written. */
export function Cost({
  bookId,
  chapterId,
  revision,
  newest,
  doc,
}: {
  bookId: string;
  chapterId: string;
  revision: number;
  newest: number;
  /** The prose of that revision. */
  doc: DocNode;
}): JSX.Element | null {
  const [plan, setPlan] = useState<Plan>();
  const notes = useRead("listSnippets", { params: { bookId }, query: { chapterId } });
  useEffect(() => {
    setPlan(undefined);
    const gone = new AbortController();
    ask("restoreRevision", {
      params: { chapterId },
      query: { dryRun: "1" },
      body: { revision },
      signal: gone.signal,
    }).then(setPlan, () => undefined); // what is wrong with it is said when it is restored
    return () => gone.abort();
  }, [chapterId, revision, newest]);
  if (plan === undefined) return null;
  const ids = new Set(leafIds(doc));
  const back = (notes.answer?.snippets ?? []).filter(
    ({ detached }) => detached?.blockId && ids.has(detached.blockId),
  ).length;
  return (
    <p class="cost" role="status">
      {costOf(plan)}
      {back > 0 && ` ${counted(back, "note")} would come back to ${back === 1 ? "its" : "their"} paragraph.`}{" "}
      Nothing is written until you say so.
    </p>
  );
}

function costOf({ mentionsDropped, snippetsDetached }: Plan): JSX.Element {
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
