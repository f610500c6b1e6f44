import { statfsSync } from "node:fs";
import { dirname } from "node:path";

/** Folders that a program copies to another machine while they are written, by what their paths hold. */
const SYNCED: readonly (readonly [name: string, path: RegExp])[] = [
  ["Dropbox", /[\\/](?:Dropbox(?: \([^\\/]+\))?|CloudStorage[\\/]Dropbox[^\\/]*)[\\/]/i],
  ["iCloud Drive", /[\\/](?:Mobile Documents[\\/]com~apple~CloudDocs|iCloudDrive)[\\/]/i],
  ["OneDrive", /[\\/](?:OneDrive(?: ?- ?[^\\/]+)?|CloudStorage[\\/]OneDrive[^\\/]*)[\\/]/i],
  ["Google Drive", /[\\/](?:Google ?Drive|My Drive|CloudStorage[\\/]GoogleDrive[^\\/]*)[\\/]/i],
  ["Nextcloud", /[\\/]Nextcloud[\\/]/i],
  ["a network share", /^(?:\\\\|\/\/)[^\\/?.]|[\\/]gvfs[\\/]/],
];

/** Types of file systems that lie on another machine: NFS, SMB, CIFS, SMB2, AFS, 9P. Source: https://man7.org/linux/man-pages/man2/statfs.2.html. */
const NETWORK_TYPES = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x5346414f, 0x01021997]);

/** The cloud folder or share that a file lies in: "Dropbox"; null for a place of this machine's own, as far as can be told. */
export function cloudOf(path: string): string | null {
  const known = SYNCED.find(([, pattern]) => pattern.test(path));
  if (known !== undefined) return known[0];
  if (process.platform !== "linux") return null;
  return NETWORK_TYPES.has(statfsSync(dirname(path)).type) ? "a network share" : null;
}
