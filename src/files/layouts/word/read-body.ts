import { normalize } from "node:path/posix";
import { withoutControl } from "../../../text/clean-text.ts";
import { collapseSpace } from "../../../text/fold.ts";
import type {
  RunContent,
  TableCell,
  TrackedChange,
  WordBookmark,
  WordComment,
  WordMarks,
  WordParagraph,
  WordRun,
} from "./paragraph.ts";
import { type ListLevel, levelOf, type Styles, type WordStyle } from "./styles.ts";
import { childNamed, elementsOf, findWithin, isOn, type PartElement, textIn, valOf } from "./xml.ts";

/** What a body is read with. */
export interface BodyContext {
  styles: Styles;
  listLevel: (id: string, depth: number) => ListLevel;
  /** Targets of links and pictures by their ids. */
  targets: ReadonlyMap<string, string>;
  /** Folder of the part, to which targets are relative, with a slash at its end. */
  folder: string;
  comments: ReadonlyMap<string, WordComment>;
  bookmarks: WordBookmark[];
  hidden: string[];
}

/** Reads the paragraphs of a body, a note or a cell, in order. */
export function readParagraphs(body: PartElement | undefined, context: BodyContext): WordParagraph[] {
  const reader = new BodyReader(context);
  if (body !== undefined) reader.read(body, undefined);
  return reader.paragraphs;
}

/** Tracked change and link around a run. */
interface RunContext {
  inserted?: TrackedChange;
  deleted?: TrackedChange;
  marks: WordMarks;
}

/** A field such as a link: its code comes first and is no text. */
interface Field {
  code: string;
  isShown: boolean;
}

class BodyReader {
  readonly paragraphs: WordParagraph[] = [];
  readonly #context: BodyContext;
  readonly #bookmarks = new Map<string | undefined, WordBookmark>();
  readonly #comments = new Map<string | undefined, WordComment>();
  /** Beginnings between paragraphs, which belong to the next one. */
  readonly #waiting: PartElement[] = [];
  #fields: Field[] = [];
  #boxes: PartElement[] = [];
  #breaksPage = false;

  constructor(context: BodyContext) {
    this.#context = context;
  }

  read(element: PartElement, cell: TableCell | undefined): void {
    for (const child of elementsOf(element)) {
      if (child.name === "w:p") this.#paragraph(child, cell);
      else if (child.name === "w:tbl") this.#table(child, cell);
      else if (child.name === "w:bookmarkStart" || child.name === "w:commentRangeStart")
        this.#waiting.push(child);
      else if (this.#ends(child)) continue;
      else if (child.name === "mc:AlternateContent") this.read(chosen(child), cell);
      else if (INNER.has(child.name)) this.read(child, cell);
    }
  }

  #table(table: PartElement, cell: TableCell | undefined): void {
    const identity = cell?.table ?? {};
    const rows = within(table, "w:tr");
    for (const [row, cells] of rows.map((one) => within(one, "w:tc")).entries()) {
      let column = 0;
      for (const one of cells) {
        this.read(one, cell ?? { table: identity, row, column });
        column += Math.max(1, Number(valOf(childNamed(one, "w:tcPr"), "w:gridSpan") ?? 1));
      }
    }
  }

