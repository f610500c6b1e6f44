import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin, transform } from "esbuild";
import { ENDPOINTS, OWNER_ENDPOINTS } from "../src/contract/index.ts";

// Bundles the page into `dist/page`: its files under names that hold their content's hash, `page.json` which says where to
// begin, and the licences of what is in them.
const root = join(import.meta.dirname, "..");
const client = join(root, "src/web/client");
const out = join(root, "dist/page");

const OWNERS = Object.keys(OWNER_ENDPOINTS);

/**
 * Path and method of each row that the page names: all that it needs of the contract at run time. The owner's are apart, and
 * come with the views that ask for them.
 */
const routes: Plugin = {
  name: "routes",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^manuscript:(?:owner-)?routes$/ }, ({ path }) => ({ path, namespace: "routes" }));
    onLoad({ filter: /:routes$/, namespace: "routes" }, () => ({
      contents: `export const ROUTES = ${routesOf(ENDPOINTS)}`,
    }));
    onLoad({ filter: /:owner-routes$/, namespace: "routes" }, () => ({
      contents: `import { ROUTES } from "manuscript:routes";Object.assign(ROUTES, ${routesOf(OWNER_ENDPOINTS)})`,
    }));
  },
};

function routesOf(endpoints: Readonly<Record<string, { method: string; path: string }>>): string {
  const source = readdirSync(client, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(client, file), "utf8"))
    .join();
  const named = Object.entries(endpoints).filter(([id]) => source.includes(`"${id}"`));
  const rows = named.map(([id, { method, path }]) => [id, method === "GET" ? path : `${path} ${method}`]);
  return JSON.stringify(Object.fromEntries(rows));
}

const lucide = readFileSync(join(root, "node_modules/lucide/dist/esm/lucide.mjs"), "utf8");

/** Names each drawing's own file: by lucide's list of all, those of later views would be in what the page begins with. */
function withIconsApart(source: string): string {
  return source.replace(/^import \{(.+)\} from "lucide";/m, (_, names: string) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => !name.startsWith("type "))
      .map((name) => {
        const file = new RegExp(`default as ${name}\\b.* from '\\./(.+)'`).exec(lucide)?.[1];
        if (file === undefined) throw new Error(`lucide has no ${name}`);
        return `import ${name} from "lucide/dist/esm/${file}";`;
      })
      .join(""),
  );
}

/** Adds what the page begins with to each view that is loaded later. */
const core: Plugin = {
  name: "core",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.{1,2}\// }, ({ kind, path, resolveDir }) =>
      kind === "dynamic-import" ? { path: join(resolveDir, path), pluginData: { isView: true } } : undefined,
    );
    onLoad({ filter: /web\/client\/.*\.tsx?$/ }, ({ path, pluginData }) => {
      const source = readFileSync(path, "utf8");
      const first = pluginData?.isView === true ? `import ${JSON.stringify(join(client, "core.ts"))};` : "";
      const owners = OWNERS.some((id) => source.includes(`"${id}"`))
        ? 'import "manuscript:owner-routes";'
        : "";
      const contents = first + owners + withIconsApart(source);
      return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
    });
  },
};

/** The style that a view names is in its script: it is there with the view, and the page begins with less. */
const sheets: Plugin = {
  name: "sheets",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.css$/ }, ({ importer, path, resolveDir }) =>
      /client\/(?:go-to|views)\/.*\.tsx$/.test(importer)
        ? { path: join(resolveDir, path), namespace: "sheet" }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: "sheet" }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify: true });
      const contents = `const sheet = new CSSStyleSheet();
sheet.replaceSync(${JSON.stringify(code.trim())});
document.adoptedStyleSheets.push(sheet);`;
      return { contents };
    });
  },
};

const common = {
  outdir: out,
  bundle: true,
  splitting: true,
  format: "esm" as const,
  target: "es2022",
  minify: true,
  metafile: true as const,
  legalComments: "none" as const,
  conditions: ["production", "browser"],
  define: { "process.env.NODE_ENV": '"production"' },
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  loader: { ".woff2": "file", ".svg": "file" },
  jsx: "automatic" as const,
  jsxImportSource: "preact",
  logLevel: "warning" as const,
} satisfies BuildOptions;

rmSync(out, { recursive: true, force: true });
const reader = await build({ ...common, entryPoints: { markdown: join(root, "src/prose/read-pasted.ts") } });

/** The reader of Markdown has all that it needs: what it shared with the page would come with the page, and few ever paste. */
const apart: Plugin = {
  name: "apart",
  setup({ onResolve }) {
    const [path = ""] = Object.keys(reader.metafile.outputs);
    onResolve({ filter: /\/read-pasted\.ts$/ }, () => ({ path: `./${basename(path)}`, external: true }));
  },
};

const { metafile } = await build({
  ...common,
  entryPoints: { page: join(client, "main.tsx") },
  plugins: [apart, routes, core, sheets],
});
writeFileSync(join(out, "page.json"), JSON.stringify(startOf(metafile)));
writeFileSync(join(out, "LICENCES.txt"), licencesOf({ ...metafile.inputs, ...reader.metafile.inputs }));
writeFileSync(join(out, "icon.svg"), readFileSync(join(client, "style/icon.svg")));

/** What the empty page loads: its script, its style, what that script imports at once, and the fonts that are seen first. */
function startOf({ outputs }: Metafile): {
  script: string;
  style: string;
  preload: string[];
  fonts: string[];
} {
  const entry = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith("client/main.tsx"));
  if (entry?.[1].cssBundle === undefined) throw new Error("the page was built without a script or a style");
  const [script, { cssBundle, imports }] = entry;
  const preload = imports.flatMap(({ kind, path }) => (kind === "import-statement" ? [basename(path)] : []));
  const fonts = Object.keys(outputs)
    .map((path) => basename(path))
    .filter((name) => /^(?:literata-latin-opsz-normal|source-sans-3-latin-wght-normal)-/.test(name));
  return { script: basename(script), style: basename(cssBundle), preload, fonts };
}

/** The licence of every package of which something is in the bundle. */
function licencesOf(inputs: Metafile["inputs"]): string {
  const folders = new Set<string>();
  for (const path of Object.keys(inputs)) {
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const file = ["LICENSE", "LICENSE.md", "LICENSE.txt", "LICENSE-MIT.txt", "license"].find((known) =>
      existsSync(join(root, folder, known)),
    );
    if (file === undefined) throw new Error(`${name} has no licence beside it`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(root, folder, file), "utf8").trim()}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
