import type { BuildOptions } from "esbuild";

/** How the program's modules are bundled. What they read beside the package they name as two folders up, where they lie in `src`, too. */
export const AS_BUILT = {
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
} as const satisfies BuildOptions;
