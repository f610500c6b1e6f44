import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { it } from "node:test";
import { folder } from "../../support/sandbox.ts";

it("over HTTP a model that hangs is given up on at its deadline though memory is collected all the time", (t) => {
  const script = join(import.meta.dirname, "collecting.ts");
  const argv = ["--expose-gc", "--import", "tsx", script, join(folder(t), "own.manuscript"), "0.2", "12"];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8", timeout: 60_000 });
  assert.equal(stdout, "embedded; fallback=timeout\n".repeat(12), stderr);
});
