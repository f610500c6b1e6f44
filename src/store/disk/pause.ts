/** Holds this thread for so long, in milliseconds: for what other programs will have done by then. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
