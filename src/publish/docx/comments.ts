import type { CompiledNote } from "../compiled.ts";
import { escaped, XML } from "../parts/xml.ts";
import { textXml } from "./inline.ts";
import { NAMESPACES } from "./parts.ts";

/** A note as a comment. `author` is the writer, for notes that name nobody. */
export function commentXml(note: CompiledNote, id: number, author: string): string {
  const name = note.author || author || "Author";
  const by = note.kind === "note" ? name : `${name} (${note.kind})`;
  const lines = note.lines.length === 0 ? [""] : note.lines;
  const mark = '<w:r><w:rPr><w:rStyle w:val="CommentReference"/></w:rPr><w:annotationRef/></w:r>';
  const paragraphs = lines.map(
    (line, at) =>
      `<w:p w14:paraId="${paragraphId(id, at)}" w14:textId="77777777"><w:pPr><w:pStyle w:val="CommentText"/></w:pPr>${at === 0 ? mark : ""}<w:r>${textXml(line)}</w:r></w:p>`,
  );
  const initials = name.replace(/(\S)\S*\s*/gu, "$1");
  return `<w:comment w:id="${id}" w:author="${escaped(by)}" w:date="${note.at.slice(0, 19)}Z" w:initials="${escaped(initials)}">${paragraphs.join("")}</w:comment>`;
}

/** Unique below 0x80000000; the last paragraph of a comment stands for it. ([MS-DOCX] 2.5.4.1) */
function paragraphId(id: number, line: number): string {
  return (0x10000000 + id * 4096 + Math.min(line, 4095)).toString(16).toUpperCase();
}

/** The part that says which comments are done. */
export function doneXml(notes: readonly CompiledNote[]): string {
  const entries = notes.map(({ lines, isDone }, id) => {
    const last = paragraphId(id, Math.max(0, lines.length - 1));
    return `<w15:commentEx w15:paraId="${last}" w15:done="${isDone ? 1 : 0}"/>`;
  });
  return `${XML}<w15:commentsEx ${NAMESPACES}>${entries.join("")}</w15:commentsEx>`;
}
