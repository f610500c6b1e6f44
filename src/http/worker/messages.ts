import type { IncomingHttpHeaders } from "node:http";
import type { RowId } from "../../contract/index.ts";
import type { LiveFeed } from "../../service/feed/feed.ts";

/** A body as it was sent, not parsed yet. */
export interface SentBody {
  bytes: Uint8Array;
  /** Bare Markdown, else JSON. */
  isMarkdown: boolean;
}

/** A request that has passed origin, key and tier. Plain values alone, so that either process can answer it. */
export interface WorkerRequest {
  /** The row that answers it. */
  id: RowId;
  /** The parameters of its path. */
  params: Readonly<Record<string, string>>;
  /** Its target, with the query. */
  url: string;
  /** Its headers; those sent to the worker lack the key. */
  headers: IncomingHttpHeaders;
  /** True if `Accept` prefers bare Markdown. */
  wantsMarkdown: boolean;
  keyId: string | null;
  /** True if it may change only what its key made. */
  ownOnly: boolean;
  /** Of the page that asks. */
  sessionId?: string | undefined;
  body: SentBody | undefined;
}

/** A finished answer. */
export interface WorkerResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** In place of the body: events, sent as they happen. Never crosses processes. */
  feed?: LiveFeed;
}

/** An error as it is sent: the one shape that every error has. Source: llms.txt, Errors. */
export interface ProblemAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Record<string, unknown>;
  /** Logged; set for bugs only. */
  bug?: unknown;
}

/** The file that a request is about, as the worker opens it. */
export interface NamedFile {
  path: string;
  writer: string;
  /** The key of the language model's server. */
  networkKey: string | undefined;
}

/**
 * Messages to the worker. `cancel`: nobody waits any more; a request that has not begun is dropped if its client has left, and
 * answered if the server is stopping. `close`: the server has closed the file.
 */
export type ToWorker =
  | { kind: "request"; job: number; file: NamedFile; request: WorkerRequest; requestId: string }
  | { kind: "cancel"; job: number; hasLeft: boolean }
  | { kind: "warm"; files: readonly NamedFile[] }
  | { kind: "close"; path: string };

/** Messages from the worker. `begun` comes before the work, so that the server knows what a crash has taken with it. */
export type FromWorker =
  | { kind: "begun"; job: number }
  | { kind: "answered"; job: number; response: WorkerResponse }
  | { kind: "failed"; job: number; problem: ProblemAnswer };
