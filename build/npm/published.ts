/** The parts of package.json that decide what is published. */
export interface Manifest {
  name: string;
  version: string;
  engines: { node: string };
  dependencies: Record<string, string>;
  files: string[];
  [key: string]: unknown;
}

/** What only a clone needs: it builds and tests there, and on Node 20 it has a binding of SQLite that is compiled. */
const OF_A_CLONE = [
  "scripts",
  "devDependencies",
  "optionalDependencies",
  "allowScripts",
  "knip",
] as const satisfies string[];
const NODE_20 = /^\^20\.\d+ \|\| /;

/**
 * The package.json of the package that npm hands out. It has no script, for npm would run it or warn of it, and no binding for
 * Node 20, whose install script compiles: so it is for Node 22.14 and later. Source: docs/decisions/026-npm-package.md.
 */
export function published(manifest: Manifest): Manifest {
  const engines = { node: manifest.engines.node.replace(NODE_20, "") };
  const kept = Object.entries({ ...manifest, engines }).filter(
    ([key]) => !OF_A_CLONE.some((one) => one === key),
  );
  return Object.fromEntries(kept) as Manifest;
}

/** Whether this is already the published form, as a pack that was broken off leaves it. */
export function isPublished(manifest: Readonly<Record<string, unknown>>): boolean {
  return manifest.scripts === undefined;
}
