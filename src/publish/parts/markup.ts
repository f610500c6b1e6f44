import { splitRuby } from "../../text/ruby.ts";
import type {
  CompiledBlock,
  CompiledChapter,
  CompiledFootnote,
  CompiledList,
  Inline,
  InlineMarks,
  PlacedPicture,
} from "../compiled.ts";
import { escaped } from "./xml.ts";

/** Writes text, words with readings as ruby. */
function withRuby(text: string): string {
  return splitRuby(text)
    .map((part) =>
      typeof part === "string"
        ? escaped(part)
        : `<ruby>${escaped(part.base)}<rp>(</rp><rt>${part.reading}</rt><rp>)</rp></ruby>`,
    )
    .join("");
}

/** How markup is written. */
export interface MarkupOptions {
  /** Address of a picture in the text; undefined if it cannot be shown. */
  source: (picture: PlacedPicture) => string | undefined;
  /** Level of a chapter's heading. */
  level: number;
  /** With the types of EPUB, by which its readers show notes in place. */
  isEpub?: boolean;
}

/** Writes chapters as XHTML, which HTML reads too. Each paragraph has its id in the manuscript for an `id`. */
export class MarkupWriter {
  readonly #options: MarkupOptions;
  #chapter = "";
  #referred = new Map<number, number>();
  /** True where a paragraph has no indent: behind a heading or a break. */
  #isFirst = true;

  constructor(options: MarkupOptions) {
    this.#options = options;
  }

  /** The heading, the blocks and the notes of a chapter. */
  chapter({ id, heading, blocks, footnotes }: CompiledChapter): string {
    this.#chapter = id;
    this.#referred = new Map();
    const { level } = this.#options;
    const title = this.#heading(heading.id, level, this.inline(heading.runs));
    const text = blocks.map((block) => this.#block(block));
    return [title, ...text, ...footnotes.map((note) => this.#footnote(note))].join("\n");
  }

  inline(runs: readonly Inline[]): string {
    return runs.map((run) => this.#run(run)).join("");
  }

  #run(run: Inline): string {
    if (run.type === "break") return "<br/>";
    if (run.type === "footnote") return this.#reference(run.footnote);
    if (run.type === "text")
      return marked(run.marks.code ? escaped(run.text) : withRuby(run.text), run.marks);
    const { alt, path } = run.picture;
    const source = this.#options.source(run.picture);
    if (source === undefined) return `<span class="missing">[${escaped(alt || path)}]</span>`;
    return `<img src="${escaped(source)}" alt="${escaped(alt)}"/>`;
  }

  #anchor(kind: "n" | "r", { number }: CompiledFootnote, time = 1): string {
    return `${kind}${number}${time > 1 ? `-${time}` : ""}-${this.#chapter}`;
  }

  #reference(note: CompiledFootnote): string {
    const time = (this.#referred.get(note.number) ?? 0) + 1;
    this.#referred.set(note.number, time);
    const type = this.#options.isEpub ? ' epub:type="noteref"' : "";
    return `<a class="noteref"${type} role="doc-noteref" id="${this.#anchor("r", note, time)}" href="#${this.#anchor("n", note)}">${note.number}</a>`;
  }

  #footnote(note: CompiledFootnote): string {
    this.#isFirst = true;
    const type = this.#options.isEpub ? ' epub:type="footnote"' : "";
    const back = `<a role="doc-backlink" href="#${this.#anchor("r", note)}">${note.number}</a>`;
    const blocks = note.blocks.map((block) => this.#block(block)).join("");
    return `<aside class="footnote"${type} role="doc-footnote" id="${this.#anchor("n", note)}"><p class="first number">${back}</p>${blocks}</aside>`;
  }

  #heading(id: string | null, level: number, content: string): string {
    this.#isFirst = true;
    const tag = `h${Math.min(level, 6)}`;
    return `<${tag}${named(id)}>${content}</${tag}>`;
  }

  #block(block: CompiledBlock): string {
    switch (block.type) {
      case "paragraph":
        return this.#paragraph(block.id, block.runs);
      case "heading":
        return this.#heading(block.id, this.#options.level + block.level - 1, this.inline(block.runs));
      case "scene_break":
        this.#isFirst = true;
        return `<hr${named(block.id)} class="scene"/>`;
      case "code":
        return `<pre${named(block.id)}><code>${escaped(block.text)}</code></pre>`;
      case "table":
        return this.#table(block.id, block.rows);
      case "quote":
        return `<blockquote>${this.#apart(block.blocks)}</blockquote>`;
      case "list":
        return this.#list(block);
    }
  }

  /** Blocks before and behind which a paragraph has no indent. */
  #apart(blocks: readonly CompiledBlock[]): string {
    this.#isFirst = true;
    const text = blocks.map((block) => this.#block(block)).join("");
    this.#isFirst = true;
    return text;
  }

  #paragraph(id: string | null, runs: readonly Inline[]): string {
    const [only, more] = runs;
    const isFigure = only?.type === "picture" && more === undefined;
    const kind = isFigure ? "figure" : this.#isFirst ? "first" : "";
    this.#isFirst = isFigure;
    return `<p${named(id)}${kind && ` class="${kind}"`}>${this.inline(runs)}</p>`;
  }

  #list({ start, items }: CompiledList): string {
    const [tag, from] = start === undefined ? ["ul", ""] : ["ol", start === 1 ? "" : ` start="${start}"`];
    return `<${tag}${from}>${items.map((blocks) => `<li>${this.#apart(blocks)}</li>`).join("")}</${tag}>`;
  }

  #table(id: string | null, [head = [], ...rows]: readonly (readonly (readonly Inline[])[])[]): string {
    const row = (cells: readonly (readonly Inline[])[], tag: "th" | "td") =>
      `<tr>${cells.map((cell) => `<${tag}>${this.inline(cell)}</${tag}>`).join("")}</tr>`;
    const body = rows.length === 0 ? "" : `<tbody>${rows.map((cells) => row(cells, "td")).join("")}</tbody>`;
    this.#isFirst = true;
    return `<table${named(id)}><thead>${row(head, "th")}</thead>${body}</table>`;
  }
}

function named(id: string | null): string {
  return id === null ? "" : ` id="${escaped(id)}"`;
}

function marked(text: string, { em, strong, strike, code, href }: InlineMarks): string {
  let made = text;
  if (code) made = `<code>${made}</code>`;
  if (strike) made = `<s>${made}</s>`;
  if (em) made = `<em>${made}</em>`;
  if (strong) made = `<strong>${made}</strong>`;
  return href === undefined ? made : `<a href="${escaped(href)}">${made}</a>`;
}
