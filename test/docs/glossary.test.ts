import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { connect } from "../../src/store/file/driver.ts";
import { SCHEMA } from "../../src/store/file/schema.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Each term with what the code calls it. */
const TERMS = [...read("docs/glossary.md").matchAll(/^- \*\*(.+?)\*\*(?: \((`.+?`)\))?: \S/gm)].map(
  ([, term = "", names = ""]) => ({
    term,
    names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  }),
);

function exportedNames(): Set<string> {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const declared = /^export (?:async )?(?:abstract )?(?:function|class|const|interface|type) (\w+)/gm;
  return new Set(
    files
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => [...read(`src/${file}`).matchAll(declared)].map(([, name = ""]) => name)),
  );
}

/** Every table, and every column as `table.column`. */
function storedNames(): Set<string> {
  const connection = connect(":memory:");
  try {
    for (const statement of SCHEMA) connection.exec(statement);
    const columns = connection.prepare(
      "SELECT t.name, t.name || '.' || c.name FROM pragma_table_list t, pragma_table_info(t.name) c",
    );
    return new Set((columns.raw().all() as [string, string][]).flat());
  } finally {
    connection.close();
  }
}

describe("the glossary", () => {
  it("has its terms in alphabetical order, each once and on one line", () => {
    const terms = TERMS.map(({ term }) => term.toLowerCase());
    assert.deepEqual(terms, [...new Set(terms)].sort());
    assert.equal(read("docs/glossary.md").match(/^- /gm)?.length, terms.length);
  });

  it("names what the code exports and the file holds", () => {
    const known = new Set([...exportedNames(), ...storedNames()]);
    const named = TERMS.flatMap(({ term, names }) => names.map((name) => ({ term, name })));
    assert.ok(named.length > 40, "the names were not found");
    assert.deepEqual(
      named.filter(({ name }) => !known.has(name)).map(({ term, name }) => `${term}: ${name}`),
      [],
    );
  });
});
