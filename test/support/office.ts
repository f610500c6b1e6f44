import type { Office } from "../../src/files/office.ts";
import { docx } from "../files/layouts/word/docx.ts";

/**
 * Stands in for LibreOffice: makes a .docx of the paragraphs of RTF as Scrivener writes it, with its links and italics,
 * and of any other document a paragraph with its bytes.
 */
export const office: Office = async (documents) => documents.map(({ bytes }) => converted(bytes.toString()));

function converted(source: string): Buffer {
  const body = source.startsWith("{\\rtf")
    ? source.replace(/^.*\\f0 |^\{\\rtf1(?:\\ansi\\ansicpg1252)? /s, "").replace(/\}$/, "")
    : source;
  const targets: string[] = [];
  const paragraphs = body.split("\\\n").map((line) => {
    const pieces = line.split(/(\{\\field.*?fldrslt .*?\}\}|\{\\i .*?\}|\{\\footnote .*?\})/).map((piece) => {
      const [, target, words = ""] = /"(.*?)".*fldrslt (.*?)\}/.exec(piece) ?? [];
      if (target !== undefined)
        return `<w:hyperlink r:id="rId${targets.push(target)}">${run(words)}</w:hyperlink>`;
      const italic = /^\{\\i (.*)\}$/.exec(piece)?.[1];
      return italic === undefined ? run(piece) : run(italic, "<w:rPr><w:i/></w:rPr>");
    });
    return `<w:p>${pieces.join("")}</w:p>`;
  });
  const relations = targets.map((target, at) => `<Relationship Id="rId${at + 1}" Target="${target}"/>`);
  return docx({ body: paragraphs.join(""), relations: relations.join("") });
}

function run(rtf: string, properties = ""): string {
  const text = rtf
    .replace(/\\uc0/g, "")
    .replace(/\\u(\d+) ?/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/[&<]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<w:r>${properties}<w:t xml:space="preserve">${text}</w:t></w:r>`;
}
