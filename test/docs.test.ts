import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { dataModelPage, UNTOLD } from "./support/data-model.ts";
import { README } from "./support/readme.ts";

const root = join(import.meta.dirname, "..");
const readme = readFileSync(README, "utf8");

describe("documents", () => {
  it("the README says it in at most 750 words, with its two commands within the first 16 lines", () => {
    const words = readme.split(/\s+/).filter(Boolean).length;
    assert.ok(words <= 750, `${words} words`);
    assert.deepEqual(
      readme.split("\n").filter((line) => line.length > 120),
      [],
    );
    assert.match(readme.split("\n").slice(0, 16).join("\n"), /^npm ci && npm start\nnpm test$/m);
  });

  it("every link into the repository leads somewhere", () => {
    const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
    const pages = [
      ...["README.md", ".github/CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "fixtures/novel/README.md"],
      ...docs.filter((file) => file.endsWith(".md")).map((file) => `docs/${file}`),
    ];
    const broken = pages.flatMap((page) =>
      [...readFileSync(join(root, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map((match) => match[1]!) // the group is not optional
        .filter((link) => !existsSync(join(root, page, "..", link))),
    );
    assert.deepEqual(broken, []);
  });

  it("every claim of SECURITY.md names a test or a promise that there is", () => {
    const text = readFileSync(join(root, "SECURITY.md"), "utf8");
    const claims = [...text.matchAll(/^\| \*\*.*\|$/gm)].map(([row]) => row.split(" | ").at(-1) ?? "");
    assert.ok(claims.length >= 10);
    const measured = readdirSync(join(root, "lab/trust")).map((file) => Number.parseInt(file, 10));
    for (const claim of claims) {
      const promises = [...(/promises? ([\d, and]+)/.exec(claim)?.[1] ?? "").matchAll(/\d+/g)].map(Number);
      assert.ok(promises.length > 0 || /\]\(test\//.test(claim), `nothing holds: ${claim}`);
      for (const number of promises) assert.ok(measured.includes(number), `no lab/trust/${number}-*.ts`);
    }
  });

  it("the changelog begins with the version of the package", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    assert.match(
      readFileSync(join(root, "CHANGELOG.md"), "utf8"),
      new RegExp(`^# Changelog\n\n## ${version}\n`),
    );
  });

  it("every runtime dependency has one row with its reason, and every row its dependency", () => {
    const { dependencies, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(root, "package.json"), "utf8"),
    );
    const rows = reasons(readFileSync(join(root, ".github/CONTRIBUTING.md"), "utf8"));
    assert.deepEqual(
      rows.flatMap(({ names }) => names).sort(),
      [...Object.keys(dependencies), ...Object.keys(optionalDependencies)].sort(),
    );
    assert.deepEqual(
      rows.filter(({ why }) => why.split(/\s+/).length < 3),
      [],
      "a reason is a few words at least",
    );
  });

  it("every table of the file says in the source what it is for", () => {
    assert.ok(!dataModelPage().includes(UNTOLD), "put a comment above it in tables.ts or schema.ts");
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

/** The rows of CONTRIBUTING's table of dependencies; two that are of one mind may share a row. */
function reasons(contributing: string): { names: string[]; why: string }[] {
  const table = contributing.split(/^## /m).find((section) => section.startsWith("Dependencies\n")) ?? "";
  return [...table.matchAll(/^\|([^|]+)\|([^|]+)\|$/gm)]
    .map(([, names = "", why = ""]) => ({ names: names.trim().split(/,\s*/), why: why.trim() }))
    .slice(2); // the head and the line below it
}
