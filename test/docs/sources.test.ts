import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** `[file, one source]` for each part of every `Source:` in a comment. */
const SOURCES = ["src", "test"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `${folder}/${file}`)
    .flatMap((file) => sourcesOf(read(file)).map((source) => [file, source] as const)),
);

function sourcesOf(code: string): string[] {
  const comments = [...code.matchAll(/\/\*\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+/gm)].map(([comment]) =>
    comment.replace(/^[ \t]*(?:\/\*\*|\*\/|\*|\/\/)|\*\/$/gm, "").replace(/\s+/g, " "),
  );
  return comments
    .flatMap((comment) => [...comment.matchAll(/Source: (.*?)\.(?=\s|$)/g)])
    .flatMap((match) => match[1]!.split("; ")); // the group is not optional
}

/** The names of `docs/references.md`. */
const REFERENCES = [...read("docs/references.md").matchAll(/^- \*\*(.+?)\*\*/gm)].map((match) => match[1]!); // as above

const headingsOf = (path: string) => [...read(path).matchAll(/^#+ (.+)$/gm)].map((match) => match[1]!); // as above

const isNamed = (source: string, name: string) => source === name || source.startsWith(`${name}, `);

function resolves(source: string): boolean {
  if (/^https:\/\/\S+$/.test(source)) return true;
  const [page = "", ...rest] = source.split(", ");
  const heading = rest.join(", ");
  if (page === "llms.txt") return headingsOf("fixtures/golden/llms.txt").includes(heading);
  if (page.startsWith("docs/"))
    return existsSync(join(root, page)) && (heading === "" || headingsOf(page).includes(heading));
  return REFERENCES.some((name) => isNamed(source, name));
}

describe("sources", () => {
  it("every source that a docstring names is a page, a heading, an address or a reference that there is", () => {
    assert.ok(SOURCES.length > 40, "the comments were not found");
    assert.deepEqual(
      SOURCES.filter(([, source]) => !resolves(source)).map(([file, source]) => `${file}: ${source}`),
      [],
    );
  });

  it("every reference is named by a docstring", () => {
    assert.deepEqual(
      REFERENCES.filter((name) => !SOURCES.some(([, source]) => isNamed(source, name))),
      [],
    );
  });
});
