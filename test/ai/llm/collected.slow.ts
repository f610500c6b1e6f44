import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { it } from "node:test";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { deadlineIn, post } from "../../../src/ai/llm/server/request.ts";
import { folder } from "../../support/sandbox.ts";

it("over HTTP a model that hangs is given up on at its deadline though memory is collected all the time", (t) => {
  const script = join(import.meta.dirname, "collecting.ts");
  const argv = ["--expose-gc", "--import", "tsx", script, join(folder(t), "own.manuscript"), "0.2", "12"];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8", timeout: 60_000 });
  assert.equal(stdout, "embedded; fallback=timeout\n".repeat(12), stderr);
});

it("a request ends at its deadline though memory is collected meanwhile", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  /** Never answers; rejects when it is ended. */
  const hanging: typeof fetch = (_url, { signal } = {}) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const server = { base: "http://127.0.0.1", model: "fake", key: undefined, fetch: hanging };
  const client = new AbortController();
  const asked = post(server, {}, deadlineIn(50, client.signal)).catch(({ reason }) => reason);
  for (let times = 0; times < 3; times++) {
    await turn();
    collect();
  }
  // A timer that is due later fires later, however busy the machine is.
  assert.equal(await Promise.race([asked, wait(500, "never")]), "timeout");
});
