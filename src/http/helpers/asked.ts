import type { IncomingHttpHeaders } from "node:http";
import type { RowId } from "../../contract/index.ts";
import type { LiveFeed } from "../../service/feed/feed.ts";
import type { SeenChapter } from "../../service/manuscript.ts";

/** A body as it was sent, not yet read. */
export interface SentBody {
  bytes: Uint8Array;
  /** Bare Markdown, else JSON. */
  isMarkdown: boolean;
}

/** A request that has passed the gates: what its row reads, as it was sent, so that any process can answer it. */
export interface Asked {
  id: RowId;
  /** The parameters of its path. */
  params: Readonly<Record<string, string>>;
  /** Its target, with the query. */
  url: string;
  /** Its headers without the key. */
  headers: IncomingHttpHeaders;
  wantsMarkdown: boolean;
  keyId: string | null;
  /** True if it may change only what its key made. */
  ownOnly: boolean;
  /** Of the page that asks. */
  sessionId?: string | undefined;
  body: SentBody | undefined;
}

/** An answer ready to be sent. */
export interface Finished {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Without one none is sent, as with 304. */
  body: Buffer | undefined;
  /** The chapter that the answer is about, at the version that was read: nothing else changes it. */
  chapter?: SeenChapter | undefined;
  /** In place of a body: what is sent as it happens, by the server's own process alone. */
  feed?: LiveFeed;
}

/** An error as it is sent: the one shape that every error has. Source: llms.txt, Errors. */
export interface ProblemAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Record<string, unknown>;
  /** What to log: set for bugs only. */
  bug?: unknown;
}

/** The file that a request is about, as a helper opens it. */
export interface NamedFile {
  path: string;
  writer: string;
  /** The key of the language model's server. */
  networkKey: string | undefined;
}

/** What a helper is told. `gone`: the client has left, or the server stops and waits for nothing slow. `close`: the server itself has closed the file. */
export type ToHelper =
  | { kind: "ask"; job: number; file: NamedFile; asked: Asked; requestId: string }
  | { kind: "gone"; job: number; hasLeft: boolean }
  | { kind: "warm"; files: readonly NamedFile[] }
  | { kind: "close"; path: string };

/** What it tells: `begun` before the work, so that what ends the process with it is known. */
export type FromHelper =
  | { kind: "begun"; job: number }
  | { kind: "finished"; job: number; answer: Finished }
  | { kind: "failed"; job: number; problem: ProblemAnswer };
