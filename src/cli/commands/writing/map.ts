import { BadRequest } from "../../../refusals.ts";
import {
  type ChapterPassages,
  listPassages,
  type MapAnswer,
  mappedProse,
  writePassages,
} from "../../../service/prose/map-paragraphs.ts";
import { proposeProse } from "../../../service/review/propose-prose.ts";
import { counted } from "../../../text/columns.ts";
import { type FilterInput, runFilter } from "../../input/programs.ts";
import { resolveTarget } from "../../input/resolve.ts";
import { type Call, replyWrite } from "../../io/call.ts";
import { type Terminal, withProgress } from "../../io/terminal.ts";
import { lossesOf, showMoved } from "../../output/losses.ts";
import { replyProposed } from "../../output/proposals.ts";
import { showDiff } from "../../output/word-diff.ts";
import type { CommandsOf } from "../../rows/rows.ts";
import type { ROWS } from "../../rows/writing.ts";

/** Runs a program over each paragraph, or each chapter, and writes what it made of them as one act. */
export const COMMANDS: CommandsOf<typeof ROWS, "map"> = {
  map: async (call, { target: first, command: others, book, by, propose }) => {
    const { target, command } = splitAtProgram(call, first === undefined ? [] : [first, ...others]);
    const manuscript = await call.open();
    const chapters = resolveTarget(manuscript, target, book).map((id) => listPassages(manuscript, id, by));
    const mapped = await runOver(call.terminal, command, chapters);
    if (propose) {
      const read = () =>
        mapped.map((chapter) => ({ chapterId: chapter.chapterId, prose: mappedProse(manuscript, chapter) }));
      const reason = `map ${command.join(" ")}`;
      return await replyProposed(call, proposeProse(manuscript, read, { ...call.caller, reason }));
    }
    const answer = writePassages(manuscript, mapped, call.caller);
    await replyWrite(call, answer, (done) => show(call.terminal, done, call.isDry));
  },
};

/** The target before the program, none if the program's own `--` comes first. Throws `BadRequest` if none is to be run. */
function splitAtProgram({ rest }: Call, words: readonly string[]): { target?: string; command: string[] } {
  const [first, ...others] = words;
  const isLed = first !== undefined && words.length > (rest?.length ?? 0);
  const command = isLed ? others : [...words];
  if (command.length === 0) throw new BadRequest("Name a program behind --, as in: manuscript map 1 -- cat.");
  return isLed ? { target: first, command } : { command };
}

/** The chapters with the passages that the filter changed. */
async function runOver(
  terminal: Terminal,
  command: readonly string[],
  chapters: readonly ChapterPassages[],
): Promise<ChapterPassages[]> {
  const passages = chapters.flatMap((chapter) => chapter.passages);
  const inputs = passages.map(({ chapterId, title, blockId, markdown }): FilterInput => {
    const name = blockId === null ? title : `paragraph ${blockId} of ${title}`;
    const text = blockId === null ? markdown : `${markdown}\n`;
    return { name, text, env: { MANUSCRIPT_CHAPTER: chapterId, MANUSCRIPT_BLOCK: blockId ?? "" } };
  });
  const { cwd, env } = terminal;
  const outputs = await withProgress(terminal, "Mapping", (step) =>
    runFilter({ command, cwd, env }, inputs, step),
  );
  const texts = new Map(
    passages.map((passage, at) => [passage, [inputs[at]!.text, outputs[at]!] as const]), // one each a passage
  );
  return chapters.flatMap(({ passages: own, ...chapter }) => {
    const changed = own.flatMap((passage) => {
      const [before, after] = texts.get(passage)!; // made from the same passages
      return before === after ? [] : [{ ...passage, markdown: after }];
    });
    return changed.length === 0 ? [] : [{ ...chapter, passages: changed }];
  });
}

function show(terminal: Terminal, { chapters, moved }: MapAnswer, isDry: boolean): string {
  if (chapters.length === 0)
    return isDry ? "The filter would change nothing." : "The filter changed nothing.";
  const told = chapters.map(({ chapterId, title, titleChanged, words, paragraphs, ...lost }) => {
    const said = [
      `${counted(paragraphs.length, "paragraph")} ${isDry ? "to change" : "changed"}`,
      `${counted(words.added, "word")} ${isDry ? "to add" : "added"}`,
      `${counted(words.removed, "word")} ${isDry ? "to remove" : "removed"}`,
      ...(titleChanged ? ["its title follows its heading"] : []),
      ...lossesOf(lost, isDry),
    ];
    const head = `${chapterId}  ${title}: ${said.join(", ")}`;
    if (!isDry) return head;
    return [
      head,
      ...paragraphs.map(({ blockId, changes }) => `\n${blockId}\n${showDiff(terminal, changes)}`),
      "",
    ].join("\n");
  });
  return [...told, ...showMoved(moved, isDry)].join("\n");
}
