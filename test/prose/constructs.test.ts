import assert from "node:assert/strict";
import { test } from "node:test";
import { sameNode } from "../../src/prose/document/same-node.ts";
import { joinMarkdown } from "../../src/prose/join-chapter.ts";
import { parseMarkdown } from "../../src/prose/parse.ts";
import { KEPT_AFRESH, KEPT_AS_WRITTEN } from "./constructs.ts";
import { parse, write } from "./rewrite.ts";

for (const markdown of [...KEPT_AFRESH, ...KEPT_AS_WRITTEN]) {
  test(`parseMarkdown › keeps ${JSON.stringify(markdown)}`, () => {
    assert.equal(joinMarkdown(parseMarkdown(`${markdown}\n`)), `${markdown}\n`);
    const nodes = parse(`${markdown}\n`);
    const fresh = write(nodes);
    if (KEPT_AFRESH.includes(markdown)) assert.equal(fresh, `${markdown}\n`);
    const again = parse(fresh);
    assert.ok(again.length === nodes.length && again.every((node, at) => sameNode(node, nodes[at]!)));
  });
}
