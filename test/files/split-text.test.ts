import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { splitByHeadings } from "../../src/files/layouts/one-file/split-by-headings.ts";
import { BadRequest } from "../../src/refusals.ts";
import { anyMarkdown } from "../prose/arbitrary.ts";
import { randomly } from "../prose/rewrite.ts";

const split = (text: string, level = 1) => splitByHeadings(text, level, "novel.md");

for (const [name, text, level, pieces] of [
  ["before each heading", "# A\n\nOne.\n\n# B\n\nTwo.\n", 1, ["# A\n\nOne.\n\n", "# B\n\nTwo.\n"]],
  ["with what stands before the first", "By me.\n\n# A\n\nOne.\n", 1, ["By me.\n\n", "# A\n\nOne.\n"]],
  ["with blank lines before it in the first", "\n\n# A\n\nOne.\n", 1, ["\n\n# A\n\nOne.\n"]],
  [
    "with front matter in the first",
    "---\ntitle: N\n---\n\n# A\n\nx\n\n# B\n",
    1,
    ["---\ntitle: N\n---\n\n# A\n\nx\n\n", "# B\n"],
  ],
  ["at the level asked for alone", "# A\n\n## a\n\n## b\n", 2, ["# A\n\n", "## a\n\n", "## b\n"]],
  ["at underlined headings", "A\n===\n\nOne.\n\nB\n===\n", 1, ["A\n===\n\nOne.\n\n", "B\n===\n"]],
  [
    "not in code, quotes or lists",
    "# A\n\n```\n# no\n```\n\n> # no\n\n- # no\n",
    1,
    ["# A\n\n```\n# no\n```\n\n> # no\n\n- # no\n"],
  ],
  [
    "not at a scene break",
    "# A\n\nx\n\n#\n\n# # #\n\n# ***\n\ny\n\n# B\n",
    1,
    ["# A\n\nx\n\n#\n\n# # #\n\n# ***\n\ny\n\n", "# B\n"],
  ],
  [
    "not at tags, which go with the first chapter",
    "#sea #Ferry/1\n\n# A\n\n#tide\n===\n",
    1,
    ["#sea #Ferry/1\n\n# A\n\n#tide\n===\n"],
  ],
  [
    "at titles of signs and numbers",
    "# ?\n\n# 1\n\n# \\#1\n\n# 🌊\n",
    1,
    ["# ?\n\n", "# 1\n\n", "# \\#1\n\n", "# 🌊\n"],
  ],
  ["with Windows line ends", "# A\r\n\r\n# B\r\n", 1, ["# A\r\n\r\n", "# B\r\n"]],
] as const) {
  test(`splitByHeadings › cuts ${name}`, () => assert.deepEqual(split(text, level), pieces));
}

test("splitByHeadings › refuses a text without such a heading", () => {
  assert.throws(
    () => split("## A\n", 1),
    (error) => error instanceof BadRequest && /novel\.md has no heading of level 1/.test(error.message),
  );
});

test("splitByHeadings › gives pieces that are the text", (t) => {
  const settings = randomly(250);
  t.diagnostic(`seed ${settings.seed}`);
  const property = fc.property(fc.array(anyMarkdown, { maxLength: 3 }), fc.nat(5), (parts, level) => {
    const text = `${parts.join("\n\n# A\n\n")}\n\n${"#".repeat(level + 1)} Last\n`;
    let pieces: string[];
    try {
      pieces = split(text, level + 1);
    } catch (error) {
      if (error instanceof BadRequest) return; // a fence that nobody closed, or a control character
      throw error;
    }
    assert.equal(pieces.join(""), text);
  });
  fc.assert(property, { ...settings, includeErrorInReport: true });
});
