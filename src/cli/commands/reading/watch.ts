import { keepPlace, pathOfPlace, readPlace } from "../../../files/kept-draft.ts";
import { BadRequest, NotFound } from "../../../refusals.ts";
import { type LiveFeed, streamActs } from "../../../service/feed/feed.ts";
import type { HistoryAct } from "../../../service/history/acts.ts";
import { lockFolder } from "../../../service/interchange/working-copy.ts";
import type { Manuscript } from "../../../service/manuscript.ts";
import { locksFolder, watchesFolder } from "../../input/manuscript-file.ts";
import { runCommand } from "../../input/programs.ts";
import type { Call } from "../../io/call.ts";
import { print, talk, untilStopped } from "../../io/terminal.ts";
import type { ROWS } from "../../rows/reading.ts";
import type { CommandsOf } from "../../rows/rows.ts";

/** A watch that runs. */
interface Watching {
  file: string;
  /** The file that keeps the act which was told last. */
  place: string;
  /** Run for each act; undefined if acts are printed. */
  command: string | undefined;
  stop: AbortSignal;
}

/** Tells each act as it is written until stopped: a line of JSON on stdout, or a command's run with it on stdin. */
export const COMMANDS: CommandsOf<typeof ROWS, "watch"> = {
  watch: async (call, { exec: command, after, fromNow }) => {
    if (command?.trim() === "") throw new BadRequest('--exec names no command: it is "".');
    if (fromNow && after !== undefined)
      throw new BadRequest("--after says where to begin, and --from-now another place; give one of them.");
    const manuscript = await call.open();
    const place = pathOfPlace(watchesFolder(call.terminal), {
      writer: manuscript.writer,
      command: command ?? "",
    });
    const release = await lockFolder({
      ...{ folder: place, locks: locksFolder(call.terminal), patienceMs: 0 },
      who: `"manuscript watch" of ${manuscript.store.path}`,
    });
    try {
      const feed = feedOf(manuscript, fromNow ? undefined : (after ?? readPlace(place)), after === undefined);
      const file = manuscript.store.path;
      await keepPlace(place, { act: feed.from, file });
      await talk(call.terminal, `Watching ${file}, what comes after ${feed.from}; stop with Ctrl-C.`);
      const stopping = new AbortController();
      void untilStopped(call.terminal).then(() => stopping.abort());
      await tellAll(call, feed, { file, place, command, stop: stopping.signal });
    } finally {
      release();
    }
  },
};

/** The feed after an act, else from now on. Throws `NotFound`, `isKept` if the last run has left that act. */
function feedOf(manuscript: Manuscript, act: string | undefined, isKept: boolean): LiveFeed {
  try {
    return streamActs(manuscript, act);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new NotFound(
      isKept
        ? `act ${act}, which the last run told of: the manuscript was put back to an older copy. Say where to go on with --after ACT, 0 for the first act, or with --from-now`
        : "act",
    );
  }
}

async function tellAll(call: Call, feed: LiveFeed, watching: Watching): Promise<void> {
  const { stop, command } = watching;
  const take = command === undefined ? printAll : runForAll;
  for await (const { acts } of feed.follow({ gone: stop })) {
    const isTaken = await take(call, acts, watching);
    if (!isTaken || stop.aborted) return;
  }
}

/** Prints acts, a line each, and keeps the last that was taken; false if nobody reads on. */
async function printAll(call: Call, acts: readonly HistoryAct[], { place, file, stop }: Watching) {
  let last: string | undefined;
  for (const act of acts) {
    if (stop.aborted) break;
    if (!(await print(call.terminal, `${JSON.stringify(act)}\n`))) break;
    last = act.id;
  }
  if (last !== undefined) await keepPlace(place, { act: last, file });
  return last === acts.at(-1)?.id;
}

/** Runs the command for one act after the other; false at the first that it did not take. */
async function runForAll(call: Call, acts: readonly HistoryAct[], watching: Watching) {
  const { file, place, stop } = watching;
  for (const act of acts) {
    if (stop.aborted || !(await runFor(call, act, watching))) return false;
    await keepPlace(place, { act: act.id, file });
  }
  return true;
}

/** Whether the command took the act. If it failed, its code is ours, and stderr says how to go on. */
async function runFor(call: Call, act: HistoryAct, { command = "", place, file, stop }: Watching) {
  const env = { MANUSCRIPT_FILE: file, MANUSCRIPT_ACT: act.id };
  const exit = await runCommand(call.terminal, command, { text: `${JSON.stringify(act)}\n`, env });
  if (exit === 0) return true;
  if (stop.aborted) return false; // Ctrl-C reaches both
  call.fail(exit);
  await talk(
    call.terminal,
    `manuscript: The command ended with ${exit}, given ${act.id}. Run this again to go on with that act; another command goes on with it by --after ${readPlace(place)}, and behind it by --after ${act.id}.`,
  );
  return false;
}
