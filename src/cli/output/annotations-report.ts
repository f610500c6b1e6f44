import { EXIT } from "../../contract/problems.ts";
import type { ImportAnswer } from "../../service/interchange/import-book.ts";
import type { Call } from "../io/call.ts";
import { talk } from "../io/terminal.ts";
import { alignedLines, counted, oneLine } from "./columns.ts";

type Entry = (ImportAnswer["facts"] | ImportAnswer["notes"])[number];

/** What became of each fact and note that is not the same, a line each. */
export function showEntries({ facts, notes }: Pick<ImportAnswer, "facts" | "notes">): string[] {
  const changed = [...facts, ...notes].filter(({ status }) => status !== "same");
  return alignedLines(
    changed.map((entry) => [entry.status, entry.id, nameOf(entry), remarkOf(entry)]),
    [],
  );
}

function nameOf(entry: Entry): string {
  return "name" in entry ? oneLine(entry.name, 60) : entry.kind;
}

function remarkOf(entry: Entry): string {
  const { status, gone, fields } = entry;
  const parts = [
    ...(fields ?? []),
    ...(gone === "file" && status === "left"
      ? ["gone from its file; it stays, unless you sync with --delete"]
      : []),
    ...(gone === "manuscript" ? ["gone from the manuscript"] : []),
    ...("mentionsDropped" in entry && entry.mentionsDropped !== undefined && entry.mentionsDropped.length > 0
      ? [`${counted(entry.mentionsDropped.length, "mention")} dropped`]
      : []),
    ...("lost" in entry && entry.lost !== undefined
      ? [`its place was not found; detached from “${oneLine(entry.lost, 60)}”`]
      : []),
  ];
  return parts.join(", ");
}

/** Names each fact and note that both sides changed, and sets the exit code of a conflict if there is one. */
export async function tellEntryConflicts(
  call: Call,
  { facts, notes }: Pick<ImportAnswer, "facts" | "notes">,
): Promise<void> {
  const files = [
    ["facts.yaml", facts],
    ["notes.yaml", notes],
  ] as const;
  for (const [file, entries] of files) {
    for (const entry of entries.filter(({ status }) => status === "conflict")) {
      call.fail(EXIT.conflict);
      const what =
        entry.gone === "manuscript"
          ? "you changed it and the manuscript has given it up"
          : `you and the manuscript both changed its ${(entry.fields ?? []).join(", ")}`;
      await talk(
        call.terminal,
        `${file}, ${nameOf(entry)} (${entry.id}): ${what}; nothing of it was written. Take yours with --force mine, or keep the manuscript's with --force theirs.`,
      );
    }
  }
}
