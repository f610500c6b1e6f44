import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { README, renewed } from "./support/readme.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(README, "utf8");

describe("documents", () => {
  it("the README's tables are those of the contract and the command (npm run golden writes them)", async () => {
    assert.equal(readme, await renewed());
  });

  it("the README says it in at most 900 words, with the first command within 15 lines", () => {
    const words = readme.split(/\s+/).filter(Boolean).length;
    assert.ok(words <= 900, `${words} words`);
    assert.ok(readme.split("\n").slice(0, 15).includes("npm ci && npm start"));
  });

  it("every link into the repository leads somewhere", () => {
    const pages = ["README.md", ".github/CONTRIBUTING.md", "CHANGELOG.md", "fixtures/novel/README.md"];
    const broken = pages.flatMap((page) =>
      [...readFileSync(join(root, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map((match) => match[1]!) // the group is not optional
        .filter((link) => !existsSync(join(root, page, "..", link))),
    );
    assert.deepEqual(broken, []);
  });

  it("the changelog begins with the version of the package", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    assert.match(
      readFileSync(join(root, "CHANGELOG.md"), "utf8"),
      new RegExp(`^# Changelog\n\n## ${version}\n`),
    );
  });

  it("every runtime dependency has its reason", () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const contributing = readFileSync(join(root, ".github/CONTRIBUTING.md"), "utf8");
    assert.deepEqual(
      Object.keys(dependencies).filter((name) => !contributing.includes(name)),
      [],
    );
  });

  it("the sample novel is whole: parts, length, a synopsis here and there", () => {
    const novel = join(root, "fixtures/novel");
    const book = JSON.parse(readFileSync(join(novel, "book.json"), "utf8"));
    const files = readdirSync(novel).filter((file) => /^\d\d-.*\.md$/.test(file));
    assert.deepEqual(
      book.chapters.map(({ file }: { file: string }) => file),
      files,
    );
    assert.ok(files.length >= 12 && book.parts.length === 3);
  });
});
