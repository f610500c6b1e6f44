import { copyFileSync } from "node:fs";
import { join } from "node:path";

// Puts package.json back as prepack.ts found it.
const root = join(import.meta.dirname, "..");
copyFileSync(join(root, "node_modules/.cache/package.json"), join(root, "package.json"));
