import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as yaml from "yaml";
import { openYaml, plainValue, readIndexYaml } from "../../../src/files/yaml/open.ts";
import { BadRequest } from "../../../src/refusals.ts";

const source = { file: "01.md", part: "front matter", before: 1, most: 50_000, hint: " Shorten it." };

describe("a text of YAML", () => {
  it("is opened behind a byte order mark", () => {
    assert.deepEqual(plainValue(openYaml(yaml, "\ufeffa: 1", source), source), { a: 1 });
  });

  for (const [fault, text, sentence] of [
    ["a fault", "a: 1\nb: c: d", /^01\.md: its front matter is not valid YAML: .* in line 3\.$/],
    [
      "what is too long",
      "#".repeat(50_001),
      /has 50001 characters, and at most 50000 are read\. Shorten it\.$/,
    ],
    [
      "what is nested too deep",
      "[".repeat(20_000),
      /^01\.md: its front matter is nested too deep to be read\.$/,
    ],
    ["a merge that is left", "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> b", /^01\.md holds a merge/],
    ["an alias of nothing", "a: *b", /^01\.md: its front matter is not valid YAML: .*alias.*\.$/],
  ] as const) {
    it(`is refused for ${fault}, by file, fault and line`, () => {
      const open = () => plainValue(openYaml(yaml, text, source), source);
      assert.throws(open, (error) => error instanceof BadRequest && sentence.test(error.message));
    });
  }

  it("as an index says numbers as they are written, in a file and a line of it", async () => {
    assert.deepEqual(await readIndexYaml("title: 007\nlist: [1.10, true, x]", "Index.md"), {
      title: "007",
      list: ["1.10", true, "x"],
    });
    await assert.rejects(readIndexYaml("a: b: c", "Index.md", 1), /^BadRequest: Index\.md .* in line 2\.$/);
  });
});
