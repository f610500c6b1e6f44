import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { AS_BUILT } from "./as-built.ts";

// Bundles the program into `dist/program`: an entry for the command line, for the library and for the worker of a server, and what
// they share. All of it lies in one folder, two deep as the modules of `src` do that name what lies beside the package.
const root = join(import.meta.dirname, "..");
const out = join(root, "dist/program");

rmSync(out, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { cli: "src/cli/main.ts", index: "src/index.ts", "worker-main": "src/http/worker-main.ts" },
  outdir: out,
  ...AS_BUILT,
});
copyFileSync(join(root, "src/contract/guide.md"), join(out, "guide.md")); // the module that reads it lies there, too
