import { splitRuby } from "../../text/ruby.ts";
import type { CompiledFootnote, Inline, InlineMarks, PlacedPicture } from "../compiled.ts";
import { escaped } from "../parts/xml.ts";
import type { Picture } from "../picture.ts";
import { REL } from "./parts.ts";

/** A relation of the document to another part or an address. */
export interface Relation {
  id: string;
  type: string;
  target: string;
  isExternal?: boolean;
}

/** Writes runs, and gathers what they refer to: addresses, pictures and footnotes. */
export class InlineWriter {
  readonly relations: Relation[] = [];
  /** Pictures by their names in the package. */
  readonly media = new Map<string, Picture>();
  /** Footnotes by their number in the document. One that is referred to twice is written twice. */
  readonly footnotes: CompiledFootnote[] = [];
  readonly #links = new Map<string, string>();

  /** Writes runs. In a footnote no other footnote is possible. */
  write(runs: readonly Inline[], inNote = false): string {
    return runs.map((run) => this.#run(run, inNote)).join("");
  }

  #run(run: Inline, inNote: boolean): string {
    if (run.type === "break") return "<w:r><w:br/></w:r>";
    if (run.type === "picture") return this.#picture(run.picture);
    if (run.type === "footnote") return this.#footnote(run.footnote, inNote);
    const { text, marks } = run;
    const written = `<w:r>${properties(marks)}${marks.code ? textXml(text) : withRuby(text, properties(marks))}</w:r>`;
    if (marks.href === undefined) return written;
    return `<w:hyperlink r:id="${this.#link(marks.href)}">${written}</w:hyperlink>`;
  }

  #footnote(footnote: CompiledFootnote, inNote: boolean): string {
    if (inNote) return `<w:r>${textXml(`[${footnote.number}]`)}</w:r>`;
    const id = this.footnotes.push(footnote);
    return `<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="${id}"/></w:r>`;
  }

  #link(target: string): string {
    const id = this.#links.get(target) ?? this.#relate("hyperlink", target, true);
    this.#links.set(target, id);
    return id;
  }

  #relate(type: string, target: string, isExternal = false): string {
    const id = `rId${100 + this.relations.length}`;
    this.relations.push({ id, type: `${REL}/${type}`, target, isExternal });
    return id;
  }

  #picture({ path, alt, picture }: PlacedPicture): string {
    // Word shows no WebP, and an SVG only beside a picture of another type.
    if (picture === undefined || /webp|svg/.test(picture.type))
      return `<w:r>${textXml(`[${alt || path}]`)}</w:r>`;
    const file = `media/${picture.name}.${picture.ending}`;
    let id = this.#links.get(file);
    if (id === undefined) {
      id = this.#relate("image", file);
      this.#links.set(file, id);
      this.media.set(file, picture);
    }
    return drawing({ id, path, alt, picture });
  }
}

/** Text of a run, words with readings as ruby. */
function withRuby(text: string, look: string): string {
  const run = (words: string) => `<w:r>${look}${textXml(words)}</w:r>`;
  return splitRuby(text)
    .map((part) =>
      typeof part === "string"
        ? textXml(part)
        : `<w:ruby><w:rubyPr><w:rubyAlign w:val="distributeSpace"/><w:hps w:val="12"/><w:hpsRaise w:val="22"/><w:hpsBaseText w:val="24"/><w:lid w:val="ja-JP"/></w:rubyPr><w:rt>${run(part.reading)}</w:rt><w:rubyBase>${run(part.base)}</w:rubyBase></w:ruby>`,
    )
    .join("");
}

/** Text of a run; a tab is a sign of its own. */
export function textXml(text: string): string {
  return text
    .split("\t")
    .map((part) => (part === "" ? "" : `<w:t xml:space="preserve">${escaped(part)}</w:t>`))
    .join("<w:tab/>");
}

function properties({ em, strong, strike, code, href }: InlineMarks): string {
  const style = code ? "Code" : href === undefined ? undefined : "Hyperlink";
  const inner =
    (style ? `<w:rStyle w:val="${style}"/>` : "") +
    (strong ? "<w:b/>" : "") +
    (em ? "<w:i/>" : "") +
    (strike ? "<w:strike/>" : "");
  return inner && `<w:rPr>${inner}</w:rPr>`;
}

/** Width of the text on a page, and its height at most, in English Metric Units: 914,400 are an inch. */
const MOST = { width: 6 * 914_400, height: 8 * 914_400 };
/** A pixel where a picture does not say how large it is: 96 to the inch. */
const PIXEL = 9525;

function drawing({
  id,
  path,
  alt,
  picture,
}: {
  id: string;
  path: string;
  alt: string;
  picture: Picture;
}): string {
  const { width, height } = picture;
  const scale = Math.min(PIXEL, MOST.width / width, MOST.height / height);
  const [cx, cy] = [Math.round(width * scale), Math.round(height * scale)];
  const name = escaped(path);
  const number = Number(id.slice(3));
  const graphic = `<pic:pic><pic:nvPicPr><pic:cNvPr id="${number}" name="${name}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>`;
  return `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${cx}" cy="${cy}"/><wp:docPr id="${number}" name="${name}" descr="${escaped(alt)}"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture">${graphic}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
}
