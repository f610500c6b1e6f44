import { EXIT, INTERNAL, PROBLEMS } from "../../contract/problems.ts";
import { type Face, type HelpfulCall, Refusal } from "../../refusals.ts";
import { counted } from "../../text/columns.ts";
import { withoutKeys } from "../../text/without-keys.ts";
import type { Call } from "../io/call.ts";
import { print, type Terminal, talk } from "../io/terminal.ts";

/** What ended a command before it was done. */
interface Failure {
  exit: number;
  /** The error body; undefined if nothing failed. */
  body?: { error: string; message: string; [key: string]: unknown };
  /** The help has been shown instead of the message. */
  isTold?: boolean;
}

/** Tells of whatever a command threw, and returns the exit code for it. `json` puts the API's error body on stdout. */
export async function report(terminal: Terminal, thrown: unknown, json: boolean): Promise<number> {
  const { exit, body, isTold } = toFailure(thrown);
  if (terminal.env.MANUSCRIPT_DEBUG === "1" && thrown instanceof Error && !isUsage(thrown)) {
    await talk(terminal, withoutKeys(thrown.stack ?? thrown.message));
  }
  if (body === undefined) return exit;
  // Stdout may be what failed; where stderr is full, too, the exit code alone tells it.
  const isTaken =
    json && (await print(terminal, `${withoutKeys(JSON.stringify(body))}\n`).catch(() => false));
  const inWords = `manuscript: ${withoutKeys(body.message)}`;
  if (!isTaken && !isTold) await talk(terminal, inWords).catch(() => undefined);
  return exit;
}

