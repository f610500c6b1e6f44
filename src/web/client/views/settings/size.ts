const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** A size in bytes as it is read: 3.2 MB, in powers of 1000 as disks are sold. */
export function size(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}
