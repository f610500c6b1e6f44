import { actInWords, union } from "../../../contract/act-words.ts";
import { BadRequest, Conflict, NotFound, WouldLose } from "../../../refusals.ts";
import { type HistoryAct, lastAct, lastUndo, namesOf, readAct } from "../../../service/history/acts.ts";
import { actsSince, type Since, undoAct, undoSince } from "../../../service/history/undo.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { counted } from "../../../text/columns.ts";
import { readMoment } from "../../input/resolve-milestone.ts";
import { canAsk, confirm } from "../../io/ask.ts";
import { type Call, DRY, reply, replyWrite, talkUnlessJson } from "../../io/call.ts";
import { talk } from "../../io/terminal.ts";
import { runsOf, showRuns } from "../../output/act-runs.ts";
import type { CommandsOf, OptionsOf } from "../../rows/rows.ts";
import type { ROWS } from "../../rows/writing.ts";

type UndoOptions = OptionsOf<(typeof ROWS)["undo"]>;

/** Takes writes back. */
export const COMMANDS: CommandsOf<typeof ROWS, "undo"> = {
  undo: async (call, { act, ...options }) => {
    const { since } = options;
    if (act !== undefined && since !== undefined)
      throw new BadRequest("Give an act, or --since with the first of several, not both.");
    const manuscript = await call.open();
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

/** Takes back several acts, newest first, all or none. */
async function takeBackSince(
  call: Call,
  manuscript: Manuscript,
  wanted: string,
  options: UndoOptions,
): Promise<void> {
  const since: Since = /^act_/.test(wanted)
    ? { act: wanted }
    : { at: readMoment(wanted, manuscript.store.clock()) };
  const acts = actsSince(manuscript, since).map((id) => readAct(manuscript, id));
  if (acts.length === 0) throw new NotFound(`act: since ${wanted} nothing was written that stands`);
  const names = namesOf(acts);
  await assertMeant(call, acts, options);
  const known = acts.map(({ id }) => id);
  const answer = undoSince(manuscript, since, always(call), known);
  const head = `${call.isDry ? "Would undo" : "Undone:"} ${counted(acts.length, "act")}, newest first`;
  await reply(call, answer, () => `${head}\n${showRuns(runsOf(acts), names)}`);
  const [first] = answer.acts;
  await talkUnlessJson(call, first === undefined ? DRY : `Redo with: manuscript undo --since ${first}`);
}
