import { actInWords, union } from "../../../contract/act-words.ts";
import type { AnswerOf } from "../../../contract/index.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { BadRequest, Conflict, NotFound, WouldLose } from "../../../refusals.ts";
import {
  type HistoryAct,
  lastAct,
  lastUndo,
  listActs,
  namesOf,
  readAct,
} from "../../../service/history/acts.ts";
import { actsSince, type Since, undoAct, undoActs, undoSince } from "../../../service/history/undo.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { counted } from "../../../text/columns.ts";
import { readMoment } from "../../input/resolve-milestone.ts";
import { canAsk, confirm } from "../../io/ask.ts";
import { type Call, DRY, reply, replyWrite, talkUnlessJson } from "../../io/call.ts";
import { talk } from "../../io/terminal.ts";
import { actsOfRun, runsOf, showRuns } from "../../output/act-runs.ts";
import type { CommandsOf, OptionsOf } from "../../rows/rows.ts";
import type { ROWS } from "../../rows/writing.ts";

type UndoOptions = OptionsOf<(typeof ROWS)["undo"]>;

/** Takes writes back. */
export const COMMANDS: CommandsOf<typeof ROWS, "undo"> = {
  undo: async (call, { act, ...options }) => {
    const { since } = options;
    if (act !== undefined && since !== undefined && !isAct(since))
      throw new BadRequest(
        "Give an act, or --since with a time, not both; a line of the history is: undo ACT --since ACT.",
      );
    const manuscript = await call.open();
    if (act !== undefined && since !== undefined)
      return await takeBackLine(call, manuscript, { first: since, last: act }, options);
    if (since !== undefined) return await takeBackSince(call, manuscript, since, options);
    const before = act === undefined ? lastUndo(manuscript) : undefined;
    const id = act ?? newest(manuscript, before?.id);
    const done = readAct(manuscript, id);
    const names = namesOf([done]);
    if (act === undefined) await assertMeant(call, [done], options);
    const answer = await orSayHow(call, manuscript, done, () => undoAct(manuscript, id, always(call)));
    await replyWrite(
      call,
      answer,
      () => `${call.isDry ? "Would undo" : "Undone"}: ${actInWords(done, names)}, ${done.id}`,
      [
        answer.act === null ? DRY : `Redo it with: manuscript undo ${answer.act}`,
        ...(before === undefined ? [] : [`Redo what was undone before with: manuscript undo ${before.id}`]),
      ],
    );
  },
};

/** An undo is an act even where it changes nothing: else what it undoes would stay the newest for ever. */
function always({ caller }: Call): Call["caller"] {
  return { ...caller, skipsEmpty: false };
}

/** The newest act that can be undone. Throws `NotFound`, which says how to redo the last undo if there was one. */
function newest(manuscript: Manuscript, lastUndone: string | undefined): string {
  try {
    return lastAct(manuscript);
  } catch (error) {
    if (!(error instanceof NotFound) || lastUndone === undefined) throw error;
    throw new NotFound(
      `act: there is nothing left to undo; "manuscript undo ${lastUndone}" redoes what was undone last`,
    );
  }
}

/**
 * What is larger than one chapter is taken back once somebody has said so: on a terminal the writer is asked, else it takes
 * `--yes` or the act's own name. Throws `WouldLose`.
 */
async function assertMeant(
  call: Call,
  acts: readonly HistoryAct[],
  { yes = false }: UndoOptions,
): Promise<void> {
  const { chapters } = union(acts);
  if (call.isDry || yes || chapters.length <= 1) return;
  const [only, ...others] = acts;
  if (only === undefined) return;
  const isOne = others.length === 0;
  const names = namesOf(acts);
  const what = isOne
    ? `${only.id}: ${actInWords(only, names)}`
    : `${counted(acts.length, "act")} on ${counted(chapters.length, "chapter")}`;
  if (!canAsk(call.terminal)) {
    const named = isOne ? `"manuscript undo ${only.id}", or add --yes` : "add --yes";
    throw new WouldLose(
      `That would take back ${what}. Nothing was taken back; if that is what you want, ${named}.`,
    );
  }
  if (!isOne) await talk(call.terminal, showRuns(runsOf(acts), names));
  if (!(await confirm(call.terminal, `Take back ${what}?`))) throw new WouldLose("Nothing was taken back.");
}