function toFailure(thrown: unknown): Failure {
  if (isUsage(thrown)) return usage(thrown);
  if (thrown instanceof Refusal) {
    const body = { error: thrown.code, message: inCommands(thrown), ...thrown.extra };
    return { exit: PROBLEMS[thrown.code].exit, body };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (!(thrown instanceof Error && "syscall" in thrown))
    return { exit: EXIT.failed, body: { error: INTERNAL.code, message } };
  return {
    exit: EXIT.failed,
    body: { error: "unavailable", message: ofSystem(thrown as NodeJS.ErrnoException) ?? message },
  };
}

/** What the system refused, in words; undefined for what it seldom refuses. */
function ofSystem({ code, path }: NodeJS.ErrnoException): string | undefined {
  const place = path ?? "A file";
  if (code === "EMFILE" || code === "ENFILE")
    return "Too many files are open at once; close programs, or allow more with: ulimit -n 1024";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return `${place} may not be used: it or its folder is read-only, or another user's.`;
  if (code === "EBUSY") return `${place} is open in another program; close it there and run this again.`;
  if (code === "ENOENT") return `${place} is not there any more; it was moved or deleted meanwhile.`;
  if (code === "ENOSPC" || code === "EDQUOT") return "The disk is full; make room and run this again.";
  return undefined;
}

/** What commander throws, known by its code so that commander need not be loaded to ask. */
interface UsageError extends Error {
  code: string;
  exitCode: number;
  /** The command that was being read, if it got so far. */
  command?: string;
}

function isUsage(thrown: unknown): thrown is UsageError {
  return thrown instanceof Error && "code" in thrown && /^commander\./.test(String(thrown.code));
}

function usage({ code, message, exitCode, command }: UsageError): Failure {
  if (exitCode === 0) return { exit: EXIT.done }; // help or version
  const isTold = code === "commander.help";
  const fault = isTold
    ? "name a command"
    : message
        .replace(/^error: /, "")
        .replace(/\n/g, " ")
        .replace(/\.$/, "");
  const help = command === undefined ? "manuscript help" : `manuscript ${command} --help`;
  return {
    exit: EXIT.usage,
    isTold,
    body: { error: "bad_request", message: `${fault}; see "${help}".` },
  };
}

/** What a call to the engine cost, and how far a language model that is set has answered. */
export interface Answered {
  spent: { cost: number; remaining: number | null };
  fallback?: string;
  missed?: { passages: number; of: number; reason: string };
  /** How many chapters `fallback` is true of, where many were asked about. */
  chapters?: { failed: number; of: number };
}

/** Says on stderr what a call to the engine cost, if that is counted; with `--json` too, if a language model failed. */
export async function tellCost(
  { terminal, json }: Call,
  { spent: { cost, remaining }, fallback, missed, chapters }: Answered,
): Promise<void> {
  if (fallback !== undefined) {
    const where =
      chapters === undefined ? "" : ` In ${chapters.failed} of ${counted(chapters.of, "chapter")}.`;
    await talk(terminal, `${tellFallback(fallback)}${where}`);
  } else if (missed !== undefined) {
    const { passages, of, reason } = missed;
    await talk(terminal, tellPartial(reason, `${of - passages} of ${counted(of, "passage")}`));
  }
  if (json || remaining === null) return;
  await talk(terminal, `Cost ${counted(cost, "credit")}; ${remaining} left.`);
}

/** Why the language model gave no answer, and what may be done, by the API's word for it. */
const FAILURES: Readonly<Record<string, string>> = {
  timeout: "it did not answer in time; give it longer with --llm-timeout",
  unreachable: "its server cannot be reached; is it running?",
  redirect: "its server sends on to another address, which nobody has allowed",
  too_large: "its answer was over 1 MiB",
  invalid_answer: "its answer was not of the form that was asked for",
  no_quotes: "nothing that it quoted stands in the chapter",
  unsupported: "most of what it told is not borne out by the chapter",
  server_error: "its server answered with an error",
  short_context: "its server reads less than a passage at a time; give it a longer context",
  http_401: "its server refuses the key; set $MANUSCRIPT_LLM_KEY",
  http_403: "its server refuses the key; set $MANUSCRIPT_LLM_KEY",
  http_404: "its server knows neither that address nor that model",
  http_429: "its server has too much to do, or the account there is used up",
};

/** A sentence for whoever asked a language model and was answered by the embedded engine. */
export function tellFallback(reason: string): string {
  const set = 'see "manuscript account show"';
  return `The language model failed: ${whyOf(reason)} (${reason}; ${set}). The embedded engine has answered alone, free of charge.`;
}

/** A sentence for whoever was answered by a language model that has not read the whole chapter. */
export function tellPartial(reason: string, read = "only some passages"): string {
  return `The language model has read ${read}; of the others ${whyOf(reason)} (${reason}). Nothing was charged.`;
}

/** The reason that a language model failed for, in words. */
export function whyOf(reason: string): string {
  const status = /^http_(\d+)$/.exec(reason)?.[1];
  return FAILURES[reason] ?? (status === undefined ? reason : `its server answered ${status}`);
}

/** The command that helps, for each call that a refusal may name. */
export const HELPFUL_COMMANDS: Readonly<Partial<Record<HelpfulCall, string>>> = {
  listBooks: "books",
  readOutline: "outline",
  readChapter: "show CHAPTER --format doc",
  listRevisions: "history CHAPTER",
  listFacts: "facts list",
  listSnippets: "notes list",
  listProposals: "proposals list",
  listMilestones: "milestone list",
  listActs: "history",
  listKeys: "key list",
  listCopies: "restore --list",
  readProposal: "proposals show",
  acceptProposal: "proposals accept",
  deleteParagraph: "edit CHAPTER",
  insertParagraphs: "edit CHAPTER",
  replaceProse: "edit CHAPTER",
};

/** A refusal names commands, and speaks of notes. */
const CLI: Face = {
  nameOf: ({ call, proposalId, edits }) => {
    const words = [HELPFUL_COMMANDS[call], proposalId, edits && `--edits ${edits.join(",")}`];
    return HELPFUL_COMMANDS[call] && `"manuscript ${words.filter(Boolean).join(" ")}"`;
  },
  nouns: { snippet: "note" },
};

/** A refusal as it is told at the command line. */
export function inCommands(refusal: Refusal): string {
  return refusal.wordedFor(CLI);
}
