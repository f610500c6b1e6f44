import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin, transform } from "esbuild";
import { ENDPOINTS, OWNER_ENDPOINTS } from "../src/contract/index.ts";
import { licencesOf } from "./licences.ts";

// Bundles the page into `dist/page`: its files under names that hold their content's hash, `page.json` which says where to
// begin, and the licences of what is in them.
const root = join(import.meta.dirname, "..");
const client = join(root, "src/web/client");
const out = join(root, "dist/page");

const sources = readdirSync(client, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(client, file), "utf8") }));

/** Rows of the contract that these files of the page name. */
function rowsNamed(isAmong: (file: string) => boolean): [id: string, route: string][] {
  const text = sources.flatMap(({ file, text: own }) => (isAmong(file) ? [own] : [])).join();
  return Object.entries({ ...ENDPOINTS, ...OWNER_ENDPOINTS })
    .filter(([id]) => text.includes(`"${id}"`))
    .map(([id, { method, path }]) => [id, method === "GET" ? path : `${path} ${method}`]);
}

/** What the page begins with names these; those of the views behind it come with the views that ask for them. */
const FIRST = rowsNamed((file) => !/^views\/(?!(?:desk|read|write)\/)/.test(file));
const LATER = rowsNamed(() => true).filter(([id]) => !FIRST.some(([first]) => first === id));

/** Path and method of each row that the page names: all that it needs of the contract at run time. */
const routes: Plugin = {
  name: "routes",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^manuscript:(?:later-)?routes$/ }, ({ path }) => ({ path, namespace: "routes" }));
    onLoad({ filter: /:routes$/, namespace: "routes" }, () => ({
      contents: `export const ROUTES = ${JSON.stringify(Object.fromEntries(FIRST))}`,
    }));
    onLoad({ filter: /:later-routes$/, namespace: "routes" }, () => ({
      contents: `import { ROUTES } from "manuscript:routes";Object.assign(ROUTES, ${JSON.stringify(Object.fromEntries(LATER))})`,
    }));
  },
};

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
      const later = LATER.some(([id]) => source.includes(`"${id}"`))
        ? 'import "manuscript:later-routes";'
        : "";
      const contents = first + later + withIconsApart(source);
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
        ? { path: relative(root, join(resolveDir, path)), namespace: "sheet" }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: "sheet" }, async ({ path }) => {
      const style = readFileSync(join(root, path), "utf8");
      const { code } = await transform(style, { loader: "css", minify: true });
      const contents = `const sheet = new CSSStyleSheet();
sheet.replaceSync(${JSON.stringify(code.trim())});
document.adoptedStyleSheets.push(sheet);`;
      return { contents };
    });
  },
};

/** Literata (prose, titles) and Source Sans 3 (controls), both under the SIL Open Font License 1.1, by their files. */
const FACES = [
  "literata-latin-ext-opsz-normal",
  "literata-latin-ext-opsz-italic",
  "literata-latin-opsz-normal",
  "literata-latin-opsz-italic",
  "source-sans-3-latin-ext-wght-normal",
  "source-sans-3-latin-wght-normal",
  "source-sans-3-latin-wght-italic",
];
const FAMILIES: Readonly<Record<string, string>> = { literata: "Literata", "source-sans-3": "Source Sans 3" };

/** The faces as rules; which letters are in a file its package says. */
const fonts: Plugin = {
  name: "fonts",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^manuscript:fonts$/ }, ({ path }) => ({ path, namespace: "fonts" }));
    onLoad({ filter: /.*/, namespace: "fonts" }, () => ({
      contents: FACES.map(faceOf).join("\n"),
      loader: "css",
      resolveDir: root,
    }));
  },
};

function faceOf(name: string): string {
  const [, font = "", subset = "", style = ""] = /^(.+?)-(latin(?:-ext)?)-\w+-(\w+)$/.exec(name) ?? [];
  const folder = `@fontsource-variable/${font}`;
  const letters = JSON.parse(readFileSync(join(root, "node_modules", folder, "unicode.json"), "utf8"));
  return `@font-face {
  font-family: "${FAMILIES[font]}";
  src: url("${folder}/files/${name}.woff2") format("woff2");
  font-weight: 200 900;
  font-style: ${style};
  font-display: swap;
  unicode-range: ${letters[subset]};
}`;
}

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

// Loaded beside the page by an app's server alone.
await build({ ...common, entryPoints: { stay: join(client, "api/stay.ts") }, entryNames: "[name]" });

const { metafile } = await build({
  ...common,
  entryPoints: { page: join(client, "main.tsx") },
  plugins: [apart, routes, core, sheets, fonts],
});
writeFileSync(join(out, "page.json"), JSON.stringify(startOf(metafile)));
writeFileSync(
  join(out, "LICENCES.txt"),
  licencesOf(packagesIn({ ...metafile.inputs, ...reader.metafile.inputs })),
);
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

/** The folder of every package of which something is in the bundle. */
function packagesIn(inputs: Metafile["inputs"]): string[] {
  const folders = new Set<string>();
  for (const path of Object.keys(inputs)) {
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  return [...folders].sort().map((folder) => join(root, folder));
}
