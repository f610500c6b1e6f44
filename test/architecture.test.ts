import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, it } from "node:test";

/** What each folder of `src/` may import. This table is the design; `types:` allows type-only imports. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  text: [],
  contract: ["zod"],
  prose: ["prosemirror-model", "prosemirror-markdown", "markdown-it", "contract/limits"],
  store: ["better-sqlite3", "types:contract"],
  search: ["minisearch", "stemmer", "contract/limits"],
  ai: ["types:prose"],
  "ai/llm": ["zod"],
  service: [
    "types:contract",
    "contract/limits",
    "contract/enums",
    "prose",
    "store",
    "search",
    "types:ai",
    "ai/llm/address",
    "lazy:ai/llm",
    "lazy:ai/embedded",
    "diff",
  ],
  files: ["service", "prose", "yaml", "chokidar"],
  "files/bundle/bundle-shape.ts": ["zod"],
  http: ["contract", "service", "web", "express", "zod"],
  web: ["contract", "service"],
  cli: [
    "types:contract",
    "contract/limits",
    "contract/enums",
    "contract/problems",
    "service",
    "files",
    "commander",
    "lazy:http",
    "lazy:store/lock",
  ],
  "index.ts": ["service", "http"],
};
/** Anyone may import these and `text/`, and they import nothing of ours. */
const SHARED = ["refusals.ts", "ids.ts"];
/** The one file that may import SQLite, and the only folder whose files hold SQL. */
const DRIVER = "store/driver.ts";

const source = join(import.meta.dirname, "../src");
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);
const read = (file: string) => readFileSync(join(source, file), "utf8");

interface Import {
  from: string;
  kind: "value" | "types" | "lazy";
}

function importsOf(file: string): Import[] {
  const text = read(file);
  const found: Import[] = [];
  for (const match of text.matchAll(/^(?:import|export)\s+(type\s+)?([^;]*?\s+from\s+)?"([^"]+)"/gm)) {
    const named = /\{([^}]*)\}/.exec(match[2] ?? "")?.[1];
    const names = named
      ?.split(",")
      .map((name) => name.trim())
      .filter(Boolean);
    const onlyTypes = match[1] !== undefined || (names?.every((name) => name.startsWith("type ")) ?? false);
    found.push({ from: match[3]!, kind: onlyTypes ? "types" : "value" }); // the group is not optional
  }
  for (const match of text.matchAll(/\bimport\("([^"]+)"\)/g)) found.push({ from: match[1]!, kind: "lazy" }); // as above
  return found;
}

/** A file's import as the table names it: a package, or a path under `src/` without its ending. */
function target(file: string, { from }: Import): string {
  if (from.startsWith("node:")) return from;
  if (!from.startsWith(".")) return from.startsWith("@") ? from : from.split("/")[0]!; // split gives at least one
  return normalize(join(dirname(file), from));
}

function isAllowed(file: string, found: Import): boolean {
  const to = target(file, found);
  const folder = file.includes("/") ? file.split("/")[0]! : file; // split gives at least one
  if (to.startsWith("node:") || SHARED.includes(to) || to.startsWith("text/")) return true;
  if (to.startsWith(`${folder}/`)) return true;
  const plain = to.replace(/\.ts$/, "");
  return rulesOf(file).some((rule) => {
    const [, prefix, path] = /^(?:(types|lazy):)?(.*)$/.exec(rule)!; // matches any text
    const reaches = plain === path || plain.startsWith(`${path}/`);
    return (
      reaches &&
      (prefix === undefined || found.kind === prefix || (prefix === "lazy" && found.kind === "types"))
    );
  });
}

/** The rules of a file or folder and of the folders around it. */
function rulesOf(path: string): readonly string[] {
  return path === "." ? [] : [...(ALLOWED[path] ?? []), ...rulesOf(dirname(path))];
}

describe("architecture", () => {
  it("every folder imports only what the table allows", () => {
    const broken = files.flatMap((file) =>
      importsOf(file)
        .filter((found) => !SHARED.includes(file) || found.from.startsWith("."))
        .filter((found) => !isAllowed(file, found))
        .map((found) => `${file} may not import ${found.from} (${found.kind})`),
    );
    assert.deepEqual(broken, []);
    assert.ok(files.length > 50, "the folder was not found");
  });

  it("only the driver imports better-sqlite3, and only the store holds SQL", () => {
    const drivers = files.filter((file) => importsOf(file).some(({ from }) => from === "better-sqlite3"));
    assert.deepEqual(drivers, [DRIVER]);
    const sql = /\b(SELECT\s.+\sFROM|INSERT INTO|DELETE FROM|UPDATE\s\w+\sSET)\b/;
    assert.deepEqual(
      files.filter((file) => !file.startsWith("store/") && sql.test(read(file))),
      [],
    );
  });

  it("files are short: a median of at most 120 lines and none over 400", () => {
    const lengths = files
      .map((file) => ({ file, lines: read(file).split("\n").length }))
      .sort((a, b) => a.lines - b.lines);
    assert.deepEqual(
      lengths.filter(({ lines }) => lines > 400),
      [],
    );
    const median = lengths[Math.floor(lengths.length / 2)]!; // there are files
    assert.ok(median.lines <= 120, `the median is ${median.lines} lines`);
  });

  it("every export has a docstring, and nothing is exported by default", () => {
    const bare = files.flatMap((file) => {
      const lines = read(file).split("\n");
      return lines.flatMap((line, index) => {
        const name = /^export (?:async )?(?:abstract )?(?:function|class|const|interface|type) (\w+)/.exec(
          line,
        )?.[1];
        const above = lines[index - 1] ?? "";
        return name !== undefined && !/\*\/\s*$/.test(above) && !isRow(file, line)
          ? [`${file}: ${name}`]
          : [];
      });
    });
    assert.deepEqual(bare, []);
    assert.deepEqual(
      files.filter((file) => /^export default/m.test(read(file))),
      [],
    );
  });

  it("nothing is left undone or untyped", () => {
    const marks = /\b(TODO|FIXME|XXX)\b|@ts-ignore|@ts-expect-error|\bas any\b|: any\b/;
    assert.deepEqual(
      files.filter((file) => marks.test(read(file))),
      [],
    );
  });

  it("nothing imports in a circle", () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .filter(({ from, kind }) => from.startsWith(".") && kind === "value")
          .map((found) => target(file, found)),
      ]),
    );
    assert.deepEqual(
      [...graph.keys()].filter((file) => reaches(graph, file, file)),
      [],
    );
  });
});

/** A contract row documents itself: its summary is shown everywhere. */
function isRow(file: string, line: string): boolean {
  return file.startsWith("contract/") && line.includes("= endpoint({");
}

function reaches(graph: ReadonlyMap<string, readonly string[]>, from: string, goal: string): boolean {
  const seen = new Set<string>();
  const open = [...(graph.get(from) ?? [])];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (file === goal) return true;
    if (seen.has(file)) continue;
    seen.add(file);
    open.push(...(graph.get(file) ?? []));
  }
  return false;
}
