import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "../../..");

/** One change of the source, as Stryker makes it. */
export interface Mutant {
  id: string;
  fileName: string;
  mutatorName: string;
  replacement: string;
  /** `Ignored` for what was excluded, which is not in the copy. */
  status?: string;
  location: { start: { line: number; column: number } };
}

/**
 * Makes, in a folder of its own, a copy of the repository in whose sources every mutant sits behind a switch, and whose tests
 * declare themselves to `node-test.ts`. Returns the mutants. `tools` is where Stryker is installed.
 */
export async function plant(tree: string, tools: string, sources: readonly string[]): Promise<Mutant[]> {
  mkdirSync(tree);
  for (const name of readdirSync(root))
    if (name !== "src" && name !== "test" && name !== "lab" && name !== "dist")
      symlinkSync(join(root, name), join(tree, name));
  for (const name of ["src", "test", "lab"]) cpSync(join(root, name), join(tree, name), { recursive: true });
  const shim = pathToFileURL(join(tree, "lab/trust/mutants/node-test.ts")).href;
  for (const file of listFiles("test", ".ts").filter((path) => !path.includes("trust/mutants"))) {
    const text = readFileSync(join(root, file), "utf8");
    if (/^import (?!type).* from "node:test";$/m.test(text))
      writeFileSync(join(tree, file), text.replace(/ from "node:test";$/m, ` from "${shim}";`));
  }
  const files = sources.map((name) => ({
    name,
    mutate: true,
    content: readFileSync(join(root, name), "utf8"),
  }));
  const instrumented = await instrument(tools, files);
  for (const { name, content } of instrumented.files) writeFileSync(join(tree, name), content);
  return instrumented.mutants.filter(({ status }) => status !== "Ignored");
}

interface Source {
  name: string;
  mutate: boolean;
  content: string;
}

interface Instrumented {
  files: Source[];
  mutants: Mutant[];
}

/** The instrumenter of Stryker, without its runner: texts are left as they are, for most are messages. */
async function instrument(tools: string, files: Source[]): Promise<Instrumented> {
  const { Instrumenter } = await import(
    pathToFileURL(join(tools, "node_modules/@stryker-mutator/instrumenter/dist/src/index.js")).href
  );
  const silent = () => false;
  const logger = { debug: silent, info: silent, warn: silent, isDebugEnabled: silent };
  const options = { plugins: null, ignorers: [], excludedMutations: ["StringLiteral"], noHeader: false };
  return new Instrumenter(logger).instrument(files, options);
}

/** Every file with this ending in a folder of the repository, or the file itself; relative to it. */
export function listFiles(place: string, ending: string): string[] {
  if (place.endsWith(".ts")) return [place];
  return readdirSync(join(root, place), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => relative(root, join(root, place, name)))
    .sort();
}
