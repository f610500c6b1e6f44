import { readFileSync, realpathSync } from "node:fs";

const MOUNT_POINT = 4;

/**
 * Whether a file is mounted by itself, as a container may be given it. What lies beside it there is in another folder than what
 * lies beside it where it comes from, and the kernel does not tell that both are one. Linux alone lists what is mounted.
 */
export function isMounted(path: string): boolean {
  try {
    const escaped = realpathSync(path).replace(
      /[\s\\]/g,
      (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
    );
    const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
    return mounts.some((line) => line.split(" ", MOUNT_POINT + 1)[MOUNT_POINT] === escaped);
  } catch {
    return false;
  }
}
