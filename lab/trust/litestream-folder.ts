import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ChapterId } from "../../src/ids.ts";
import { readChapterAnswer } from "../../src/service/books/read-chapter.ts";
import { diagnose } from "../../src/service/health/doctor.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { eventually } from "../../test/support/eventually.ts";
import { makeMany, type OneOfMany } from "../../test/support/many-files.ts";
import { type Served, startServed } from "./served.ts";

const FILES = 100;
const OPEN = 16;
/** Longer than what Litestream waits between two copies of a log. */
const SETTLE_MS = 4000;
/** Of so many one is looked into as a whole. */
const LOOKED_INTO = 5;
const SETTINGS = "litestream.yml";

/** What a folder of many files, copied by one Litestream, gave back. */
export interface FolderRestored {
  files: number;
  restored: number;
  faults: string[];
}

/**
 * Serves a folder of a hundred manuscripts of which few may be open, beside one Litestream that copies them all; writes to each,
 * kills both, and restores every file elsewhere.
 */
export async function restoreFolder(folder: string, bin: string): Promise<FolderRestored> {
  const [novels, stick, back] = ["novels", "stick", "back"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const place of [stick, back]) mkdirSync(place, { recursive: true });
  const files = makeMany(novels, FILES, "Before.\n");
  writeFileSync(join(folder, SETTINGS), settingsFor(files, stick));
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  // The package's own program starts another: both end as a group.
  const litestream = spawn("litestream", ["replicate", "-config", SETTINGS], {
    ...{ cwd: folder, env, stdio: "ignore", detached: true },
  });
  const ended = once(litestream, "exit");
  const server = await startServed(folder, [novels, "--quiet", "--no-backups", "--open-files", String(OPEN)]);
  const faults: string[] = [];
  try {
    await eventually(
      () => files.every(({ path }) => existsSync(join(stick, basename(path), "generations"))),
      "Litestream to make a copy",
    );
    for (const file of files)
      if (!(await save(server, file, textOf(file)))) faults.push(`${file.path}: not saved`);
    await wait(SETTLE_MS);
  } finally {
    process.kill(-(litestream.pid ?? 0), "SIGKILL");
    await Promise.all([server.stop("SIGKILL"), ended]);
  }
  let restored = 0;
  for (const [at, file] of files.entries()) {
    const path = join(back, basename(file.path));
    const ran = spawnSync("litestream", ["restore", "-config", SETTINGS, "-o", path, file.path], {
      ...{ cwd: folder, env, encoding: "utf8" },
    });
    const wrong = ran.status === 0 ? whatIsWrong(path, file, at % LOOKED_INTO === 0) : [ran.stderr];
    if (wrong.length === 0) restored++;
    faults.push(...wrong.map((fault) => `${basename(path)}: ${fault}`));
  }
  return { files: FILES, restored, faults };
}

/** One entry a file: the version that npm has knows no folders. */
function settingsFor(files: readonly OneOfMany[], stick: string): string {
  const entries = files.map(
    ({ path }) =>
      `  - path: ${path}\n    replicas:\n      - type: file\n        path: ${join(stick, basename(path))}\n`,
  );
  return `dbs:\n${entries.join("")}`;
}

const textOf = ({ path }: OneOfMany) => `The last save of ${basename(path)}.\n`;

async function save({ base }: Served, { key, chapterId }: OneOfMany, markdown: string): Promise<boolean> {
  const answer = await fetch(`${base}/chapters/${chapterId}/prose`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "text/markdown" },
    body: markdown,
  });
  return answer.status === 200;
}

/** What the file that was restored lacks; looking into all of it takes long. */
function whatIsWrong(path: string, file: OneOfMany, isLookedInto: boolean): string[] {
  const own = openManuscript(path);
  const { markdown } = readChapterAnswer(own, file.chapterId as ChapterId, { format: "markdown" }) as {
    markdown?: string;
  };
  own.close();
  const checks = isLookedInto ? diagnose(path).checks : [];
  const failed = checks.filter(({ status }) => status === "fail");
  const wrong = failed.map(({ name, found }) => `doctor: ${name}: ${found}`);
  return markdown === textOf(file) ? wrong : [...wrong, `lacks its last save, holds ${markdown}`];
}
