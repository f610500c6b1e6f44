import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";

// Puts each of the commands that must start quickly into one file: Node takes 0.6 ms of CPU to load a module, of which these have
// 70 to 390. They go to `dist/short`, or to the folder that is named, each under its command's name, by which `bin/manuscript.js`
// finds it. Most are CommonJS: that can be kept compiled, and Node takes 5 ms before the first module that is none.
const require = createRequire(import.meta.url);
const src = join(import.meta.dirname, "../src");
const out = process.argv[2] ?? join(import.meta.dirname, "../dist/short");

/** What reads any command line, and what every command may need. */
const PARSER = ["cli/program", "cli/dashed-words", "cli/rows/", "cli/input/", "cli/output/"];
const READING = ["cli/rows/reading", "cli/input/manuscript", "cli/output/report"];
const FOLDERS = ["files/", "service/", "cli/commands/files/bundle"];

const AGENTS = [
  ...["ai/", "contract/", "mcp/", "prose/", "reading/", "search/", "service/", "store/"],
  "cli/commands/access/mcp",
];

interface Short {
  /** What is in the file besides what `cli/short` imports at once. */
  holds: readonly string[];
  /** It has no parser: what cannot be read without one is left to the whole program. */
  isPlain?: true;
  /** For packages that are no CommonJS, of which there must not be two. */
  isModule?: true;
  /** A command line that is run once beside the sample, for the code that is kept to have the functions that are called. */
  warm?: readonly string[];
}

/** The commands that are a file by themselves; what is imported first is the sample of the others. */
const FILES: Readonly<Record<string, Short>> = {
  import: {
    holds: [...PARSER, ...FOLDERS, "cli/commands/files/import", "cli/commands/files/propose"],
    warm: ["import", join(src, "../fixtures/novel")],
  },
  books: { holds: [...READING, "cli/commands/reading/books"], isPlain: true, warm: ["books"] },
  outline: { holds: [...READING, "cli/commands/reading/outline"], isPlain: true, warm: ["outline", "1"] },
  complete: {
    holds: ["cli/complete/", "cli/rows/", "cli/input/manuscript"],
    warm: ["complete", "--", "show", ""],
  },
  export: { holds: [...PARSER, ...FOLDERS, "cli/commands/files/export"], warm: ["export", "-o", "out"] },
  sync: {
    holds: [...PARSER, ...FOLDERS, "cli/commands/files/sync", "cli/commands/files/propose"],
    warm: ["sync", "out"],
  },
  mcp: {
    holds: [...PARSER, ...AGENTS],
    isModule: true,
  },
};

/** Takes in what is imported only when it is needed, if it is among these; of the rest nothing is ever needed. */
function only(later: readonly string[]): Plugin {
  return {
    name: "only",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, resolveDir }) => {
        const name = relative(src, join(resolveDir, path)).replaceAll("\\", "/");
        if (kind !== "dynamic-import" || later.some((one) => name.startsWith(one))) return undefined;
        return { path: "left-out", namespace: "left-out" };
      });
      // Seventy modules, which cost an export a tenth of its time.
      onResolve({ filter: /^yaml$/ }, ({ path }) => ({ path: require.resolve(path) }));
      onLoad({ filter: /.*/, namespace: "left-out" }, () => ({
        contents: `throw new Error("this file has not all of the program")`,
      }));
    },
  };
}

/** Of CommonJS: what V8 has compiled cannot import, and can require. The function around it is Node's own, for `bin/load-short.js`. */
const COMMON: BuildOptions = {
  format: "cjs",
  supported: { "dynamic-import": false },
  define: { "import.meta.url": "HERE" },
  banner: {
    js: `(function (exports, require, module, __filename, __dirname) { const HERE = require("node:url").pathToFileURL(__filename).href;`,
  },
  footer: { js: `})\n${licenceOf("yaml")}` },
};

/** Of modules: what is imported later is a file of its own, and with it the packages that it needs. */
const MODULE: BuildOptions = { format: "esm", splitting: true, chunkNames: "[name]-[hash]" };

rmSync(out, { recursive: true, force: true });
for (const [name, { holds, isPlain, isModule }] of Object.entries(FILES)) {
  const { metafile } = await build({
    ...(isModule ? MODULE : COMMON),
    entryPoints: [join(src, "cli/short.ts")],
    outdir: out,
    entryNames: name,
    outExtension: { ".js": isModule ? ".mjs" : ".cjs" },
    absWorkingDir: join(src, ".."),
    bundle: true,
    metafile: true,
    minify: true,
    platform: "node",
    target: "node20",
    packages: "external",
    logOverride: { "empty-import-meta": "error" },
    define: { ...(isModule ? {} : COMMON.define), IS_PLAIN: String(isPlain === true) },
    plugins: [only(holds)],
  });
  // What lies beside the package is named from a module two folders down, as this file is.
  for (const file of Object.keys(metafile.inputs))
    if (
      !/^src\/\w+\/[\w-]+\.ts$/.test(file) &&
      /^src.*\.ts$/.test(file) &&
      /import\.meta/.test(readFileSync(file, "utf8"))
    )
      throw new Error(`${file} names what lies beside it, and that of ${name} lies elsewhere`);
  if (!isModule) escapeAll(join(out, `${name}.cjs`));
  for (const [file, { inputs, bytes }] of Object.entries(metafile.outputs))
    console.log(`${file}: ${Object.keys(inputs).length} modules, ${bytes} bytes`);
}

await joinSqlite("better-sqlite3-node20");
const place = mkdtempSync(join(tmpdir(), "manuscript-build-"));
const main = ["--import", import.meta.resolve("tsx"), join(src, "cli/main.ts")];
try {
  runNode([...main, "init", "sample.manuscript"]);
  for (const [name, { warm }] of Object.entries(FILES))
    if (warm !== undefined)
      runNode([join(import.meta.dirname, "keep-code.cjs"), join(out, `${name}.cjs`), ...warm]);
} finally {
  rmSync(place, { recursive: true });
}

/** A package's licence, for a file that has its code. */
function licenceOf(name: string): string {
  return `/*\n${readFileSync(join(src, "../node_modules", name, "LICENSE"), "utf8")}*/`;
}

/** Writes out as ASCII what esbuild leaves in regular expressions: one such character, and V8 keeps two bytes of each. */
function escapeAll(file: string): void {
  const escaped = readFileSync(file, "utf8").replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  writeFileSync(file, escaped);
}

/** Joins the modules of the package that opens SQLite, if this Node has it; `store/driver` asks for the version. */
async function joinSqlite(name: string): Promise<void> {
  const folder = join(src, "../node_modules", name);
  if (!existsSync(folder)) return;
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  await build({
    stdin: {
      contents: `exports.Database = require("./lib/index.js"); exports.version = ${JSON.stringify(version)};`,
      resolveDir: folder,
    },
    outfile: join(out, `${name}.cjs`),
    bundle: true,
    minify: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    external: ["bindings"],
    banner: { js: licenceOf(name) },
  });
}

function runNode(argv: readonly string[]): void {
  const { status, stderr } = spawnSync(process.execPath, argv, { cwd: place, encoding: "utf8" });
  if (status !== 0) throw new Error(`${argv.join(" ")}: ${stderr}`);
}
