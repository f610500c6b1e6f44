import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const PAGES = [
  "CHANGELOG.md",
  ".github/CONTRIBUTING.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`),
];
/** What is in backticks, the first word of it: a command line is more. */
const codeOf = (page: string) => [...read(page).matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!); // not optional

describe("the ways through the source", () => {
  it("every file and folder that a page names is there", () => {
    const missing = PAGES.flatMap((page) =>
      codeOf(page)
        .filter(
          (code) => /^(?:src|test|fixtures|docs|bin)\/[\w./-]+$/.test(code) && !existsSync(join(root, code)),
        )
        .map((code) => `${page}: ${code}`),
    );
    assert.deepEqual(missing, []);
  });

  it("every name behind a file of the source is declared there", () => {
    const named = PAGES.flatMap((page) => [...read(page).matchAll(/`(src\/[\w./-]+\.ts)`\s+`(\w+)`/g)]);
    const undeclared = named.filter(
      ([, file = "", name = ""]) =>
        !new RegExp(`^(?:export )?(?:async )?(?:function|class|const|interface|type) ${name}\\b`, "m").test(
          read(file),
        ),
    );
    assert.ok(named.length > 20, "the names were not found");
    assert.deepEqual(
      undeclared.map(([found]) => found),
      [],
    );
  });
});
