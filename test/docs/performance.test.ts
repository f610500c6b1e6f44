import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { performancePage } from "../support/performance-page.ts";

const report = (suite: string, how?: string) => ({
  ...{ suite, how, node: "v20", cpu: "A core", cores: 2, load: 0.5 },
  lines: [
    { what: "ours", value: 12.5, unit: "µs" },
    { what: "floor ÷ ours", value: 0.8, unit: "×", bar: "≥ 0.9", met: false },
    { what: "a | b", value: 1, unit: "", bar: "≤ 2", met: true },
  ],
});

describe("the page of what was measured", () => {
  const kept = { on: "2026-01-02", machine: "Node 20.1.0, linux-x64" };
  const page = performancePage({
    walks: { ...kept, reports: [report("a way through")] },
    http: { ...kept, reports: [report("http: reads", "By turns."), report("http: 304")] },
  });

  it("has a table for each report, the suites by name, each with what was missed", () => {
    const heads = [...page.matchAll(/^## (.*)$/gm)].map(([, head]) => head);
    assert.deepEqual(heads, ["http: reads", "http: 304", "walks: a way through"]);
    assert.equal(page.match(/^\| floor ÷ ours \| 0.8 × \| ≥ 0.9 \| missed \|$/gm)?.length, 3);
    assert.match(page, /## http: reads\n\nBy turns\.\n\n\| what/);
  });

  it("says when and where, and keeps a bar within a cell", () => {
    assert.match(page, /_2026-01-02, Node 20\.1\.0, linux-x64, 2 × A core, load 0\.5_/);
    assert.match(page, /^\| a \\\| b \| 1 \| ≤ 2 \| met \|$/m);
  });
});
