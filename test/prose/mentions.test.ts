import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { leafText, readLeaves } from "../../src/prose/document/leaves.ts";
import { joinTexts, liftMentions, weaveMentions } from "../../src/prose/document/marks.ts";
import { schema } from "../../src/prose/document/schema.ts";
import type { MentionSpan } from "../../src/prose/document/types.ts";
import { br, em, h, li, mention, p, quote, ul } from "../build.ts";
import { randomly } from "./rewrite.ts";

const span = (
  factId: string,
  from: number,
  to: number,
  text: string,
  mentionId: string | null = null,
): MentionSpan => ({
  mentionId,
  factId,
  from,
  to,
  text,
});

test("liftMentions › gives offsets into the leaf's text and joins what the marks parted", () => {
  const lifted = liftMentions(p("Call me ", mention("fa_1", "Ishmael", "me_1"), "."));
  assert.deepEqual(lifted, {
    node: p("Call me Ishmael."),
    spans: [[span("fa_1", 8, 15, "Ishmael", "me_1")]],
  });
});

test("liftMentions › takes a mention over other marks as one span, and one on each side of a gap as two", () => {
  const { spans } = liftMentions(
    p(mention("f", "Old "), em(...mention("f", "Ahab")), " and ", mention("f", "Ahab")),
  );
  assert.deepEqual(spans, [[span("f", 0, 8, "Old Ahab"), span("f", 13, 17, "Ahab")]]);
});

test("liftMentions › takes a mark on both sides of a break for two", () => {
  const { spans } = liftMentions(p(mention("f", "a", "me_1"), br(), mention("f", "b", "me_1")));
  assert.deepEqual(spans, [[span("f", 0, 1, "a", "me_1"), span("f", 1, 2, "b", "me_1")]]);
});

test("liftMentions › takes overlapping facts apart", () => {
  const { spans } = liftMentions(p(mention("a", "Captain "), mention("b", mention("a", "Ahab")[0]!)));
  assert.deepEqual(spans, [[span("a", 0, 12, "Captain Ahab"), span("b", 8, 12, "Ahab")]]);
});

test("liftMentions › gives a list of spans for each leaf, and shares a block without mentions", () => {
  const block = quote(h(1, "a"), ul(li("b"), li(p(mention("f", "c")))));
  assert.deepEqual(liftMentions(block).spans, [[], [], [span("f", 0, 1, "c")]]);
  const plain = quote(p("a"));
  assert.equal(liftMentions(plain).node, plain);
});

test("weaveMentions › marks the text of the leaf with that id and no other", () => {
  const block = quote(p("#b_1", "Ahab"), p("#b_2", "Ahab"));
  const woven = weaveMentions(block, new Map([["b_2", [span("f", 0, 4, "Ahab", "me_1")]]]));
  assert.deepEqual(woven, quote(p("#b_1", "Ahab"), p("#b_2", mention("f", "Ahab", "me_1"))));
});

test("weaveMentions › counts nothing for a break within the text", () => {
  const woven = weaveMentions(p("#b_1", "a", br(), "bc"), new Map([["b_1", [span("f", 1, 2, "b")]]]));
  assert.deepEqual(woven, p("#b_1", "a", br(), mention("f", "b"), "c"));
});

const letters = fc.stringMatching(/^[a-e🐋\n]{1,5}$/u);
const leaf = fc
  .array(fc.tuple(letters, fc.constantFrom("", "em", "br")), { minLength: 1, maxLength: 6 })
  .map((parts) =>
    parts.map(([text, kind]) => (kind === "em" ? em(text) : kind === "br" ? [br(), ...em(text)] : text)),
  )
  .map((content) => p("#b_1", ...content))
  .map((node) => ({ ...node, content: joinTexts(node.content ?? []) }));
const places = fc.array(fc.tuple(fc.nat(30), fc.nat(30), fc.constantFrom("f", "g")), { maxLength: 6 });

test("liftMentions › undoes weaveMentions, and the woven block fits the schema", (t) => {
  const settings = randomly(1000);
  t.diagnostic(`seed ${settings.seed}`);
  const property = fc.property(leaf, places, (node, given) => {
    const text = leafText(node);
    const { breaks } = readLeaves(node)[0]!; // a paragraph is one leaf
    const spans = given.map(([start, length, fact], at) => {
      const from = start % text.length;
      const nextBreak = breaks.find((place) => place > from) ?? text.length;
      const to = Math.min(nextBreak, from + 1 + length);
      return span(fact, from, to, text.slice(from, to), `me_${at}`);
    });
    const woven = weaveMentions(node, new Map([["b_1", spans]]));
    schema.nodeFromJSON(woven).check();
    const lifted = liftMentions(woven);
    assert.deepEqual(lifted.node, node);
    assert.deepEqual(new Set(lifted.spans[0]), new Set(spans));
  });
  fc.assert(property, settings);
});
