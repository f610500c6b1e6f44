import type { Document, Node, Pair, YAMLMap } from "yaml";
import { BadRequest } from "../../refusals.ts";
import { FOR_ALL_READERS, openYaml, textOf, type Yaml } from "./open.ts";

/** Name of a chapter in a file. */
const CHAPTER = /\.(?:md|markdown|txt)$|^ch_/i;

/** An open YAML file that is a list of mappings. */
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
          `${file}: *${alias.source} refers to nothing: there is no &${alias.source} before it.`,
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

/** Returns a reader of each entry of a file, for the keys that an entry may have. Throws as `openEntries`. */
export function readEntries<Key extends string>(yaml: Yaml, text: string, file: string): EntryReader<Key>[] {
  const { document, maps } = openEntries(yaml, text, file);
  return maps.map(
    (map, index) => new EntryReader<Key>({ yaml, document }, map, `${file}, entry ${index + 1}`),
  );
}

interface Open {
  yaml: Yaml;
  document: Document;
}

/**
 * Reads an entry's values; undefined for a missing or empty one. Throws `BadRequest`, naming entry and key, for a
 * value of another kind.
 */
export class EntryReader<Key extends string = string> {
  /** Name of the entry in messages. */
  readonly what: string;
  readonly #open: Open;
  readonly #map: YAMLMap;

  constructor(open: Open, map: YAMLMap, what: string) {
    this.#open = open;
    this.#map = map;
    this.what = what;
  }

  /** Returns a text; a number or a date as it is written. */
  text(key: Key): string | undefined {
    return this.#read(key, (node, where) => this.#textOf(node, where));
  }

  /** Returns a list of texts; one text is a list of one. */
  texts(key: Key): string[] | undefined {
    return this.#read(key, (node, where) =>
      (this.#open.yaml.isSeq(node) ? node.items : [node]).map((item) => this.#textOf(item, where)),
    );
  }

  flag(key: Key): boolean | undefined {
    return this.#read(key, (node, where) => {
      if (this.#open.yaml.isScalar(node) && typeof node.value === "boolean") return node.value;
      throw new BadRequest(`${where} must be true or false.`);
    });
  }

  /** Returns readers for a list of mappings; for a list of texts, readers of `text("")` only. */
  list(key: Key): EntryReader[] | undefined {
    const { yaml } = this.#open;
    return this.#read(key, (node, where) => {
      if (!yaml.isSeq(node)) throw new BadRequest(`${where} must be a list.`);
      return node.items.map((item, index) => {
        const what = `${where}, item ${index + 1}`;
        const found = resolve(this.#open, item);
        if (yaml.isMap(found)) return new EntryReader(this.#open, found, what);
        const alone = new yaml.YAMLMap();
        alone.set("", this.#textOf(found, what));
        return new EntryReader(this.#open, alone, what);
      });
    });
  }

  /** Keys and values of a mapping, or of a list of mappings, in their order. */
  /** Returns keys and values. A value may name the chapter from which it holds: `{hair: black, from: 12-ash.md}`. */
  pairs(key: Key): { key: string; value: string; fromChapterId?: string }[] | undefined {
    const { yaml } = this.#open;
    return this.#read(key, (node, where) =>
      (yaml.isSeq(node) ? node.items : [node]).flatMap((item) => {
        const map = resolve(this.#open, item);
        if (!yaml.isMap(map)) throw new BadRequest(`${where} must be keys and values, such as "eyes: grey".`);
        const pairs = (map.items as Pair[]).map((pair) => ({
          key: this.#textOf(pair.key, where),
          value: this.#textOf(pair.value, where),
        }));
        const [first, from] = pairs;
        const isFrom =
          yaml.isSeq(node) && pairs.length === 2 && from?.key === "from" && CHAPTER.test(from.value);
        return first !== undefined && isFrom ? [{ ...first, fromChapterId: from.value }] : pairs;
      }),
    );
  }

  map(key: Key): EntryReader | undefined {
    return this.#read(
      key,
      (node, where) => new EntryReader(this.#open, mapOf(this.#open, node, where), where),
    );
  }

  #read<Value>(key: string, read: (node: Node, where: string) => Value): Value | undefined {
    const node = resolve(this.#open, this.#map.get(key, true));
    if (node == null || (this.#open.yaml.isScalar(node) && node.value === null)) return undefined;
    return read(node as Node, key === "" ? this.what : `${this.what}: ${key}`);
  }

  #textOf(node: unknown, where: string): string {
    const text = textOf(this.#open.document, node);
    if (text === undefined) throw new BadRequest(`${where} must be text.`);
    return text ?? "";
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
