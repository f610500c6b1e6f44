import type { Readable } from "node:stream";

/** What is told of a stream of lines. */
export interface LineReader {
  /** A line without its end; at the end of the input what stands behind the last of them, too. */
  line: (text: string) => void;
  /** A line that was longer than is kept, once it has ended. */
  tooLong: () => void;
  failed: (error: Error) => void;
  /** There is no more; once. */
  ended: () => void;
}

const LINE_END = 0x0a;

/** Reads lines, none kept that is longer than `mostBytes`. Returns what stops it. */
export function readLines(
  input: Readable,
  mostBytes: number,
  { line, tooLong, failed, ended }: LineReader,
): () => void {
  let pieces: Buffer[] = [];
  let sizeBytes = 0;
  let isOver = false;
  const add = (piece: Buffer) => {
    sizeBytes += piece.length;
    if (sizeBytes <= mostBytes) pieces.push(piece);
    else pieces = [];
  };
  const finish = () => {
    const [text, isTooLong] = [Buffer.concat(pieces).toString("utf8"), sizeBytes > mostBytes];
    [pieces, sizeBytes] = [[], 0];
    if (isTooLong) tooLong();
    else line(text);
  };
  const take = (chunk: Buffer | string) => {
    let rest = Buffer.from(chunk);
    for (let end = rest.indexOf(LINE_END); end >= 0; end = rest.indexOf(LINE_END)) {
      add(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      finish();
    }
    add(rest);
  };
  const end = () => {
    if (isOver) return;
    isOver = true;
    finish();
    ended();
  };
  const fail = (error: Error) => {
    failed(error);
    end();
  };
  input.on("data", take).on("end", end).on("close", end).on("error", fail);
  return () => {
    isOver = true;
    input.off("data", take).pause();
  };
}
