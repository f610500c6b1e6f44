/** Where the API lives on its server. Source: llms.txt, Versions and stability. */
export const BASE_PATH = "/api/v1";

/** A row's path as Express writes it: `/books/{bookId}` is `/api/v1/books/:bookId`. */
export function routeOf(path: string): string {
  return BASE_PATH + path.replace(/\{(\w+)\}/g, ":$1");
}

/** What stands at a path, and the parameters of the path that was asked for. */
export interface FoundPath<Leaf> {
  leaf: Leaf;
  /** Decodes them. Throws `URIError` for what is not percent-encoded UTF-8. */
  params: () => Record<string, string>;
}

interface Branch<Leaf> {
  readonly named: Map<string, Branch<Leaf>>;
  any: Branch<Leaf> | undefined;
  end: { leaf: Leaf; names: readonly string[] } | undefined;
}

/** What stands at each path of the API, found segment by segment: a fixed name before a parameter. Case and slashes count. */
export class Paths<Leaf> {
  readonly #root: Branch<Leaf> = branch();

  /** Puts something at a path of the contract, such as `/books/{bookId}`. */
  add(path: string, leaf: Leaf): void {
    const names: string[] = [];
    let at = this.#root;
    for (const segment of path.split("/").slice(1)) {
      const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
      if (name === undefined) {
        const next = at.named.get(segment) ?? branch<Leaf>();
        at.named.set(segment, next);
        at = next;
      } else {
        names.push(name);
        at.any ??= branch();
        at = at.any;
      }
    }
    at.end = { leaf, names };
  }

  /** What stands at the path of a request's target; undefined if nothing does. */
  find(url: string): FoundPath<Leaf> | undefined {
    if (!url.startsWith(BASE_PATH) || url[BASE_PATH.length] !== "/") return undefined;
    const query = url.indexOf("?");
    const path = url.slice(BASE_PATH.length + 1, query < 0 ? undefined : query);
    const values: string[] = [];
    const end = walk(this.#root, path.split("/"), values);
    return end && { leaf: end.leaf, params: () => decoded(end.names, values) };
  }
}

function branch<Leaf>(): Branch<Leaf> {
  return { named: new Map(), any: undefined, end: undefined };
}

/** The end of the way along these segments; what stands for parameters is left in `values`. */
function walk<Leaf>(
  from: Branch<Leaf>,
  segments: readonly string[],
  values: string[],
  at = 0,
): Branch<Leaf>["end"] {
  if (at === segments.length) return from.end;
  const segment = segments[at]!; // within the list
  const named = from.named.get(segment);
  const count = values.length;
  const end = named && walk(named, segments, values, at + 1);
  if (end !== undefined || from.any === undefined || segment === "") return end;
  values.length = count;
  values.push(segment);
  return walk(from.any, segments, values, at + 1);
}

function decoded(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    const value = values[at]!; // one for each name
    params[name] = value.includes("%") ? decodeURIComponent(value) : value;
  }
  return params;
}
