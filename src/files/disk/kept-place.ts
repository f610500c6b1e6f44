import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Unavailable } from "../../refusals.ts";
import { writeAlone } from "./atomic-write.ts";

const OWNER_ONLY = 0o600;
const HASH_CHARACTERS = 16;

/** Owner of a history position: the writer of a manuscript, from its keys, and the command that it runs. */
export interface PlaceOwner {
  writer: string;
  command: string;
}

/** Returns the path of the file that keeps a position. The command is hashed, because it may hold a password. */
export function pathOfPlace(folder: string, { writer, command }: PlaceOwner): string {
  const name = createHash("sha256").update(command).digest("hex").slice(0, HASH_CHARACTERS);
  return join(folder, `watch-${writer}-${name}.json`);
}

/** Returns the last reported act; undefined if there is none. Throws `Unavailable` if the file cannot be read. */
export function readPlace(path: string): string | undefined {
  try {
    const { act } = JSON.parse(readFileSync(path, "utf8")) as { act?: unknown };
    if (typeof act === "string") return act;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  }
  throw new Unavailable(
    `${path} does not say where the last run stopped: it cannot be read, or was changed. Say it with --after ACT, or begin anew with --from-now.`,
  );
}

/** Saves the last reported act, and the manuscript's path for people who read the file. */
export async function keepPlace(path: string, place: { act: string; file: string }): Promise<void> {
  await writeAlone(path, Buffer.from(`${JSON.stringify(place)}\n`), OWNER_ONLY);
}