  #paragraph(element: PartElement, cell: TableCell | undefined): void {
    const paragraph = { ...this.#properties(childNamed(element, "w:pPr")), cell, runs: [] as WordRun[] };
    if (this.#breaksPage) paragraph.startsPage = true;
    this.#breaksPage = false;
    this.paragraphs.push(paragraph);
    for (const start of this.#waiting.splice(0)) this.#begins(start, paragraph);
    this.#inline(element, paragraph, { marks: {} });
    // A text box stands beside its paragraph; here it comes behind.
    for (const box of this.#boxes.splice(0)) this.read(box, cell);
  }

  #properties(properties: PartElement | undefined): Omit<WordParagraph, "cell" | "runs"> {
    const style = this.#style(properties);
    const mark = childNamed(properties, "w:rPr");
    const indent = childNamed(properties, "w:ind")?.attributes ?? {};
    const inset = (...sides: string[]) => Number(sides.map((side) => indent[`w:${side}`]).find(Boolean) ?? 0);
    return {
      style: style?.name ?? "normal",
      level: levelOf(properties) ?? style?.level,
      list: this.#list(childNamed(properties, "w:numPr") ?? style?.numbering),
      isCentred:
        valOf(properties, "w:jc") === "center" ||
        (valOf(properties, "w:jc") === undefined && style?.isCentred === true),
      isSetIn: inset("left", "start") >= 360 && inset("right", "end") >= 360,
      hasRule: childNamed(properties, "w:pBdr") !== undefined,
      startsPage: isOn(properties, "w:pageBreakBefore") ?? style?.startsPage ?? false,
      inserted: changeOf(childNamed(mark, "w:ins") ?? childNamed(mark, "w:moveTo")),
      deleted: changeOf(childNamed(mark, "w:del") ?? childNamed(mark, "w:moveFrom")),
    };
  }

  #style(properties: PartElement | undefined): WordStyle | undefined {
    return this.#context.styles.get(valOf(properties, "w:pStyle")) ?? this.#context.styles.get(undefined);
  }

  #list(numbering: PartElement | undefined): WordParagraph["list"] {
    const id = valOf(numbering, "w:numId");
    if (id === undefined || id === "0") return undefined;
    const depth = Number(valOf(numbering, "w:ilvl") ?? 0);
    return { id, depth, ...this.#context.listLevel(id, depth) };
  }

  #inline(element: PartElement, paragraph: WordParagraph, around: RunContext): void {
    for (const child of elementsOf(element)) this.#child(child, paragraph, around);
  }

  #child(child: PartElement, paragraph: WordParagraph, around: RunContext): void {
    if (this.#begins(child, paragraph) || this.#ends(child)) return;
    switch (child.name) {
      case "w:pPr":
      case "w:rPr":
        return;
      case "w:ins":
      case "w:moveTo":
        this.#inline(child, paragraph, withChange(around, { inserted: changeOf(child) }));
        return;
      case "w:del":
      case "w:moveFrom":
        this.#inline(child, paragraph, withChange(around, { deleted: changeOf(child) }));
        return;
      case "w:hyperlink":
        this.#inline(
          child,
          paragraph,
          linked(around, this.#context.targets.get(child.attributes["r:id"] ?? "")),
        );
        return;
      case "m:r":
      case "w:r":
        this.#run(child, paragraph, around);
        return;
      case "mc:AlternateContent":
        this.#inline(chosen(child), paragraph, around);
        return;
      default:
        this.#inline(child, paragraph, around);
    }
  }

  #run(run: PartElement, paragraph: WordParagraph, around: RunContext): void {
    const properties = childNamed(run, "w:rPr");
    if (isOn(properties, "w:vanish") === true) {
      this.#context.hidden.push(textIn(run));
      return;
    }
    const own = { ...around, marks: { ...around.marks, ...this.#marks(properties, paragraph) } };
    for (const child of elementsOf(run)) this.#piece(child, paragraph, own);
  }

  #piece(child: PartElement, paragraph: WordParagraph, around: RunContext): void {
    const add = (content: RunContent) => this.#add(content, paragraph, around);
    const content = contentOf(child);
    if (content !== undefined) add(content);
    else if (child.name === "w:br") this.#break(child, paragraph, add);
    else if (child.name === "w:fldChar") this.#field(child.attributes["w:fldCharType"]);
    else if (child.name === "w:instrText")
      for (const field of this.#fields.slice(-1)) field.code += textIn(child);
    else if (child.name === "w:commentReference")
      place(this.#context.comments.get(child.attributes["w:id"] ?? ""), paragraph);
    else if (DRAWINGS.has(child.name)) this.#drawing(child, add);
    else if (child.name === "w:ruby") this.#ruby(child, paragraph, around);
    else if (child.name === "mc:AlternateContent")
      for (const inner of elementsOf(chosen(child))) this.#piece(inner, paragraph, around);
    else if (child.name !== "w:rPr") this.#inline(child, paragraph, around);
  }

  /** Adds a word and its reading: 漢字(かんじ). */
  #ruby(ruby: PartElement, paragraph: WordParagraph, around: RunContext): void {
    const bracket = (text: string) => this.#add({ type: "text", text }, paragraph, around);
    const reading = childNamed(ruby, "w:rt");
    const base = childNamed(ruby, "w:rubyBase");
    if (base !== undefined) this.#inline(base, paragraph, around);
    if (reading === undefined || textIn(reading).trim() === "") return;
    bracket("(");
    this.#inline(reading, paragraph, around);
    bracket(")");
  }

  #break(element: PartElement, paragraph: WordParagraph, add: (content: RunContent) => void): void {
    if (element.attributes["w:type"] === "page") {
      // At the end of a paragraph, or alone in one, it is the next that begins a page.
      if (paragraph.runs.length === 0) paragraph.startsPage = true;
      this.#breaksPage = true;
    } else add({ type: "break" });
  }

