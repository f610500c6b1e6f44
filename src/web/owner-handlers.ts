import { readFileSync } from "node:fs";
import type { AnswerOf, InputOf, OwnerEndpointId } from "../contract/index.ts";
import { withMissingPictures } from "../files/pictures.ts";
import { BadRequest, NotFound } from "../refusals.ts";
import { changeAccount, readAccount } from "../service/account/account.ts";
import { createKey, listKeys, revokeKey } from "../service/account/keys.ts";
import { readLedger } from "../service/account/ledger.ts";
import { readEngine, testEngine } from "../service/ai/engine.ts";
import { backUpBeside } from "../service/backups/backup.ts";
import { compactServed } from "../service/backups/compact-served.ts";
import { copiesOf, listed } from "../service/backups/listed.ts";
import { restoreServed } from "../service/backups/restore.ts";
import { diagnose } from "../service/health/doctor.ts";
import { readFileState } from "../service/health/file-state.ts";
import type { Caller, Manuscript } from "../service/manuscript.ts";
import type { Windows } from "../service/shelf/windows.ts";
import type { Codes } from "./codes.ts";
import type { Session, Sessions } from "./sessions.ts";

/** The server as the owner's rows see it, and which page asks. */
export interface Desk {
  sessions: Sessions;
  codes: Codes;
  /** Where copies of the file are made, if not in its own folder of them. */
  copiesIn: string | undefined;
  /** Opens further manuscripts; undefined where the server is no desktop program. */
  windows: Windows | undefined;
  /** Ends the server's other processes, which have the file open; they start again when they are needed. */
  letGo(): Promise<void>;
  /** Of the page that asks; undefined for the owner's own command. */
  sessionId: string | undefined;
  /** How the browser that asks names itself. */
  browser: string;
}

/** A checked request of one of the owner's rows, and whose manuscript it is about. */
export type OwnerCall<Id extends OwnerEndpointId> = InputOf<Id> & {
  manuscript: Manuscript;
  caller: Caller;
  /** Undefined within a helper, which knows of no session. */
  desk: Desk | undefined;
  /** Aborts when nobody waits for the answer any more. */
  gone?: AbortSignal | undefined;
};

/** One operation for every row of the owner's. */
export type OwnerHandlers = {
  readonly [Id in OwnerEndpointId]: (call: OwnerCall<Id>) => AnswerOf<Id> | Promise<AnswerOf<Id>>;
};

