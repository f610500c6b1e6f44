import type { AttributeSpec, MarkType, NodeType } from "prosemirror-model";
import type { Detail } from "../../../refusals.ts";
import { isList } from "../leaves.ts";
import { compareText, isMention, joinTexts, mentionKey, sameMark } from "../marks.ts";
import { schema } from "../schema.ts";
import { settleYears } from "../text.ts";
import type { DocMark, DocNode } from "../types.ts";

/** Position of a value in the body, the list for its faults, and the type of its parent. */
interface Place {
  path: string;
  faults: Detail[];
  within: NodeType | undefined;
}

const MOST_FAULTS = 20;
const KEYS = new Set(["type", "attrs", "content", "marks", "text"]);
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]|\p{Surrogate}/u;

/**
 * Reads one node of a client's document in canonical form; undefined if it is too broken. Adds every fault to
 * `place.faults`, at most 20. Recursive: the caller has checked the depth.
 */
export function readNode(value: unknown, place: Place): DocNode | undefined {
  if (!isRecord(value)) return fault(place, "", "must be a node: an object with a type");
  const type = typeof value.type === "string" && Object.hasOwn(schema.nodes, value.type);
  const nodeType = type ? schema.nodes[value.type as string] : undefined;
  if (!nodeType) return fault(place, "/type", `must be one of ${Object.keys(schema.nodes).join(", ")}`);
  for (const key of Object.keys(value))
    if (!KEYS.has(key)) fault(place, pointer(key), "is not part of a node");
  const attrs = readAttributes(value.attrs, nodeType, place);
  const marks = readMarks(value.marks, place).filter((mark) => canBear(value, mark));
  if (nodeType.isText) return readText(value, marks, place);
  if (value.text !== undefined) fault(place, "/text", "belongs to nodes of type text only");
  const node: DocNode = { type: nodeType.name };
  if (attrs && attrs.value !== null) node.attrs = attrs; // as a list entry without a number is stored
  const content = readContent(value.content, nodeType, place);
  if (content.length > 0) node.content = content;
  if (marks.length > 0) node.marks = marks;
  return isList(node) ? settleYears(node) : node;
}

function readText(value: Record<string, unknown>, marks: DocMark[], place: Place): DocNode | undefined {
  const { text } = value;
  if (typeof text !== "string" || text === "")
    return fault(place, "/text", "must be text of at least one character");
  if (CONTROL.test(text)) fault(place, "/text", "holds a control character or half a surrogate pair");
  if (text.includes("\n") && marks.some((mark) => mark.type === "code")) {
    fault(place, "/text", "inline code holds no line break; use a code_block");
  }
  if (value.content !== undefined) fault(place, "/content", "a text node has none");
  return marks.length > 0 ? { type: "text", marks, text } : { type: "text", text };
}

function readContent(value: unknown, type: NodeType, place: Place): DocNode[] {
  if (value !== undefined && value !== null && !Array.isArray(value)) {
    fault(place, "/content", "must be a list of nodes");
    return [];
  }
  const children: DocNode[] = [];
  let match: typeof type.contentMatch | null = type.contentMatch;
  for (const [at, child] of ((value ?? []) as unknown[]).entries()) {
    if (place.faults.length >= MOST_FAULTS) return [];
    const path = `${place.path}/content/${at}`;
    const node = readNode(child, { ...place, path, within: type });
    if (!node) continue;
    children.push(node);
    const childType = schema.nodes[node.type] as NodeType;
    match = match?.matchType(childType) ?? null;
    if (!match) place.faults.push({ path, message: `${type.name} may not hold ${node.type} here` });
    match ??= type.contentMatch;
  }
  if (!match.validEnd) fault(place, "/content", `${type.name} must hold at least one block`);
  return type.inlineContent ? joinTexts(children) : children;
}

function readMarks(value: unknown, place: Place): DocMark[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return fault(place, "/marks", "must be a list of marks") ?? [];
  const marks: DocMark[] = [];
  for (const [at, entry] of value.entries()) {
    const spot = { ...place, path: `${place.path}/marks/${at}` };
    const mark = readMark(entry, spot);
    if (!mark || marks.some((other) => sameMark(other, mark))) continue;
    if (!isMention(mark) && marks.some((other) => other.type === mark.type)) {
      fault(spot, "", `a node carries one ${mark.type} mark at most`);
    }
    marks.push(mark);
  }
  return marks.sort(compareMarks);
}

// True if a node can have a mark in Markdown: no code on a hard break or image, no link on a link without text.
function canBear(node: Record<string, unknown>, mark: DocMark): boolean {
  if (mark.type === "code") return node.type === "text";
  if (mark.type !== "link" || node.type !== "raw_inline") return true;
  return !String((node.attrs as Record<string, unknown> | undefined)?.text).startsWith("[");
}

function readMark(value: unknown, place: Place): DocMark | undefined {
  if (!isRecord(value)) return fault(place, "", "must be a mark: an object with a type");
  const known = typeof value.type === "string" && Object.hasOwn(schema.marks, value.type);
  const type = known ? schema.marks[value.type as string] : undefined;
  if (!type) return fault(place, "/type", `must be one of ${Object.keys(schema.marks).join(", ")}`);
  if (place.within && !place.within.allowsMarkType(type)) {
    return fault(place, "", `${place.within.name} may not hold the mark ${type.name}`);
  }
  for (const key of Object.keys(value)) {
    if (key !== "type" && key !== "attrs") fault(place, pointer(key), "is not part of a mark");
  }
  const attrs = readAttributes(value.attrs, type, place);
  return attrs ? { type: type.name, attrs } : { type: type.name };
}

function compareMarks(a: DocMark, b: DocMark): number {
  const rank = RANKS.indexOf(a.type) - RANKS.indexOf(b.type);
  return rank || (isMention(a) ? compareText(mentionKey(a), mentionKey(b)) : 0);
}

const RANKS = Object.keys(schema.marks);

function readAttributes(
  value: unknown,
  type: NodeType | MarkType,
  place: Place,
): Record<string, unknown> | undefined {
  const specs: Record<string, AttributeSpec> = type.spec.attrs ?? {};
  const given = value ?? {};
  if (!isRecord(given)) return fault(place, "/attrs", "must be an object");
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(specs, name)) {
      fault(place, `/attrs${pointer(name)}`, `${type.name} has no such attribute`);
    }
  }
  const attrs: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const spot = { ...place, path: `${place.path}/attrs/${name}` };
    attrs[name] = readAttribute(given[name] === undefined ? spec.default : given[name], spec, spot);
    // Markdown has no empty title or alternative text.
    if ((name === "title" || name === "alt") && attrs[name] === "") attrs[name] = null;
  }
  return Object.keys(specs).length > 0 ? attrs : undefined;
}

function readAttribute(value: unknown, spec: AttributeSpec, place: Place): unknown {
  if (value === undefined) return fault(place, "", "is required");
  try {
    if (typeof spec.validate === "function") spec.validate(value);
  } catch (error) {
    fault(place, "", error instanceof RangeError ? error.message : "is not allowed");
  }
  if (typeof value === "string" && CONTROL.test(value)) fault(place, "", "holds a control character");
  return value;
}

function fault(place: Place, path: string, message: string): undefined {
  if (place.faults.length < MOST_FAULTS) place.faults.push({ path: place.path + path, message });
}

function pointer(key: string): string {
  return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
