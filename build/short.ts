import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { build, type Plugin } from "esbuild";

// Puts each of the shortest commands into one file, as CommonJS: Node takes 0.6 ms of CPU to load a module, of which these
// have 70 to 390, and 5 ms before the first that is no CommonJS. `bin/manuscript.js` says which line runs by which. They go to
// `dist/short`, or to the folder that is named.
const src = join(import.meta.dirname, "../src");
const out = process.argv[2] ?? join(import.meta.dirname, "../dist/short");

/** What each file holds besides what `cli/short` imports at once. */
const FILES = {
  reading: [
    ...["cli/rows/reading", "cli/commands/reading/books", "cli/commands/reading/outline"],
    ...["cli/input/manuscript", "cli/output/report"],
  ],
  complete: ["cli/complete/", "cli/rows/", "cli/input/manuscript"],
  import: [
    ...["cli/program", "cli/dashed-words", "cli/rows/", "cli/input/", "cli/output/", "files/", "service/"],
    ...["cli/commands/files/import", "cli/commands/files/bundle", "cli/commands/files/propose"],
  ],
  export: [
    ...["cli/program", "cli/dashed-words", "cli/rows/", "cli/input/", "cli/output/", "files/", "service/"],
    ...["cli/commands/files/export", "cli/commands/files/bundle"],
  ],
};

/** Takes in what is imported only when it is needed, if it is among these; of the rest nothing is ever needed. */
function only(later: readonly string[]): Plugin {
  return {
    name: "only",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, resolveDir }) => {
        const name = relative(src, join(resolveDir, path)).replaceAll("\\", "/");
        if (kind !== "dynamic-import" || later.some((one) => name.startsWith(one))) return undefined;
        return { path: name, namespace: "left-out" };
      });
      onLoad({ filter: /.*/, namespace: "left-out" }, ({ path }) => ({
        contents: `throw new Error(${JSON.stringify(`${path} is not in this file`)})`,
      }));
    },
  };
}

for (const [name, later] of Object.entries(FILES)) {
  const { metafile } = await build({
    entryPoints: [join(src, "cli/short.ts")],
    outfile: join(out, `${name}.cjs`),
    absWorkingDir: join(src, ".."),
    bundle: true,
    metafile: true,
    minify: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    packages: "external",
    supported: { "dynamic-import": false }, // of a package: code that is kept cannot import, and can require
    logOverride: { "empty-import-meta": "error" },
    // What lies beside the package is named from a module two folders down, as this file is.
    define: { "import.meta.url": "HERE" },
    banner: { js: `const HERE = require("node:url").pathToFileURL(__filename).href;` },
    plugins: [only(later)],
  });
  for (const file of Object.keys(metafile.inputs))
    if (
      !/^src\/\w+\/[\w-]+\.ts$/.test(file) &&
      /^src.*\.ts$/.test(file) &&
      /import\.meta/.test(readFileSync(file, "utf8"))
    )
      throw new Error(`${file} names what lies beside it, and ${name}.cjs lies elsewhere`);
  for (const [file, { inputs, bytes }] of Object.entries(metafile.outputs))
    console.log(`${file}: ${Object.keys(inputs).length} modules, ${bytes} bytes`);
}

// Run once, for the code that is kept of each file to have the functions that are called.
const place = mkdtempSync(join(tmpdir(), "manuscript-build-"));
const file = join(place, "sample.manuscript");
const novel = join(src, "../fixtures/novel");
const main = ["--import", import.meta.resolve("tsx"), join(src, "cli/main.ts")];
const keep = (name: string) => [join(import.meta.dirname, "keep-code.cjs"), join(out, `${name}.cjs`)];
try {
  runNode([...main, "init", file]);
  runNode([...main, "import", novel, "--file", file]);
  runNode([...keep("reading"), "outline", "1", "--file", file]);
  runNode([...keep("complete"), "complete", "--", "--file", file, "show", ""]);
  runNode([...keep("export"), "export", "--file", file, "-o", join(place, "out")]);
} finally {
  rmSync(place, { recursive: true });
}

function runNode(argv: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, argv, { cwd: place, encoding: "utf8" });
  if (status !== 0) throw new Error(`${argv.join(" ")}: ${stderr}`);
}
