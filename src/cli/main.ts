import { readFileSync } from "node:fs";

// What could not be written is told to the one who wrote it; a reader that has gone is no failure: `| head -1`.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  process.stdout.write(`${JSON.parse(manifest).version}\n`);
} else void main();

async function main(): Promise<void> {
  const { run } = await import("./run.ts");
  const { stdout, stderr, stdin, env } = process;
  // Never process.exit(): it would cut off what a pipe has not taken yet.
  process.exitCode = await run(argv, { stdout, stderr, stdin, env, cwd: process.cwd() });
}