  #drawing(element: PartElement, add: (content: RunContent) => void): void {
    const box = findWithin(element, "w:txbxContent");
    if (box !== undefined) this.#boxes.push(box);
    const said = findWithin(element, "wp:docPr")?.attributes;
    const alt = said?.descr ?? findWithin(element, "v:shape")?.attributes.alt ?? "";
    for (const { attributes } of blipsIn(element)) {
      const target = this.#context.targets.get(
        attributes["r:embed"] ?? attributes["r:link"] ?? attributes["r:id"] ?? "",
      );
      if (target === undefined) continue;
      const part = target.startsWith("/") ? target.slice(1) : normalize(this.#context.folder + target);
      add({ type: "picture", picture: { part, name: said?.name ?? "", alt: collapseSpace(alt).trim() } });
    }
  }

  #field(kind: string | undefined): void {
    if (kind === "begin") this.#fields.push({ code: "", isShown: false });
    else if (kind === "end") this.#fields.pop();
    else if (kind === "separate") for (const field of this.#fields.slice(-1)) field.isShown = true;
  }

  #add(content: RunContent, paragraph: WordParagraph, { inserted, deleted, marks }: RunContext): void {
    if (this.#fields.some(({ isShown }) => !isShown) || (content.type === "text" && content.text === ""))
      return;
    const href = this.#fields.map(({ code }) => /^\s*HYPERLINK\s+"([^"]+)"/.exec(code)?.[1]).find(Boolean);
    if (content.type === "text" && deleted === undefined)
      for (const comment of this.#comments.values()) comment.quote += content.text;
    if (content.type !== "break" || paragraph.runs.length > 0) this.#breaksPage = false;
    const own = href === undefined ? marks : linkedMarks(marks, href);
    paragraph.runs.push({ ...content, marks: own, inserted, deleted });
  }

  #marks(properties: PartElement | undefined, { level }: WordParagraph): WordMarks {
    if (properties === undefined) return {};
    const style = this.#context.styles.get(valOf(properties, "w:rStyle") ?? "");
    const underlined = valOf(properties, "w:u");
    const isUnderlined =
      underlined !== undefined && underlined !== "none" && !/hyperlink/.test(style?.name ?? "");
    const isEm = isOn(properties, "w:i") ?? style?.isEm === true;
    const isStrong = isOn(properties, "w:b") ?? style?.isStrong === true;
    return {
      // Typescripts underline what print has in italics. Headings are bold by themselves.
      ...(isEm || (isUnderlined && level === undefined) ? { em: true } : {}),
      ...(isStrong && level === undefined ? { strong: true } : {}),
      ...(isOn(properties, "w:strike") === true ? { strike: true } : {}),
      ...(/^(?:code|html code|source text|verbatim char|inline code)$/.test(style?.name ?? "")
        ? { code: true }
        : {}),
    };
  }

  /** Notes the beginning of a bookmark or a comment. */
  #begins({ name, attributes }: PartElement, paragraph: WordParagraph): boolean {
    const id = attributes["w:id"];
    if (name === "w:bookmarkStart") {
      const bookmark = { name: attributes["w:name"] ?? "", from: paragraph, to: paragraph };
      this.#context.bookmarks.push(bookmark);
      this.#bookmarks.set(id, bookmark);
      return true;
    }
    if (name !== "w:commentRangeStart") return false;
    const comment = this.#context.comments.get(id ?? "");
    place(comment, paragraph);
    if (comment !== undefined) this.#comments.set(id, comment);
    return true;
  }

  /** Notes the end of a bookmark or a comment. */
  #ends({ name, attributes }: PartElement): boolean {
    const id = attributes["w:id"];
    if (name === "w:bookmarkEnd") {
      const bookmark = this.#bookmarks.get(id);
      if (bookmark !== undefined) bookmark.to = this.paragraphs.at(-1) ?? bookmark.to;
      return this.#bookmarks.delete(id) || true;
    }
    if (name !== "w:commentRangeEnd") return false;
    return this.#comments.delete(id) || true;
  }
}

