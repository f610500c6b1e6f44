import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readNwDocument } from "../../../src/files/layouts/novelwriter/nwd.ts";
import { readProject } from "../../../src/files/layouts/novelwriter/nwx.ts";
import { guessSplit } from "../../../src/files/layouts/one-file/split-by-headings.ts";
import { splitMetadata } from "../../../src/files/layouts/scrivener/mmd.ts";
import { asParagraphs } from "../../../src/files/layouts/scrivener/paragraphs.ts";
import { plainRtf } from "../../../src/files/layouts/scrivener/rtf.ts";
import { readBinder } from "../../../src/files/layouts/scrivener/scrivx.ts";
import { readIndexYaml } from "../../../src/files/yaml/open.ts";
import { BadRequest } from "../../../src/refusals.ts";
import { randomly } from "../../prose/rewrite.ts";

/** Pieces that mean something to one of the readers. */
const PIECES = [
  ..."# |## |#! |- |<!--|-->|---|%%~name|%|%synopsis: |@tag: |@pov:a|>> | <<|<a>|</a>|<a b='&lt;'/>|&|<![CDATA[".split(
    "|",
  ),
  ..."<item handle='a' parent='b'>|</item>|<novelWriterXML>|<content>|</content>|Title: x|: |[|]|{|}|*a|&a|'|\"".split(
    "|",
  ),
  ..."\\{\\\\Scrv_annot |\\{\\\\Scrv_fn|\\\\text=|\\\\end_Scrv_fn\\}".split("|"),
  ...["\n", "\r\n", "\n\n", "\t", " ", "\u0000", "\ufeff", "\ud800", "é"],
];
const anyIndex = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 8 })), { maxLength: 60 })
  .map((pieces) => pieces.join(""));

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  readProject: (text) =>
    readProject(`<novelWriterXML><content>${text}</content></novelWriterXML>`, "nwProject.nwx"),
  readBinder: (text) =>
    readBinder(`<ScrivenerProject><Binder>${text}</Binder></ScrivenerProject>`, "a.scrivx"),
  readNwDocument,
  splitMetadata,
  plainRtf: (text) => plainRtf(Buffer.from(text)),
  asParagraphs,
  readIndexYaml: (text) => readIndexYaml(text, "Index.md"),
};

describe("an index that somebody else wrote", () => {
  for (const [name, read] of Object.entries(READERS)) {
    it(`is read or refused by ${name}, whatever it is`, async (t) => {
      const settings = randomly(60);
      t.diagnostic(`seed ${settings.seed}`);
      const property = fc.asyncProperty(anyIndex, async (text) => {
        try {
          await read(text);
        } catch (error) {
          assert.ok(error instanceof BadRequest, `${error}`);
        }
      });
      await fc.assert(property, { ...settings, includeErrorInReport: true });
    });

    if (name === "readIndexYaml") continue; // the package's own time, which its limit bounds
    it(`costs ${name} a time that grows with its length alone`, async () => {
      const long = 30_000;
      for (const piece of [
        " ",
        "\t",
        "-",
        "=",
        "#",
        "[",
        "(",
        "\\",
        "<",
        "<!--",
        "&",
        "%",
        "@",
        ">",
        "a:",
        "\n",
        "- [",
        "{",
      ]) {
        for (const text of [
          piece.repeat(long),
          `# ${piece.repeat(long)}x`,
          `Title: a\n${piece.repeat(long)}x`,
        ]) {
          const start = process.cpuUsage();
          await Promise.resolve(text)
            .then(read)
            .catch(() => {});
          const { user, system } = process.cpuUsage(start);
          assert.ok(user + system < 1e6, `${JSON.stringify(piece)}: ${user + system} µs`);
        }
      }
    });
  }

  it("keeps every line of prose of a novelWriter document", () => {
    const line = fc
      .string({ maxLength: 12 })
      .filter((text) => !/^[#%@>]|<\s*$|[\r\n]/.test(text) && text.trim() !== "");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = lines.flatMap((each) => [each, "", "% a comment", ""]).join("\n");
        const kept = readNwDocument(text)
          .map(({ prose }) => prose)
          .join("");
        assert.deepEqual(
          kept.split("\n").filter((each) => each.trim() !== ""),
          lines,
        );
      }),
      randomly(80),
    );
  });

  it("a text is guessed without a word lost: what is cut is the text", () => {
    assert.equal(guessSplit("# A\n"), undefined);
    assert.equal(guessSplit(`${"=".repeat(100_000)}\n${"- ".repeat(50_000)}`), undefined);
  });
});
