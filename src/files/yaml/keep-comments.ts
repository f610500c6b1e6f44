import type { Node, Pair, YAMLMap, YAMLSeq } from "yaml";
import type { Yaml } from "./open.ts";
import { nodeOf } from "./write.ts";

/** Returns a value as a node that keeps of the one before it what still holds: comments, and items and pairs as they are written. */
export function graft(yaml: Yaml, old: unknown, value: unknown): unknown {
  const node = nodeOf(yaml, value);
  if (!yaml.isNode(old) || !yaml.isNode(node)) return node;
  keepComments(old, node);
  if (yaml.isSeq(old) && yaml.isSeq(node)) {
    node.items = node.items.map((item) => likeOf(old.items, item) ?? item);
    keepFlow(old, node);
  }
  if (yaml.isMap(old) && yaml.isMap(node)) {
    node.items = node.items.map((pair) => graftPair(yaml, old.items, pair));
    keepFlow(old, node);
  }
  return node;
}

function graftPair(yaml: Yaml, before: readonly Pair[], pair: Pair): Pair {
  const known = likeOf(
    before.map(({ key }) => key),
    pair.key,
  );
  const found = before.find(({ key }) => known !== undefined && key === known);
  if (found === undefined) return pair;
  if (plain(found.value) === plain(pair.value)) return found;
  if (yaml.isNode(found.value) && yaml.isNode(pair.value)) keepComments(found.value, pair.value);
  return new yaml.Pair(found.key, pair.value);
}

/** Returns the first of them that says the same. */
function likeOf(nodes: readonly unknown[], node: unknown): unknown {
  const text = plain(node);
  return nodes.find((other) => plain(other) === text);
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