/** The operation of every row of the owner's. */
export const OWNER_HANDLERS: OwnerHandlers = {
  createSession: ({ desk, body }) => {
    const { sessions, browser } = theDesk(desk);
    return withTime(sessions.redeem(body.token, browser));
  },
  endSession: ({ desk, manuscript }) => {
    const { sessions, sessionId } = theDesk(desk);
    return sessions.end(manuscript, sessionId);
  },
  createCode: ({ desk }) => withTime(theDesk(desk).codes.create()),
  claimCode: ({ desk, body }) => {
    const { codes, browser } = theDesk(desk);
    return withTime(codes.claim(body.secret, browser));
  },
  listSessions: ({ desk, manuscript }) => {
    const { sessions, sessionId } = theDesk(desk);
    const found = sessions.list(manuscript).map((session) => shown(session, sessionId));
    return { sessions: found, total: found.length };
  },
  revokeSession: ({ desk, manuscript, params }) => theDesk(desk).sessions.end(manuscript, params.sessionId),
  listKeys: ({ manuscript }) => listKeys(manuscript),
  createKey: ({ manuscript, body: { name, allow, expiresAt } }) => {
    const { key, record } = createKey(manuscript, {
      name,
      allow,
      expiresAt: expiryOf(manuscript, expiresAt),
    });
    return { ...record, key };
  },
  revokeKey: ({ manuscript, params }) => revokeKey(manuscript, params.keyId),
  readAccount: ({ manuscript }) => readAccount(manuscript),
  changeAccount: ({ manuscript, body: { llm, ...body } }) =>
    changeAccount(manuscript, { ...body, llm: llm === null ? { url: null } : llm }),
  readFileState: ({ manuscript, desk }) => ({
    ...readFileState(manuscript.store),
    versions: versionsFor(manuscript),
    movesTo: theDesk(desk).windows?.movesTo() ?? null,
  }),
  moveFile: ({ desk }) => ({ file: windowsOf(desk).moveOut() }),
  listLedger: ({ manuscript, query }) => readLedger(manuscript, query),
  readEngine: ({ manuscript }) => readEngine(manuscript),
  testEngine: ({ manuscript, gone }) => testEngine(manuscript, gone),
  checkFile: ({ manuscript }) => {
    const diagnosis = diagnose(manuscript.store.path);
    return diagnosis.status === "fail" ? diagnosis : withMissingPictures(diagnosis, manuscript);
  },
  listCopies: ({ manuscript: { store }, desk }) => {
    const { folder, copies } = copiesOf(store.path, theDesk(desk).copiesIn);
    return listed(store.path, folder, copies);
  },
  createBackup: ({ manuscript, desk }) => backUpBeside(manuscript, theDesk(desk).copiesIn),
  restoreBackup: ({ manuscript, desk, body, caller: { dryRun = false } }) => {
    const { copiesIn: folder, letGo } = theDesk(desk);
    return restoreServed(manuscript, body.copy, { dryRun, folder, letGo });
  },
  compactFile: ({ manuscript, desk, body: { olderThan, keep }, caller: { dryRun = false } }) => {
    const fold =
      olderThan === undefined
        ? undefined
        : { olderThan: new Date(`${olderThan}T00:00`).getTime(), unit: keep ?? "sittings" };
    return compactServed(manuscript, { dryRun, fold, letGo: theDesk(desk).letGo });
  },
  listRecentFiles: ({ manuscript: { store }, desk }) => recentFiles(theDesk(desk).windows, store.path),
  openInWindow: async ({ desk, body }) => {
    const { openAnother } = await import("./owner/open-another.ts");
    return openAnother(windowsOf(desk), body);
  },
  importSent: async ({ manuscript, body, caller }) => {
    const { importGiven } = await import("./owner/import-given.ts");
    return await importGiven(manuscript, body, caller);
  },
  addSample: async ({ manuscript, caller: { source } }) => {
    const { plantSample, SAMPLE } = await import("../files/sample.ts");
    return { bookId: await plantSample(manuscript, SAMPLE, { source }) };
  },
};

function recentFiles(windows: Windows | undefined, shown: string): AnswerOf<"listRecentFiles"> {
  if (windows === undefined) return { manuscripts: [], folder: null };
  const manuscripts = windows.files().map((file) => ({ file, isThis: file === shown }));
  return { manuscripts, folder: windows.folder };
}

/** Versions of the program and of all that it stands on. */
function versionsFor({ store }: Manuscript): AnswerOf<"readFileState">["versions"] {
  // Beside `src` and `dist` alike.
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const [sqlite = ""] = store.list<string>("SELECT sqlite_version()");
  return { manuscript: version, node: process.versions.node, sqlite };
}

/** The desktop program's windows. Throws `NotFound` where the server is none. */
function windowsOf(desk: Desk | undefined): Windows {
  const { windows } = theDesk(desk);
  if (windows === undefined) throw new NotFound("program; this server was not started by a double click");
  return windows;
}

/** The desk, which every row that asks for it has: those are never answered by a helper. */
function theDesk(desk: Desk | undefined): Desk {
  if (desk === undefined) throw new Error("a helper was asked about a session");
  return desk;
}

/** The answer with its time as the contract shows it. */
function withTime<Answer extends { expiresAt: number }>(answer: Answer) {
  return { ...answer, expiresAt: new Date(answer.expiresAt).toISOString() };
}

function shown({ id, browser, ...times }: Session, asking: string | undefined) {
  const at = (moment: number) => new Date(moment).toISOString();
  return {
    id,
    createdAt: at(times.createdAt),
    lastUsedAt: at(times.lastUsedAt),
    expiresAt: at(times.expiresAt),
    browser,
    isThis: id === asking,
  };
}

function expiryOf({ store }: Manuscript, at: string | null | undefined): number | null {
  if (at === null || at === undefined) return null;
  const moment = Date.parse(at);
  if (moment <= store.clock())
    throw new BadRequest(`expiresAt must be in the future, got ${at}.`, [
      { path: "/expiresAt", message: "is in the past" },
    ]);
  return moment;
}
