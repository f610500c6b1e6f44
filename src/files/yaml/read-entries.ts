import type { Document, Node, Pair, Scalar, YAMLMap } from "yaml";
import { hasMergeMarks, MERGE_MARKS_LEFT } from "../../prose/merge/conflict-markers.ts";
import { BadRequest } from "../../refusals.ts";
import type { Yaml } from "../folder/front-matter-fields.ts";
import { yamlFault } from "../yaml-fault.ts";

/** A YAML file that is a list of mappings, opened. */
export interface Entries {
  document: Document;
  maps: YAMLMap[];
}

/** Reads the list; no text at all is a list of none. Throws `BadRequest`, naming file, entry and fault. */
export function openEntries(yaml: Yaml, text: string, name: string): Entries {
  const document = yaml.parseDocument(text.replace(/^\ufeff/, ""), OPTIONS);
  const fault = yamlFault(document);
  if (fault !== undefined) {
    if (hasMergeMarks(text)) throw new BadRequest(`${name} ${MERGE_MARKS_LEFT}.`);
    throw new BadRequest(`${name} is not valid YAML: ${fault}.`);
  }
  yaml.visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) === undefined)
        throw new BadRequest(
          `${name}: *${alias.source} stands for nothing; no &${alias.source} is before it.`,
        );
    },
  });
  const { contents } = document;
  if (contents === null || (yaml.isScalar(contents) && contents.value === null))
    return { document, maps: [] };
  if (!yaml.isSeq(contents))
    throw new BadRequest(`${name} must be a list of entries, each beginning with "- ".`);
  const maps = contents.items.map((item, index) =>
    mapOf(yaml, document, item, `${name}, entry ${index + 1}`),
  );
  return { document, maps };
}

/** Words that other readers of YAML would take for something else are quoted. */
export const OPTIONS = { compat: "yaml-1.1", logLevel: "error" } as const;

function mapOf(yaml: Yaml, document: Document, node: unknown, what: string): YAMLMap {
  const found = resolve(yaml, document, node);
  if (yaml.isMap(found)) return found;
  throw new BadRequest(`${what} must have keys, such as "kind: …".`);
}

function resolve(yaml: Yaml, document: Document, node: unknown): unknown {
  return yaml.isAlias(node) ? node.resolve(document) : node;
}

/** Reads an entry's values. Each throws `BadRequest`, naming the entry and the key, for a value of another kind. */
export interface EntryReader {
  /** What messages call the entry. */
  what: string;
  /** A number or a date as it is written; undefined where the key is not there or says nothing. */
  text(key: string): string | undefined;
  /** A list of texts; one text is a list of one. */
  texts(key: string): string[] | undefined;
  flag(key: string): boolean | undefined;
  /** The entries of a list of mappings; of a list of texts, readers of nothing but `text("")`. */
  list(key: string): EntryReader[] | undefined;
  /** Keys and values of a mapping, or of a list of mappings, in their order. */
  pairs(key: string): { key: string; value: string }[] | undefined;
  map(key: string): EntryReader | undefined;
}

/** A reader of a mapping; `what` is what messages call it. */
export function readerOf(yaml: Yaml, document: Document, map: YAMLMap, what: string): EntryReader {
  const nodeOf = (key: string) => {
    const node = resolve(yaml, document, map.get(key, true));
    return node == null || (yaml.isScalar(node) && node.value === null) ? undefined : (node as Node);
  };
  const at = (key: string) => (key === "" ? what : `${what}: ${key}`);
  const textOf = (node: unknown, where: string) => scalarText(yaml, resolve(yaml, document, node), where);
  const pairOf = ({ key, value }: Pair, where: string) => ({
    key: textOf(key, where),
    value: textOf(value, where),
  });
  const ways = {
    what,
    text: (key: string) => {
      const node = nodeOf(key);
      return node === undefined ? undefined : textOf(node, at(key));
    },
    texts: (key: string) => {
      const node = nodeOf(key);
      if (node === undefined) return undefined;
      return (yaml.isSeq(node) ? node.items : [node]).map((item) => textOf(item, at(key)));
    },
    flag: (key: string) => {
      const node = nodeOf(key);
      if (node === undefined) return undefined;
      if (yaml.isScalar(node) && typeof node.value === "boolean") return node.value;
      throw new BadRequest(`${at(key)} must be true or false.`);
    },
    list: (key: string) => {
      const node = nodeOf(key);
      if (node === undefined) return undefined;
      if (!yaml.isSeq(node)) throw new BadRequest(`${at(key)} must be a list.`);
      return node.items.map((item, index) => {
        const where = `${at(key)}, item ${index + 1}`;
        const found = resolve(yaml, document, item);
        if (yaml.isMap(found)) return readerOf(yaml, document, found, where);
        return readerOf(yaml, document, single(yaml, textOf(found, where)), where);
      });
    },
    pairs: (key: string) => {
      const node = nodeOf(key);
      if (node === undefined) return undefined;
      const maps = yaml.isSeq(node) ? node.items.map((item) => resolve(yaml, document, item)) : [node];
      return maps.flatMap((item) => {
        if (!yaml.isMap(item))
          throw new BadRequest(`${at(key)} must be keys and values, such as "eyes: grey".`);
        return item.items.map((pair) => pairOf(pair as Pair, at(key)));
      });
    },
    map: (key: string) => {
      const node = nodeOf(key);
      if (node === undefined) return undefined;
      return readerOf(yaml, document, mapOf(yaml, document, node, at(key)), at(key));
    },
  };
  return ways;
}

function single(yaml: Yaml, text: string): YAMLMap {
  const map = new yaml.YAMLMap();
  map.set("", text);
  return map;
}

function scalarText(yaml: Yaml, node: unknown, where: string): string {
  if (node == null || typeof node === "string") return node ?? "";
  if (!yaml.isScalar(node)) throw new BadRequest(`${where} must be text.`);
  const { value, source } = node as Scalar;
  if (value === null) return "";
  return typeof value === "string" ? value : (source ?? String(value)).trim();
}
