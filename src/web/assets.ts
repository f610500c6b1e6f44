import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

/** What the empty page loads at once, each a file's name. */
export interface PageStart {
  script: string;
  style: string;
  preload: readonly string[];
  fonts: readonly string[];
}

/** One file of the page. */
export interface Asset {
  type: string;
  body: Buffer;
  /** The body compressed, unless it is already. */
  zipped: Buffer | undefined;
  /** Its name holds the hash of its content, so it never changes. */
  isImmutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

// Beside `src` and below `dist` alike: the page is built, never run from source.
const folder = join(import.meta.dirname, "../../dist/page");
const read = new Map<string, Asset | undefined>();

/** What the page begins with; undefined where it was not built. */
export function readAssets(): PageStart | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "page.json"), "utf8"));
  } catch {
    return undefined;
  }
}

/** A file of the page by its name, read once; undefined if there is none. */
export function readAsset(name: string): Asset | undefined {
  if (!read.has(name)) {
    if (!/^[\w-]+(?:\.[\w-]+)*$/.test(name)) return undefined;
    const type = TYPES[extname(name)];
    if (type === undefined) return undefined;
    try {
      const body = readFileSync(join(folder, name));
      const zipped = type.startsWith("font/") ? undefined : gzipSync(body, { level: 9 });
      read.set(name, { type, body, zipped, isImmutable: /-[A-Z0-9]{8}\.\w+$/.test(name) });
    } catch {
      return undefined; // not kept, so that names which are made up take no memory
    }
  }
  return read.get(name);
}
