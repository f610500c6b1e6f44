import type { BookId } from "../ids.ts";
import type { Manuscript } from "../service/manuscript.ts";
import { type ProposedProse, proposeProse } from "../service/review/propose-prose.ts";
import type { BookFiles } from "./folder/book-files.ts";
import { loadYaml, planImport } from "./take-in.ts";

/**
 * Changes to a book's prose, proposed from files, and the parts of the files that are not prose of an existing
 * chapter.
 */
export interface ProposedFiles extends ProposedProse {
  bookId: BookId;
  left: {
    file: string | null;
    title: string;
    what: "new chapter" | "fields" | "conflict" | "gone" | "book";
  }[];
}

/**
 * Proposes the changes that files make to an existing book's prose, by the plan of an import. Nothing is written to
 * the manuscript or the files. Throws `NotFound`, `BadRequest`, `PayloadTooLarge`.
 */
export async function proposeFiles(
  manuscript: Manuscript,
  files: BookFiles,
  { bookId, reason, dryRun = false }: { bookId: BookId; reason: string; dryRun?: boolean },
): Promise<ProposedFiles> {
  const yaml = await loadYaml(files);
  return planImport(manuscript, { files, yaml }, { bookId }, (planned) => {
    const left: ProposedFiles["left"] = [];
    const read = () => {
      left.length = 0;
      const { plan } = planned();
      if (plan.outcome.fields.length + plan.outcome.conflicts.length > 0)
        left.push({ file: files.list?.file ?? null, title: plan.title, what: "book" });
      for (const { stored, file } of plan.gone) left.push({ file, title: stored.title, what: "gone" });
      return plan.chapters.flatMap((chapter) => {
        const { file } = chapter.incoming;
        if (chapter.kind === "create") left.push({ file, title: chapter.incoming.name, what: "new chapter" });
        if (chapter.kind === "conflict") left.push({ file, title: chapter.stored.title, what: "conflict" });
        if (chapter.kind !== "write") return [];
        const { stored, fields, prose } = chapter;
        if (Object.keys(fields).length > 0) left.push({ file, title: stored.title, what: "fields" });
        return [{ chapterId: stored.id, prose: { ...prose, bom: stored.bom } }];
      });
    };
    const done = proposeProse(manuscript, read, { source: "import", reason, dryRun });
    return { bookId, ...done, left };
  });
}
