import { checkText, TEXTS } from "../../../service/field-rules.ts";
import { type FactRenamed, renameFact } from "../../../service/prose/rename-fact.ts";
import { counted } from "../../../text/columns.ts";
import { type Call, reply, takeBack, type WriteOptions } from "../../io/call.ts";
import { type Terminal, talk } from "../../io/terminal.ts";
import { showReplaced } from "../../output/word-diff.ts";
import { resolveFact } from "./facts.ts";

interface RenameOptions extends WriteOptions {
  book?: string;
  prose?: boolean;
  alias: boolean;
}

/** Gives a fact another name, with `--prose` in all of the prose; shows each paragraph, and says what stays as it was. */
export async function factsRename(
  call: Call,
  [wanted, name]: [string, string],
  { book, prose = false, alias, dryRun = false }: RenameOptions,
): Promise<void> {
  const renaming = { name: checkText("The name", name, TEXTS.name), prose, alias };
  const manuscript = await call.open();
  const { id } = resolveFact(manuscript, wanted, book);
  const answer = renameFact(manuscript, id, renaming, { source: "cli", dryRun });
  await reply(call, answer, (done) => `${dryRun ? "Would rename " : ""}${show(call.terminal, done)}`);
  if (call.json) return;
  for (const note of notes(answer, prose)) await talk(call.terminal, note);
  await talk(call.terminal, takeBack(answer.act, { isDry: dryRun }));
}

function show(terminal: Terminal, { fact, before, replaced, chapters }: FactRenamed): string {
  const told =
    replaced === 0
      ? []
      : [
          showReplaced(terminal, chapters),
          `${counted(replaced, "place")} in ${counted(chapters.length, "chapter")}`,
        ];
  return [`${fact.id}  ${before} → ${fact.name}`, ...told].join("\n");
}

/** What a writer may think was done and was not. */
function notes(answer: FactRenamed, prose: boolean): string[] {
  const { before, fact, warnings, skipped, doubtful, others, left, beside } = answer;
  const dropped = answer.chapters.flatMap(({ mentionsDropped }) => mentionsDropped).length;
  const stand = left.map(
    ({ text, is, places }) => `“${text}” (${is === "alias" ? "an alias" : "a part of it"}) ${places}×`,
  );
  const held = [
    beside.notes > 0 && counted(beside.notes, "note"),
    beside.synopses > 0 && counted(beside.synopses, "chapter synopsis", "chapter synopses"),
    beside.summaries > 0 && counted(beside.summaries, "fact summary"),
  ].filter(Boolean);
  return [
    ...(warnings.includes("same_name")
      ? [`Another fact is called ${fact.name}; facts merge makes one of two.`]
      : []),
    ...(prose ? [] : ["The prose stays as it is; --prose rewrites it too."]),
    ...(others === 0 ? [] : [`${counted(others, "place")} left: a mention of another fact.`]),
    ...(doubtful === 0
      ? []
      : [
          `${counted(doubtful, "place")} left, at the start of a sentence or in capitals: “${before.toLowerCase()}” is a word too.`,
        ]),
    ...(skipped === 0 ? [] : [`${counted(skipped, "place")} left in code, tables, HTML or addresses.`]),
    ...(stand.length === 0
      ? []
      : [`Left in the prose: ${stand.join(", ")}; "manuscript replace" changes such words.`]),
    ...(held.length === 0 ? [] : [`“${before}” still stands in ${held.join(", ")}.`]),
    ...(dropped === 0 ? [] : [`${counted(dropped, "mention")} dropped.`]),
  ];
}
