import type { RequestHandler } from "express";
import type { Manuscript } from "../../service/manuscript.ts";
import type { Principal } from "../access/access.ts";
import type { WorkerResponse } from "../worker/messages.ts";
import { sendResponse } from "./send.ts";

/** The state of an open file that answers are read in. */
export interface Moment {
  store: Manuscript["store"];
  /** The file's change number. */
  change: number;
  /** The end of the local day, in milliseconds since 1970: an answer may count the last days. */
  until: number;
}

interface Cached extends Omit<Moment, "store"> {
  /** Weak, so that a closed file can be collected. */
  store: WeakRef<Manuscript["store"]>;
  response: WorkerResponse;
  sizeBytes: number;
}

/** The present state of a manuscript's file. */
export function momentOf({ store }: Manuscript): Moment {
  return { store, change: store.state(), until: new Date(store.clock()).setHours(24, 0, 0, 0) };
}

/** Size of an entry without its body and key. */
const OVERHEAD_BYTES = 1024;
/** One answer may take this share of all. */
const SHARE = 1 / 4;
const MIB = 2 ** 20;

/**
 * Finished answers of reads, by target and `Accept`. Each is current while nothing is written to its file, by whatever program.
 * The least recently used go when all exceed their limit.
 */
export class ResponseCache {
  readonly #limitBytes: number;
  /** Least recently used first. */
  readonly #cached = new Map<string, Cached>();
  #sizeBytes = 0;

  constructor(limitMib: number) {
    this.#limitBytes = limitMib * MIB;
  }

  /** All answers together, in bytes. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Answers from the cache, or has the answer that follows kept. */
  readonly middleware: RequestHandler = (request, response, next) => {
    const { manuscript } = response.locals.principal as Principal;
    const name = `${request.originalUrl} ${request.headers.accept ?? ""}`;
    const found = this.find(manuscript, name);
    if (found !== undefined) {
      sendResponse(response, found);
      return;
    }
    const moment = momentOf(manuscript);
    response.locals.keep = (answer: WorkerResponse) => this.keep(manuscript, name, moment, answer);
    next();
  };

  /** The answer that is kept under this name, if it is current. */
  find({ writer, store }: Manuscript, name: string): WorkerResponse | undefined {
    const key = `${writer} ${name}`;
    const cached = this.#cached.get(key);
    if (cached === undefined || cached.store.deref() !== store) return undefined;
    if (cached.change !== store.state() || store.clock() >= cached.until) return undefined;
    this.#cached.delete(key);
    this.#cached.set(key, cached);
    return cached.response;
  }

  /** Keeps an answer that was read at this moment, or later. */
  keep({ writer }: Manuscript, name: string, moment: Moment, response: WorkerResponse): void {
    const { status, headers, body } = response;
    const key = `${writer} ${name}`;
    this.#drop(key);
    const sizeBytes = body.length + 2 * key.length + OVERHEAD_BYTES;
    if (status !== 200 || sizeBytes > this.#limitBytes * SHARE) return;
    const store = new WeakRef(moment.store);
    this.#cached.set(key, { ...moment, store, response: { status, headers, body: copied(body) }, sizeBytes });
    this.#sizeBytes += sizeBytes;
    for (const oldest of this.#cached.keys()) {
      if (this.#sizeBytes <= this.#limitBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#sizeBytes -= this.#cached.get(key)?.sizeBytes ?? 0;
    this.#cached.delete(key);
  }
}

/** A small buffer is part of a larger one, which would be kept with it. */
function copied(body: Buffer): Buffer {
  return body.length === body.buffer.byteLength ? body : Buffer.from(Uint8Array.from(body).buffer);
}