/** Returns the pictures of a drawing. Those in a text box are its paragraphs' own. */
function blipsIn(element: PartElement): PartElement[] {
  return elementsOf(element).flatMap((child) => {
    if (child.name === "a:blip" || child.name === "v:imagedata") return [child];
    if (child.name === "w:txbxContent") return [];
    return blipsIn(child.name === "mc:AlternateContent" ? chosen(child) : child);
  });
}

const DRAWINGS: ReadonlySet<string> = new Set(["w:drawing", "w:pict", "w:object"]);

/** Returns what an element of a run says by itself; undefined for any other. */
function contentOf({ name, attributes, ...rest }: PartElement): RunContent | undefined {
  switch (name) {
    case "w:t":
    case "w:delText":
    case "m:t": {
      const text = withoutControl(textIn({ name, attributes, ...rest }));
      return { type: "text", text: text.replace(/[\t\n]/g, " ").toWellFormed() };
    }
    case "w:tab":
    case "w:ptab":
      return { type: "text", text: " " };
    case "w:noBreakHyphen":
      return { type: "text", text: "\u2011" };
    case "w:sym":
      return { type: "text", text: symbolOf(attributes["w:char"]) };
    case "w:cr":
      return { type: "break" };
    case "w:footnoteReference":
      return { type: "note", key: `footnote ${attributes["w:id"]}` };
    case "w:endnoteReference":
      return { type: "note", key: `endnote ${attributes["w:id"]}` };
    default:
      return undefined;
  }
}

const INNER: ReadonlySet<string> = new Set([
  ...["w:sdt", "w:sdtContent", "w:ins", "w:moveTo", "w:del", "w:moveFrom", "w:customXml", "w:smartTag"],
]);

/** Returns the elements of a table's parts, those in content controls included. */
function within(element: PartElement, name: string): PartElement[] {
  return elementsOf(element).flatMap((child) =>
    child.name === name ? child : INNER.has(child.name) ? within(child, name) : [],
  );
}

/** Returns what of two ways to show the same is read. */
function chosen(alternate: PartElement): PartElement {
  return (
    childNamed(alternate, "mc:Choice") ??
    childNamed(alternate, "mc:Fallback") ?? { ...alternate, children: [] }
  );
}

function place(comment: WordComment | undefined, paragraph: WordParagraph): void {
  if (comment !== undefined) comment.from ??= paragraph;
}

function withChange(
  around: RunContext,
  { inserted, deleted }: { inserted?: TrackedChange | undefined; deleted?: TrackedChange | undefined },
): RunContext {
  return { ...around, ...(inserted && { inserted }), ...(deleted && { deleted }) };
}

/** Returns the change that an element of tracked changes tells of. */
function changeOf(element: PartElement | undefined): TrackedChange | undefined {
  return (
    element && { author: element.attributes["w:author"] ?? "", at: element.attributes["w:date"] ?? null }
  );
}

function linked(around: RunContext, target: string | undefined): RunContext {
  return target === undefined ? around : { ...around, marks: linkedMarks(around.marks, target) };
}

// Only what leads out of the document is a link in a chapter. Scrivener's comments are links, too.
function linkedMarks(marks: WordMarks, href: string): WordMarks {
  return /^(?:https?|mailto|scrivcmt):/i.test(href) ? { ...marks, href } : marks;
}

/** Returns a character of a font of symbols, whose codes begin at U+F000. */
function symbolOf(code: string | undefined): string {
  const number = Number.parseInt(code ?? "", 16);
  return Number.isNaN(number)
    ? ""
    : withoutControl(String.fromCodePoint(number >= 0xf000 ? number - 0xf000 : number));
}
