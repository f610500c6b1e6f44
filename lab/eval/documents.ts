/**
 * Reads documents of other programs as an import does, and counts what comes in: whole, with a small loss that is named,
 * refused with a reason, or failed. Their own text nodes are the truth. `MANUSCRIPT_DOCUMENTS=folder npm run eval --
 * documents` takes every .docx, .odt, .rtf, .html, .epub and .doc below a folder, such as the test files of other
 * readers. Needs LibreOffice.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kindOf } from "../../src/files/document-kinds.ts";
import { openParts } from "../../src/files/documents/zip.ts";
import { findOffice, type Office } from "../../src/files/office.ts";
import { readPath } from "../../src/files/read-path.ts";
import { BadRequest, PayloadTooLarge } from "../../src/refusals.ts";
import { report } from "../bench/report.ts";

const root = process.env.MANUSCRIPT_DOCUMENTS;
const office = findOffice(process.env);
if (root === undefined || office === undefined)
  console.log("Left out: MANUSCRIPT_DOCUMENTS names no folder, or LibreOffice is not there.");
else await measure(root, office);

async function measure(root: string, office: Office): Promise<void> {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:docx|odt|rtf|html?|xhtml|epub|doc)$/i.test(file))
    .sort();
  const counts = new Map<string, number>();
  let comments = 0;
  let brought = 0;
  for (const file of files) {
    const path = join(root, file);
    const [what, detail, notes] = await read(path, office);
    counts.set(what, (counts.get(what) ?? 0) + 1);
    if (what === "whole" || what === "small loss, named") {
      comments += commentsIn(readFileSync(path), file);
      brought += notes;
    }
    if (what !== "whole") console.log(`${what}: ${file}: ${detail}`);
  }
  const count = (what: string) => counts.get(what) ?? 0;
  report("documents", [
    { what: "documents", value: files.length, unit: "" },
    ...["whole", "small loss, named", "refused for a loss", "refused", "crashed"].map((what) => ({
      what,
      value: count(what),
      unit: "",
      ...(what === "crashed" ? { bar: "0", met: count(what) === 0 } : {}),
    })),
    {
      what: "comments brought",
      value: brought,
      unit: `of ${comments}`,
      bar: "all",
      met: brought >= comments,
    },
  ]);
}

async function read(path: string, office: Office): Promise<[what: string, detail: string, notes: number]> {
  try {
    const book = await readPath(path, { layout: "document", office: () => office });
    const notes = (book.notes ?? []).map(({ replies = [] }) => 1 + replies.length);
    const lost = book.skipped.find(({ reason }) => / letters? of its text /.test(reason))?.reason;
    const total = notes.reduce((sum, one) => sum + one, 0);
    return lost === undefined ? ["whole", "", total] : ["small loss, named", lost, total];
  } catch (error) {
    if (!(error instanceof BadRequest || error instanceof PayloadTooLarge))
      return ["crashed", error instanceof Error ? (error.stack ?? "") : String(error), 0];
    return [/would be lost/.test(error.message) ? "refused for a loss" : "refused", error.message, 0];
  }
}

/** Comments with words in a .docx or an .odt. */
function commentsIn(bytes: Buffer, file: string): number {
  const kind = kindOf(bytes.subarray(0, 4096), file);
  const [part, tag] =
    kind?.reader === "word" ? ["word/comments.xml", "w:comment"] : ["content.xml", "office:annotation"];
  if (kind?.reader !== "word" && kind?.ending !== "odt") return 0;
  const xml = new TextDecoder().decode(openParts(bytes, file).readAlone(part));
  const all = xml.split(new RegExp(`<${tag}[ >]`)).slice(1);
  return all.filter((one) => /<(?:w:t|text:p)[^>]*>[^<]*\S/.test(one.split(`</${tag}>`)[0] ?? "")).length;
}
