import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isPublished, published } from "./npm/published.ts";

// npm reads package.json from the folder that it packs. So while it does, the published one is there; postpack.ts puts back ours.
const root = join(import.meta.dirname, "..");
const path = join(root, "package.json");
const kept = join(root, "node_modules/.cache/package.json");
const manifest = JSON.parse(readFileSync(path, "utf8"));
if (isPublished(manifest))
  throw new Error(
    "package.json is as a pack that was broken off has left it: git checkout package.json, then again",
  );
mkdirSync(dirname(kept), { recursive: true });
copyFileSync(path, kept);
writeFileSync(path, `${JSON.stringify(published(manifest), undefined, 2)}\n`);
