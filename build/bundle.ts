import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fetchNode } from "./bundle/fetch-node.ts";
import { makeBundle } from "./bundle/make-bundle.ts";
import { PLATFORMS, type Platform } from "./bundle/platforms.ts";

// Makes what a writer downloads: `npm run bundle` for all platforms, `npm run bundle -- win-x64 linux-x64` for some, each on any
// machine. It takes the program as it is built, and leaves everything in `bundles/`, with checksums of all that is there.
const root = join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string", default: join(root, "bundles") },
    cache: { type: "string", default: join(root, "node_modules/.cache/bundle") },
  },
});
const known = Object.keys(PLATFORMS) as Platform[];
const unknown = positionals.filter((name) => !known.some((platform) => platform === name));
if (unknown.length > 0) throw new Error(`there is no ${unknown.join(", ")}; there are ${known.join(", ")}`);

mkdirSync(values.out, { recursive: true });
for (const platform of known.filter((name) => positionals.length === 0 || positionals.includes(name)))
  for (const [name, bytes] of makeBundle(root, platform, await fetchNode(platform, values.cache))) {
    writeFileSync(join(values.out, name), bytes);
    console.log(`${name}: ${(bytes.length / 1e6).toFixed(1)} MB`);
  }

const sums = readdirSync(values.out)
  .filter((name) => /\.(?:zip|xz|deb|json)$/.test(name))
  .sort()
  .map((name) => {
    const sum = createHash("sha256").update(readFileSync(join(values.out, name)));
    return `${sum.digest("hex")}  ${name}\n`;
  });
writeFileSync(join(values.out, "SHA256SUMS"), sums.join(""));