/** Runs an undo; where later acts stand in its way, says which, and what to run. */
async function orSayHow<Answer>(
  { json }: Call,
  manuscript: Manuscript,
  done: HistoryAct,
  run: () => Answer,
): Promise<Answer> {
  try {
    return run();
  } catch (error) {
    if (json || !(error instanceof Conflict)) throw error;
    const later = (error.extra.later ?? []) as string[]; // as the undo names them
    if (later.length === 0) throw error;
    const acts = later.map((id) => readAct(manuscript, id));
    const names = namesOf([...acts, done]);
    const lines = acts.map((act) => `  manuscript undo ${act.id}  # ${actInWords(act, names)}`);
    throw new Conflict(
      `${done.id} cannot be undone any more, for it was written over since: ${actInWords(done, names)}. Undo first, in this order:\n${lines.join("\n")}\nor take it back with all that came after it: manuscript undo --since ${done.id}`,
      error.extra,
    );
  }
}

/** Takes back a line of the history: its acts alone, whatever others wrote in between. */
async function takeBackLine(
  call: Call,
  manuscript: Manuscript,
  line: Line,
  options: UndoOptions,
): Promise<void> {
  const acts = actsOfLine(manuscript, line);
  await takeBack(call, manuscript, { acts, options }, () => undoActs(manuscript, { acts }, always(call)));
}

/** The acts that history shows as one line. Throws `NotFound`. */
function actsOfLine(manuscript: Manuscript, { first, last }: Line): string[] {
  const [next] = listActs(manuscript, { after: last, limit: 1 }).acts;
  const range = { before: next?.id, limit: LIMITS.actsMaximum };
  const { acts } = listActs(manuscript, { ...range, group: "sitting" });
  const ids = runsOf(acts.toReversed())
    .map(actsOfRun)
    .find((run) => run[0] === last && run.includes(first));
  if (ids === undefined)
    throw new NotFound(
      `line from ${first} to ${last}; "manuscript history" shows of each line its last act, and the one it began with behind "since"`,
    );
  return ids.slice(0, ids.indexOf(first) + 1);
}

/** Takes back several acts, newest first, all or none. */
async function takeBackSince(
  call: Call,
  manuscript: Manuscript,
  wanted: string,
  options: UndoOptions,
): Promise<void> {
  const since: Since = isAct(wanted) ? { act: wanted } : { at: readMoment(wanted, manuscript.store.clock()) };
  const acts = actsSince(manuscript, since);
  if (acts.length === 0) throw new NotFound(`act: since ${wanted} nothing was written that stands`);
  const run = () => undoSince(manuscript, since, always(call), acts);
  await takeBack(call, manuscript, { acts, options }, run);
}

async function takeBack(
  call: Call,
  manuscript: Manuscript,
  { acts: ids, options }: { acts: readonly string[]; options: UndoOptions },
  run: () => AnswerOf<"undoActs">,
): Promise<void> {
  const acts = ids.map((id) => readAct(manuscript, id));
  const names = namesOf(acts);
  await assertMeant(call, acts, options);
  const answer = run();
  const head = `${call.isDry ? "Would undo" : "Undone:"} ${counted(acts.length, "act")}, newest first`;
  await reply(call, answer, () => `${head}\n${showRuns(runsOf(acts), names)}`);
  const [first] = answer.acts;
  await talkUnlessJson(call, first === undefined ? DRY : `Redo with: manuscript undo --since ${first}`);
}

function isAct(text: string): boolean {
  return /^act_/.test(text);
}

/** A line of the history, as it is shown. */
interface Line {
  first: string;
  last: string;
}
