import type { Document, Node, Pair, YAMLMap } from "yaml";
import { BadRequest } from "../../refusals.ts";
import { FOR_ALL_READERS, openYaml, type Yaml } from "./open.ts";
import { textOf } from "./read.ts";

/** A YAML file that is a list of mappings, opened. */
export interface Entries {
  document: Document;
  maps: YAMLMap[];
}

/** Returns the list; no text at all is a list of none. Throws `BadRequest`, naming file, entry and fault. */
export function openEntries(yaml: Yaml, text: string, file: string): Entries {
  const document = openYaml(yaml, text, { file }, FOR_ALL_READERS);
  yaml.visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) === undefined)
        throw new BadRequest(
          `${file}: *${alias.source} stands for nothing; no &${alias.source} is before it.`,
        );
    },
  });
  const { contents } = document;
  if (contents === null || (yaml.isScalar(contents) && contents.value === null))
    return { document, maps: [] };
  if (!yaml.isSeq(contents))
    throw new BadRequest(`${file} must be a list of entries, each beginning with "- ".`);
  const open = { yaml, document };
  const maps = contents.items.map((item, index) => mapOf(open, item, `${file}, entry ${index + 1}`));
  return { document, maps };
}

/** Returns a reader of each entry of a file. Throws as `openEntries`. */
export function readEntries(yaml: Yaml, text: string, file: string): EntryReader[] {
  const { document, maps } = openEntries(yaml, text, file);
  return maps.map((map, index) => new EntryReader({ yaml, document }, map, `${file}, entry ${index + 1}`));
}

interface Open {
  yaml: Yaml;
  document: Document;
}

/** Reads an entry's values, undefined for what is not there or says nothing. Throws `BadRequest`, naming entry and key, for a value of another kind. */
export class EntryReader {
  /** What messages call the entry. */
  readonly what: string;
  readonly #open: Open;
  readonly #map: YAMLMap;

  constructor(open: Open, map: YAMLMap, what: string) {
    this.#open = open;
    this.#map = map;
    this.what = what;
  }

  /** A number or a date as it is written. */
  text(key: string): string | undefined {
    const node = this.#nodeOf(key);
    return node === undefined ? undefined : this.#textOf(node, this.#at(key));
  }

  /** A list of texts; one text is a list of one. */
  texts(key: string): string[] | undefined {
    const node = this.#nodeOf(key);
    if (node === undefined) return undefined;
    const items = this.#open.yaml.isSeq(node) ? node.items : [node];
    return items.map((item) => this.#textOf(item, this.#at(key)));
  }

  flag(key: string): boolean | undefined {
    const node = this.#nodeOf(key);
    if (node === undefined) return undefined;
    if (this.#open.yaml.isScalar(node) && typeof node.value === "boolean") return node.value;
    throw new BadRequest(`${this.#at(key)} must be true or false.`);
  }

  /** The entries of a list of mappings; of a list of texts, readers of nothing but `text("")`. */
  list(key: string): EntryReader[] | undefined {
    const node = this.#nodeOf(key);
    if (node === undefined) return undefined;
    const { yaml, document } = this.#open;
    if (!yaml.isSeq(node)) throw new BadRequest(`${this.#at(key)} must be a list.`);
    return node.items.map((item, index) => {
      const where = `${this.#at(key)}, item ${index + 1}`;
      const found = resolve(this.#open, item);
      const map = yaml.isMap(found)
        ? found
        : document.createNode(new Map([["", this.#textOf(found, where)]]), { flow: false });
      return new EntryReader(this.#open, map as YAMLMap, where);
    });
  }

  /** Keys and values of a mapping, or of a list of mappings, in their order. */
  pairs(key: string): { key: string; value: string }[] | undefined {
    const node = this.#nodeOf(key);
    if (node === undefined) return undefined;
    const { yaml } = this.#open;
    const where = this.#at(key);
    const maps = yaml.isSeq(node) ? node.items.map((item) => resolve(this.#open, item)) : [node];
    return maps.flatMap((map) => {
      if (!yaml.isMap(map)) throw new BadRequest(`${where} must be keys and values, such as "eyes: grey".`);
      return (map.items as Pair[]).map((pair) => ({
        key: this.#textOf(pair.key, where),
        value: this.#textOf(pair.value, where),
      }));
    });
  }

  map(key: string): EntryReader | undefined {
    const node = this.#nodeOf(key);
    if (node === undefined) return undefined;
    return new EntryReader(this.#open, mapOf(this.#open, node, this.#at(key)), this.#at(key));
  }

  #nodeOf(key: string): Node | undefined {
    const node = resolve(this.#open, this.#map.get(key, true));
    const isNothing = node == null || (this.#open.yaml.isScalar(node) && node.value === null);
    return isNothing ? undefined : (node as Node);
  }

  #textOf(node: unknown, where: string): string {
    const text = textOf(this.#open.document, node);
    if (text === undefined) throw new BadRequest(`${where} must be text.`);
    return text ?? "";
  }

  #at(key: string): string {
    return key === "" ? this.what : `${this.what}: ${key}`;
  }
}

function mapOf({ yaml, document }: Open, node: unknown, what: string): YAMLMap {
  const found = resolve({ yaml, document }, node);
  if (yaml.isMap(found)) return found;
  throw new BadRequest(`${what} must have keys, such as "kind: …".`);
}

function resolve({ yaml, document }: Open, node: unknown): unknown {
  return yaml.isAlias(node) ? node.resolve(document) : node;
}
