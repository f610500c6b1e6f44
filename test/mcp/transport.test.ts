import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import { describe, it } from "node:test";
import { PatientTransport } from "../../src/mcp/transport.ts";

describe("PatientTransport", () => {
  it("lets many answers wait for a client that does not read, without a word of it", async (t) => {
    const warnings: string[] = [];
    const warned = ({ message }: Error) => warnings.push(message);
    process.on("warning", warned);
    t.after(() => process.off("warning", warned));
    const output = new Writable({ highWaterMark: 1, write: () => {} });
    const transport = new PatientTransport(new PassThrough(), output);
    await transport.start();
    for (let id = 0; id < 20; id++) void transport.send({ jsonrpc: "2.0", id, result: {} });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(warnings, []);
    assert.ok(output.listenerCount("drain") >= 20);
    await transport.close();
  });
});
