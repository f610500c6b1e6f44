import "../writer.ts"; // what is there already is one file with this
import { DOMParser, Fragment, type Node, type ParseOptions, Slice } from "prosemirror-model";
import type { Transaction } from "prosemirror-state";
import { readStored } from "../saving/json.ts";
import { schema } from "./schema.ts";

const { footnote, footnote_ref, paragraph } = schema.nodes;

/** Reads pasted Markdown. */
export async function readMarkdown(text: string): Promise<Slice> {
  const { readPasted } = await import("../../../../../prose/read-pasted.ts");
  return new Slice(Fragment.from(readPasted(text).map(readStored)), 0, 0);
}

/** Reads what another program has copied: its footnotes and lists are the text's own. */
export function readForeign(dom: HTMLElement, options?: ParseOptions): Slice {
  readFootnotes(dom);
  for (const entry of dom.querySelectorAll<HTMLElement>('p[data-style*="mso-list"]')) readEntry(entry);
  return new Slice(DOMParser.fromSchema(schema).parseSlice(dom, options).content, 0, 0);
}

/** Puts blocks in place of a range, and the footnotes among them at the end, under numbers that the text does not have yet. */
export function withNotesBelow(
  tr: Transaction,
  { content }: Slice,
  { from, to }: { from: number; to: number },
): Transaction {
  const taken = new Set<string>();
  tr.doc.descendants(({ attrs }) => void taken.add(attrs.label));
  const labels = new Map<string, string>();
  content.forEach(({ type, attrs: { label } }) => {
    if (type !== footnote) return;
    let free: string = label;
    for (let number = 1; taken.has(free); number++) free = String(number);
    taken.add(free);
    labels.set(label, free);
  });
  const blocks = content.content.map((block) => withLabels(block, labels));
  const notes = blocks.filter(({ type }) => type === footnote);
  const rest = Fragment.from(blocks.filter(({ type }) => type !== footnote));
  const openStart = rest.firstChild?.type === paragraph ? 1 : 0;
  const $from = tr.doc.resolve(from);
  // Else the paragraph that it was pasted into would stay above a heading, empty.
  const start = openStart === 0 && $from.depth > 0 && $from.parentOffset === 0 ? $from.before() : from;
  tr.replaceRange(start, to, new Slice(rest, openStart, Slice.maxOpen(rest).openEnd));
  return tr.insert(tr.doc.content.size, notes);
}

function withLabels(node: Node, labels: ReadonlyMap<string, string>): Node {
  if (node.isText) return node;
  const content = Fragment.from(node.content.content.map((child) => withLabels(child, labels)));
  const label = labels.get(node.attrs.label);
  const isNamed = label !== undefined && (node.type === footnote || node.type === footnote_ref);
  return isNamed ? node.type.create({ label }, content, node.marks) : node.copy(content);
}

/** Word, LibreOffice and Google Docs alike have two links that lead to each other: the later one stands before the note's text. */
function readFootnotes(dom: HTMLElement): void {
  const links = [...dom.querySelectorAll<HTMLElement>("a[href*='#'], a[data-href]")];
  const hashOf = (link: HTMLElement) => (link.dataset.href ?? link.getAttribute("href"))?.split("#")[1];
  const isAt = (link: Element, hash: string | undefined) =>
    link.id === hash || link.getAttribute("name") === hash;
  let count = 0;
  for (const [index, link] of links.entries()) {
    const back = links.slice(index + 1).find((one) => isAt(one, hashOf(link)) && isAt(link, hashOf(one)));
    const paragraph = back?.closest("p");
    if (back === undefined || !paragraph || paragraph.contains(link)) continue;
    const own = back.closest("div[id]");
    const body = own === null || own.contains(link) ? paragraph : own;
    const label = String(++count);
    link.replaceWith(labelled("sup", "ref", label));
    back.remove();
    const first = document.createTreeWalker(body, NodeFilter.SHOW_TEXT).nextNode();
    if (first !== null) first.textContent = first.textContent?.trimStart() ?? "";
    const note = labelled("aside", "footnote", label);
    const frame = body.parentElement;
    note.append(body);
    dom.append(note);
    // The line above the notes stands before them or their frame.
    if (frame === null || frame === dom || frame.textContent?.trim() !== "") continue;
    if (frame.previousElementSibling?.matches("hr")) frame.previousElementSibling.remove();
    frame.remove();
  }
}

function labelled(tag: string, name: string, label: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = name;
  element.dataset.label = label;
  return element;
}

/** Word's lists are paragraphs that name their level, and begin with their bullet or number. */
function readEntry(paragraph: HTMLElement): void {
  const level = Number(/ level(\d)/.exec(paragraph.dataset.style ?? "")?.[1]);
  if (!(level > 0)) return;
  const marker = paragraph.querySelector('[data-style*="mso-list:Ignore"]');
  const [, number] = /^\(?(\w{1,5})[.)]/.exec(marker?.textContent?.trim() ?? "") ?? [];
  const kind = number === undefined ? "UL" : "OL";
  marker?.remove();
  const before = paragraph.previousElementSibling;
  const goesOn = before?.matches("[data-made]") && (level > 1 || before.tagName === kind) ? before : null;
  let list = goesOn ?? madeList(kind, number);
  if (goesOn === null) paragraph.before(list);
  for (let depth = 1; depth < level; depth++) {
    const above = list.lastElementChild ?? list.appendChild(document.createElement("li"));
    const inner = above.lastElementChild;
    list = inner?.matches("[data-made]") ? inner : above.appendChild(madeList(kind, number));
  }
  const entry = document.createElement("li");
  entry.append(paragraph);
  list.append(entry);
}

function madeList(kind: string, number: string | undefined): Element {
  const list = document.createElement(kind);
  list.setAttribute("data-made", "");
  if (number !== undefined) list.setAttribute("start", number);
  return list;
}
