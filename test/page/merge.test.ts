import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EditorState } from "prosemirror-state";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { readStored } from "../../src/web/client/views/write/saving/json.ts";
import { mergeTheirs } from "../../src/web/client/views/write/text/merge.ts";
import { liftBreaks, lowerBreaks } from "../../src/web/client/views/write/text/soft-breaks.ts";
import { runSession } from "./sessions.ts";

const novel = join(import.meta.dirname, "../../fixtures/novel");

describe("mergeTheirs", () => {
  it("loses no word, doubles none and gives no id twice, whatever two do at once", () => {
    const faulty = [];
    for (let seed = 1; seed <= 300; seed++) {
      const { faults, told } = runSession(seed);
      if (faults.length > 0) faulty.push({ seed, faults, told });
    }
    assert.deepEqual(faulty, []);
  });

  it("is seen through when it takes in half: the sessions can fail", () => {
    const seen = Array.from({ length: 60 }, (_, seed) =>
      runSession(seed + 1, (state, base, theirs) => {
        const { tr } = mergeTheirs(state, base, theirs);
        return { tr, clashes: [] };
      }),
    );
    assert.ok(seen.some(({ faults }) => faults.some((fault) => fault.startsWith("lost theirs"))));
  });

  it("makes one of the same words from both sides", () => {
    const doc = (text: string) =>
      readStored({
        type: "doc",
        content: [{ type: "paragraph", attrs: { blockId: "b1" }, content: [{ type: "text", text }] }],
      });
    const merged = (base: string, mine: string, theirs: string) => {
      const state = EditorState.create({ doc: doc(mine) });
      const { tr, clashes } = mergeTheirs(state, doc(base), doc(theirs));
      return [tr.doc.textContent, clashes.length];
    };
    assert.deepEqual(merged("It rained.", "It rained. All day.", "It rained. All day."), [
      "It rained. All day.",
      0,
    ]);
    assert.deepEqual(merged("It rained.", "It rained. All day long.", "It rained. All day"), [
      "It rained. All day long.",
      0,
    ]);
    assert.deepEqual(merged("It rained.", "It poured.", "It snowed."), ["It poured.", 1]);
  });
});

describe("soft breaks", () => {
  it("come back byte for byte from every chapter of the sample", () => {
    const files = readdirSync(novel, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".md"),
    );
    assert.ok(files.length > 10);
    for (const file of files) {
      const { blocks } = parseMarkdown(readFileSync(join(novel, file), "utf8"));
      for (const { node } of blocks) assert.deepEqual(lowerBreaks(liftBreaks(node)), node);
    }
  });

  it("are kept within marks, and left alone in code", () => {
    const marks = [{ type: "em" }];
    const verse = {
      type: "paragraph",
      content: [
        { type: "text", text: "a\nb" },
        { type: "text", marks, text: "\nc\n" },
      ],
    };
    const code = { type: "code_block", content: [{ type: "text", text: "a\nb" }] };
    assert.equal(liftBreaks(verse).content?.length, 6);
    assert.deepEqual(lowerBreaks(liftBreaks(verse)), verse);
    assert.equal(liftBreaks(code), code);
  });
});
