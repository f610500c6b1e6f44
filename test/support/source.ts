import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const folder = join(import.meta.dirname, "../../src");

const all = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .sort();
const isClient = (file: string) => file.startsWith("web/client/");

/** Every file of the source, by its path under `src/`; the page is a program of its own. */
export const files: readonly string[] = all.filter((file) => !isClient(file));
/** Every file of the page that runs in the browser. */
export const clientFiles: readonly string[] = all.filter(isClient);

/** The text of one of them. */
export function read(file: string): string {
  return readFileSync(join(folder, file), "utf8");
}

/** One import of a file. */
export interface Import {
  /** A path under `src/`, or the package with `npm:` before it; Node's own modules begin with `node:`. */
  to: string;
  /** `lazy` is loaded when it is needed. */
  kind: "value" | "types" | "lazy";
}

/** What a file imports and exports again. */
export function importsOf(file: string): Import[] {
  const text = read(file);
  const found: Import[] = [];
  for (const match of text.matchAll(/^(?:import|export)\s+(type\s+)?([^;]*?\s+from\s+)?"([^"]+)"/gm)) {
    const names = /\{([^}]*)\}/
      .exec(match[2] ?? "")?.[1]
      ?.split(",")
      .map((name) => name.trim());
    const areTypes = names?.every((name) => name === "" || name.startsWith("type ")) ?? false;
    found.push({
      to: target(file, match[3] ?? ""),
      kind: match[1] !== undefined || areTypes ? "types" : "value",
    });
  }
  for (const match of text.matchAll(/\bimport\("([^"]+)"\)/g))
    found.push({ to: target(file, match[1] ?? ""), kind: "lazy" });
  return found;
}

function target(file: string, from: string): string {
  if (from.startsWith("node:")) return from;
  if (from.startsWith(".")) return normalize(join(dirname(file), from));
  return `npm:${from
    .split("/")
    .slice(0, from.startsWith("@") ? 2 : 1)
    .join("/")}`;
}

/** The files, the page's too, that import themselves by way of others, values and types alike. */
export function filesInCircles(): string[] {
  const graph = new Map(
    all.map((file) => [
      file,
      importsOf(file)
        .filter(({ to, kind }) => /\.tsx?$/.test(to) && kind !== "lazy")
        .map(({ to }) => to),
    ]),
  );
  return all.filter((file) => reaches(graph, file, file));
}

function reaches(graph: ReadonlyMap<string, readonly string[]>, from: string, goal: string): boolean {
  const seen = new Set<string>();
  const open = [...(graph.get(from) ?? [])];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (file === goal) return true;
    if (seen.has(file)) continue;
    seen.add(file);
    open.push(...(graph.get(file) ?? []));
  }
  return false;
}
