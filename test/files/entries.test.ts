import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import * as yaml from "yaml";
import { changedFactKeys, factKeys, readFacts } from "../../src/files/annotations/facts-yaml.ts";
import { updateEntries } from "../../src/files/yaml/edit-entries.ts";
import { writeEntries } from "../../src/files/yaml/write.ts";
import type { FactExport } from "../../src/service/interchange/read-annotations.ts";
import { anyCharacter } from "../prose/arbitrary.ts";
import { randomly } from "../prose/rewrite.ts";

const clean = (text: string) =>
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "");
const anyText = fc
  .oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc
      .array(
        fc.constantFrom(
          "a",
          " ",
          "\n",
          "\t",
          "#",
          ": ",
          "- ",
          "'",
          '"',
          "|",
          ">",
          "\r\n",
          "é",
          "&a",
          "*a",
          "{",
          "]",
          "%",
          "\\",
        ),
        { maxLength: 30 },
      )
      .map((parts) => parts.join("")),
    fc.constantFrom(
      "no",
      "~",
      "0x1F",
      "1e3",
      "2026-01-01",
      "<<",
      "=",
      "true",
      "12:30:45",
      "---",
      "...",
      "? a",
      "!x",
    ),
    fc.string({ minLength: 81, maxLength: 200 }),
  )
  .map(clean);
const anyName = anyText.map((text) => text.trim().slice(0, 200).toWellFormed().trim() || "x");
const anyFact = fc.record({
  name: anyName,
  kind: anyText.map((text) => text.slice(0, 100).toWellFormed()),
  aliases: fc.uniqueArray(anyName, { maxLength: 3 }),
  attributes: fc.array(fc.record({ key: anyName, value: anyText }), { maxLength: 3 }),
  summary: anyText,
});
const anyFacts = fc.array(anyFact, { minLength: 1, maxLength: 4 }).map(numbered);

function numbered(facts: readonly Omit<FactExport, "id">[]): FactExport[] {
  return facts.map((fact, index) => ({ id: `fa_${index}`, ...fact }));
}

const write = (facts: readonly FactExport[]) =>
  writeEntries(
    yaml,
    facts.map((fact) => factKeys(fact)),
  );

/** What a text says that the facts do not; both are of one length. */
function faults(text: string, facts: readonly FactExport[]) {
  const read = readFacts(yaml, text);
  assert.equal(read.length, facts.length);
  return read.flatMap((entry, index) => [...changedFactKeys(entry, facts[index]!)]); // of one length
}

describe("entries of a YAML file", () => {
  it("say any facts, for us and for a reader of YAML 1.1", () => {
    const property = fc.property(anyFacts, (facts) => {
      const text = write(facts);
      assert.deepEqual(faults(text, facts), []);
      const old: { name: string; kind?: string; summary?: string }[] = yaml.parse(text, { version: "1.1" });
      assert.deepEqual(
        old.map(({ name, kind = "", summary = "" }) => [name, kind, summary]),
        facts.map(({ name, kind, summary }) => [name, kind, summary]),
      );
    });
    fc.assert(property, { ...randomly(150), seed: 1 });
  });

  it("come to say any others, with every comment and foreign key still there", () => {
    const property = fc.property(anyFacts, anyFacts, fc.boolean(), (before, after, isWindows) => {
      const own = write(before)
        .replace(/^- id: (\S+)$/gm, "# about $1\n- mine_$1: [1, 2] # of $1\n  id: $1")
        .concat("# the end\n");
      const text = isWindows ? own.replaceAll("\n", "\r\n") : own;
      const kept = after.slice(0, before.length);
      const entries = readFacts(yaml, text);
      const changes = kept.map((fact, index) => changedFactKeys(entries[index]!, fact)); // as many are kept at most
      const goes = before.slice(kept.length).map(() => "goes" as const);
      const added = after.slice(before.length);
      const asked = {
        changes: [...changes.map((keys) => (keys.size === 0 ? "stays" : keys)), ...goes],
        added: added.map((fact) => factKeys(fact)),
      };
      const made = updateEntries(yaml, text, asked, (other) => {
        try {
          return faults(other, after).length === 0;
        } catch {
          return false;
        }
      });
      assert.ok(made !== undefined, text);
      assert.ok(made.includes("# the end"));
      for (const { id } of kept)
        assert.match(made, new RegExp(`- mine_${id}: \\[ ?1, 2 ?\\] # of ${id}\\r?\\n`));
      if (isWindows) assert.doesNotMatch(made, /(?<!\r)\n/);
    });
    fc.assert(property, { ...randomly(150), seed: 1 });
  });
});
