import { BadRequest } from "../../../refusals.ts";
import { openParts, type Parts } from "../../documents/zip.ts";
import type { WordBookmark, WordComment, WordDocument, WordParagraph } from "./paragraph.ts";
import { type BodyContext, readParagraphs } from "./read-body.ts";
import { readNumbering, readStyles } from "./styles.ts";
import { allWithin, childNamed, elementsOf, type PartElement, parsePart, textIn } from "./xml.ts";

/**
 * Reads a Word document: its paragraphs with changes, comments, bookmarks and notes. No layout, no macros, nothing
 * from the network. `name` is for messages. Throws `BadRequest` and `PayloadTooLarge`.
 */
export function readWord(bytes: Buffer, name: string): WordDocument {
  const parts = openParts(bytes, name);
  const read = (part: string) => {
    const found = parts.read(part);
    return found && parsePart(found, name);
  };
  const main = mainPart(parts, read);
  const body = main === undefined ? undefined : childNamed(read(main), "w:body");
  if (main === undefined || body === undefined)
    throw new BadRequest(`${name} holds no text of Word; nothing was imported.`);
  const folder = main.slice(0, main.lastIndexOf("/") + 1);
  const own = (part: string) => read(folder + part);
  const targetsOf = (part: string) => targetsIn(own(`_rels/${part}.rels`));
  const bookmarks: WordBookmark[] = [];
  const context: BodyContext = {
    styles: readStyles(own("styles.xml")),
    listLevel: readNumbering(own("numbering.xml")),
    targets: targetsOf(main.slice(folder.length)),
    folder,
    comments: readComments(own("comments.xml"), own("commentsExtended.xml")),
    bookmarks,
    hidden: [],
  };
  const paragraphs = readParagraphs(body, context);
  const notes = new Map([
    ...readNotes(own("footnotes.xml"), "footnote", { ...context, targets: targetsOf("footnotes.xml") }),
    ...readNotes(own("endnotes.xml"), "endnote", { ...context, targets: targetsOf("endnotes.xml") }),
  ]);
  const comments = [...context.comments.values()];
  return {
    paragraphs,
    notes,
    comments: parts.names.has(`${folder}commentsExtended.xml`) ? comments : threaded(comments),
    bookmarks,
    hidden: context.hidden,
    media: parts,
    isTracked: [...paragraphs, ...[...notes.values()].flat()].some(hasChanges),
    title: textIn(childNamed(read("docProps/core.xml"), "dc:title")).trim() || undefined,
    bookId: propertyOf(read("docProps/custom.xml"), "manuscript.book"),
  };
}

/** Finds the part with the text; some programs call it `word/document2.xml`. */
function mainPart(parts: Parts, read: (part: string) => PartElement | undefined): string | undefined {
  const usual = "word/document.xml";
  const relations = elementsOf(read("_rels/.rels"), "Relationship");
  const target = relations.find(({ attributes }) => attributes.Type?.endsWith("/officeDocument"))?.attributes
    .Target;
  return [target?.replace(/^\//, ""), usual].find((part) => part !== undefined && parts.names.has(part));
}

function targetsIn(relations: PartElement | undefined): Map<string, string> {
  return new Map(
    elementsOf(relations, "Relationship").map(({ attributes }) => [
      attributes.Id ?? "",
      attributes.Target ?? "",
    ]),
  );
}

function readNotes(
  root: PartElement | undefined,
  kind: "footnote" | "endnote",
  context: BodyContext,
): [string, WordParagraph[]][] {
  // Those of another type are the lines above all notes.
  const notes = elementsOf(root, `w:${kind}`).filter(({ attributes }) =>
    /^(?:normal)?$/.test(attributes["w:type"] ?? ""),
  );
  return notes.map((note) => [`${kind} ${note.attributes["w:id"]}`, readParagraphs(note, context)]);
}

function readComments(
  root: PartElement | undefined,
  extended: PartElement | undefined,
): Map<string, WordComment> {
  const said = new Map(
    elementsOf(extended, "w15:commentEx").map(({ attributes }) => [attributes["w15:paraId"], attributes]),
  );
  const ids = new Map<string | undefined, string>();
  const read = elementsOf(root, "w:comment").map((comment) => {
    const id = comment.attributes["w:id"] ?? "";
    const paragraphs = allWithin(comment, "w:p"); // also those of a table
    const last = paragraphs.at(-1)?.attributes["w14:paraId"];
    ids.set(last, id);
    const text = paragraphs.map(wordsIn).join("\n").trim();
    const { "w:author": author = "", "w:date": at = null } = comment.attributes;
    return { id, author: author.trim(), at, text, more: said.get(last) };
  });
  return new Map(
    read.map(({ more, ...comment }) => [
      comment.id,
      {
        ...comment,
        isDone: more?.["w15:done"] === "1",
        parent: ids.get(more?.["w15:paraIdParent"] ?? ""),
        from: undefined,
        quote: "",
      },
    ]),
  );
}

function wordsIn(element: PartElement): string {
  return elementsOf(element)
    .map((child) => {
      if (child.name === "w:t") return textIn(child);
      if (child.name === "w:br" || child.name === "w:cr") return "\n";
      if (child.name === "w:tab") return " ";
      return /^w:(?:pPr|rPr|del|instrText)$/.test(child.name) ? "" : wordsIn(child);
    })
    .join("");
}

/** Google Docs writes no threads: comments on the very same words are one, in the order of their times. */
function threaded(comments: readonly WordComment[]): WordComment[] {
  const first = new Map<WordParagraph | undefined, Map<string, WordComment>>();
  const byTime = comments.toSorted((one, other) => (one.at ?? "").localeCompare(other.at ?? ""));
  for (const comment of byTime) {
    const here = first.get(comment.from) ?? new Map<string, WordComment>();
    first.set(comment.from, here);
    if (!here.has(comment.quote)) here.set(comment.quote, comment);
  }
  return comments.map((comment) => {
    const opening = first.get(comment.from)?.get(comment.quote);
    return opening === undefined || opening === comment ? comment : { ...comment, parent: opening.id };
  });
}

function propertyOf(root: PartElement | undefined, name: string): string | undefined {
  const property = elementsOf(root, "property").find(({ attributes }) => attributes.name === name);
  return property && textIn(property).trim();
}

/** True if a paragraph holds a tracked change. */
export function hasChanges({ runs, inserted, deleted }: WordParagraph): boolean {
  return (
    Boolean(inserted ?? deleted) ||
    runs.some((run) => run.inserted !== undefined || run.deleted !== undefined)
  );
}
