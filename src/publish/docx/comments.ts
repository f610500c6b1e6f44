import type { CompiledNote } from "../compiled.ts";
import { escaped, XML } from "../parts/xml.ts";
import { textXml } from "./inline.ts";
import { NAMESPACES } from "./parts.ts";

/** A comment: a note, or an answer to the comment of that number. */
export interface Comment {
  by: string;
  at: string;
  lines: readonly string[];
  isDone: boolean;
  parent?: number;
}

/** Returns the comments of a note, numbered from `first`. `writer` says those that name nobody. */
export function commentsOf(note: CompiledNote, first: number, writer: string): Comment[] {
  const { kind, author, at, lines, isDone, replies } = note;
  const name = author || writer || "Author";
  return [
    {
      by: kind === "note" ? name : `${name} (${kind})`,
      at,
      lines: lines.length === 0 ? [""] : lines,
      isDone,
    },
    ...replies.map((reply) => ({
      ...{ by: reply.author || writer || "Author", at: reply.at ?? at, lines: reply.text.split("\n") },
      ...{ isDone, parent: first },
    })),
  ];
}

/** A comment as XML. */
export function commentXml({ by, at, lines }: Comment, id: number): string {
  const mark = '<w:r><w:rPr><w:rStyle w:val="CommentReference"/></w:rPr><w:annotationRef/></w:r>';
  const paragraphs = lines.map(
    (line, number) =>
      `<w:p w14:paraId="${paragraphId(id, number)}" w14:textId="77777777"><w:pPr><w:pStyle w:val="CommentText"/></w:pPr>${number === 0 ? mark : ""}<w:r>${textXml(line)}</w:r></w:p>`,
  );
  const initials = by.replace(/ \(\w+\)$/, "").replace(/(\S)\S*\s*/gu, "$1");
  return `<w:comment w:id="${id}" w:author="${escaped(by)}" w:date="${at.slice(0, 19)}Z" w:initials="${escaped(initials)}">${paragraphs.join("")}</w:comment>`;
}

/** Unique below 0x80000000; the last paragraph of a comment stands for it. ([MS-DOCX] 2.5.4.1) */
function paragraphId(id: number, line: number): string {
  return (0x10000000 + id * 4096 + Math.min(line, 4095)).toString(16).toUpperCase();
}

/** The part that says which comments are done, and which answers which. */
export function threadsXml(comments: readonly Comment[]): string {
  const lastOf = (id: number) => paragraphId(id, (comments[id]?.lines.length ?? 1) - 1);
  const entries = comments.map(({ isDone, parent }, id) => {
    const answers = parent === undefined ? "" : ` w15:paraIdParent="${lastOf(parent)}"`;
    return `<w15:commentEx w15:paraId="${lastOf(id)}"${answers} w15:done="${isDone ? 1 : 0}"/>`;
  });
  return `${XML}<w15:commentsEx ${NAMESPACES}>${entries.join("")}</w15:commentsEx>`;
}
