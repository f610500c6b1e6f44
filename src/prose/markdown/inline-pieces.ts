import { sameMark } from "../document/marks.ts";
import type { DocMark, DocNode } from "../document/types.ts";

/**
 * One step of a leaf's inline Markdown: a run of text still to be escaped, an atom that is written as it is, a node
 * whose form depends on its neighbours (`break`), or the delimiter that opens or closes a mark.
 */
export type Piece =
  | { kind: "text"; text: string }
  | { kind: "atom"; markdown: string; node: string }
  | { kind: "break" }
  | { kind: "open" | "close"; markdown: string };

/** Delimiters of the marks that have one on both sides. */
export type Delimiters = Readonly<Record<string, string>>;

/**
 * Splits a leaf's inline nodes into pieces with properly nested marks. Of two overlapping marks, the one that reaches
 * further opens first; the other is closed and opened again. Expects neighbouring texts of equal marks to be joined.
 */
export function readPieces(content: readonly DocNode[], delimiters: Delimiters): Piece[] {
  const pieces: Piece[] = [];
  const open: DocMark[] = [];
  for (const [at, child] of content.entries()) {
    const marks = (child.marks ?? []).filter((mark) => mark.type === "link" || delimiters[mark.type]);
    const kept = countKept(open, marks);
    while (open.length > kept) pieces.push(closeMark(open.pop() as DocMark, delimiters));
    const auto = kept === 0 ? autolink(content, at) : undefined;
    if (auto) {
      pieces.push({ kind: "atom", markdown: auto, node: "autolink" });
      continue;
    }
    const missing = marks.filter((mark) => !open.some((other) => sameMark(other, mark)));
    for (const mark of byReach(content, at, missing)) {
      open.push(mark);
      pieces.push(openMark(mark, delimiters));
    }
    pieces.push(readPiece(child));
  }
  while (open.length > 0) pieces.push(closeMark(open.pop() as DocMark, delimiters));
  return pieces;
}

function countKept(open: readonly DocMark[], marks: readonly DocMark[]): number {
  let kept = 0;
  while (kept < open.length && marks.some((mark) => sameMark(mark, open[kept] as DocMark))) kept++;
  return kept;
}

function byReach(content: readonly DocNode[], at: number, missing: DocMark[]): DocMark[] {
  if (missing.length < 2) return missing;
  const reach = new Map(missing.map((mark) => [mark, reachOf(content, at, mark)]));
  return missing.sort((a, b) => (reach.get(b) ?? 0) - (reach.get(a) ?? 0));
}

function reachOf(content: readonly DocNode[], at: number, mark: DocMark): number {
  let end = at;
  while (content[end]?.marks?.some((other) => sameMark(other, mark))) end++;
  return end;
}

function openMark(mark: DocMark, delimiters: Delimiters): Piece {
  if (mark.type === "link") return { kind: "atom", markdown: "[", node: "link_open" };
  return { kind: "open", markdown: delimiters[mark.type] as string };
}

function closeMark(mark: DocMark, delimiters: Delimiters): Piece {
  if (mark.type !== "link") return { kind: "close", markdown: delimiters[mark.type] as string };
  const { href, title } = mark.attrs as { href: string; title: string | null };
  return { kind: "atom", markdown: `](${writeTarget(href)}${writeTitle(title)})`, node: "link_close" };
}

function readPiece(child: DocNode): Piece {
  const attrs = (child.attrs ?? {}) as Record<string, string | null>;
  switch (child.type) {
    case "text":
      if (!child.marks?.some((mark) => mark.type === "code"))
        return { kind: "text", text: child.text as string };
      return { kind: "atom", markdown: writeCode(child.text as string), node: "code" };
    case "hard_break":
      return { kind: "break" };
    case "image":
      return { kind: "atom", markdown: writeImage(attrs), node: "image" };
    case "footnote_ref":
      return { kind: "atom", markdown: `[^${attrs.label}]`, node: "footnote_ref" };
    default:
      return { kind: "atom", markdown: attrs.text ?? "", node: "raw_inline" };
  }
}

const AUTOLINK = /^[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^<>\u0000-\u0020]*$/;
const EMAIL = /^[\w.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$/;

// Returns the autolink for a link whose text is its target: <https://…>, <a@b.example>.
function autolink(content: readonly DocNode[], at: number): string | undefined {
  const child = content[at];
  const mark = child?.marks?.[0];
  if (mark?.type !== "link" || child?.marks?.length !== 1 || mark.attrs?.title) return undefined;
  const { href } = mark.attrs as { href: string };
  const text = child.text ?? "";
  const address = href === text ? AUTOLINK.test(text) : href === `mailto:${text}` && EMAIL.test(text);
  if (!address) return undefined;
  const next = content[at + 1]?.marks?.some((other) => sameMark(other, mark));
  return next ? undefined : `<${text}>`;
}

function writeImage({ src, alt, title }: Record<string, string | null>): string {
  const text = (alt ?? "").replace(/[\\`*_~[\]<&!]/g, "\\$&").replaceAll("\n", "&#10;");
  return `![${text}](${writeTarget(src ?? "")}${writeTitle(title ?? null)})`;
}

function writeTarget(target: string): string {
  const safe = target.replace(/&(?=#?\w+;)/g, "&amp;");
  if (target !== "" && !/[\s<>()\\\u0000-\u001f]/.test(target)) return safe;
  return `<${safe.replace(/[\\<>]/g, "\\$&").replaceAll("\n", "&#10;")}>`;
}

function writeTitle(title: string | null): string {
  if (!title) return "";
  const text = title.replace(/[\\"]/g, "\\$&").replace(/&(?=#?\w+;)/g, "&amp;");
  return ` "${text.replaceAll("\n", "&#10;")}"`;
}

// Writes code between as many backticks as it does not hold; padded if markdown-it would strip blanks or a backtick
// touches.
function writeCode(text: string): string {
  const lengths = new Set((text.match(/`+/g) ?? []).map((run) => run.length));
  let length = 1;
  while (lengths.has(length)) length++;
  const fence = "`".repeat(length);
  const padded = /^`|`$/.test(text) || /^ .+ $/.test(text);
  return padded ? `${fence} ${text} ${fence}` : fence + text + fence;
}
