import type { Node, Pair, YAMLMap, YAMLSeq } from "yaml";
import type { Yaml } from "./open.ts";

/** Returns a node with what still holds of the one before it: comments, and items and pairs as they are written. */
export function graftNode(yaml: Yaml, old: unknown, node: unknown): unknown {
  if (!yaml.isNode(old) || !yaml.isNode(node)) return node;
  keepComments(old, node);
  if (yaml.isSeq(old) && yaml.isSeq(node)) {
    const known = new Map(old.items.map((item) => [plain(item), item]));
    node.items = node.items.map((item) => known.get(plain(item)) ?? item);
    keepFlow(old, node);
  }
  if (yaml.isMap(old) && yaml.isMap(node)) {
    node.items = node.items.map((pair) => graftPair(yaml, old.items, pair));
    keepFlow(old, node);
  }
  return node;
}

function graftPair(yaml: Yaml, before: readonly Pair[], pair: Pair): Pair {
  const found = before.find(({ key }) => plain(key) === plain(pair.key));
  if (found === undefined) return pair;
  if (plain(found.value) === plain(pair.value)) return found;
  if (yaml.isNode(found.value) && yaml.isNode(pair.value)) keepComments(found.value, pair.value);
  return new yaml.Pair(found.key, pair.value);
}

function plain(node: unknown): string {
  return JSON.stringify(node) ?? ""; // nodes of the package have toJSON
}

function keepComments(old: Node, node: Node): void {
  node.comment = old.comment ?? null;
  node.commentBefore = old.commentBefore ?? null;
}

function keepFlow(old: YAMLSeq | YAMLMap, node: YAMLSeq | YAMLMap): void {
  if (old.flow !== undefined && node.items.length > 0) node.flow = old.flow;
}
