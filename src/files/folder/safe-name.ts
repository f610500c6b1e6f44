import { BadRequest } from "../../refusals.ts";

import { TEXT_FILE } from "../../service/field-rules.ts";

const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i;

/** Longest file name that every system takes, in bytes of UTF-8. */
const NAME_BYTES = 255;
const PATH_BYTES = 1000;

/** Names with another meaning next to the chapters: a chapter of such a name would be overwritten or never read. */
const OTHERS = /^(?:(?:book|facts|notes)\.(?:json|ya?ml)|.*\.conflict(?:\.\d+)?\.md)$/i;

/**
 * True if a relative path is a safe name for a chapter's file on every system: visible, within the folder, no device
 * of Windows, not too long, and without another meaning.
 */
export function isSafe(file: string): boolean {
  return (
    isPlain(file) &&
    Buffer.byteLength(file) <= PATH_BYTES &&
    TEXT_FILE.test(file) && // any other, another program made
    !OTHERS.test(file) &&
    !/[\\:*?"<>|]/.test(file) &&
    file.split("/").every(isSafeStep)
  );
}

/** True for a name that every system can have: visible, no device of Windows, not too long. */
export function isSafeStep(step: string): boolean {
  return (
    step !== "" &&
    !step.startsWith(".") &&
    !isDevice(step) &&
    !/[. ]$/.test(step) &&
    Buffer.byteLength(step) <= NAME_BYTES
  );
}

/** True if Windows takes a name, with any extension, for a device. */
export function isDevice(name: string): boolean {
  return DEVICE.test(name);
}

/** Explains why a file of this relative name is not read; undefined if it may be. */
export function faultOfName(file: string): string | undefined {
  if (!isPlain(file)) return "holds control characters or half letters";
  const steps = file.split(/[\\/]/);
  const isWithin = steps.every((step) => step !== "" && !step.startsWith(".")) && !/^[A-Za-z]:/.test(file);
  return isWithin ? undefined : "is hidden or outside its folder";
}

/** True if a name fits in one line and can be written as UTF-8. */
function isPlain(name: string): boolean {
  return name.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(name);
}

/**
 * Folds a name as tolerant file systems do: case, composed letters and invisible characters do not count. "Straße.md"
 * and "STRASSE.md" are equal.
 */
export function folded(name: string): string {
  const visible = name.normalize("NFD").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return visible.toUpperCase().toLowerCase().normalize("NFC");
}

/** Returns a file's name from an index. Throws `BadRequest` if it would lead out of the folder. */
export function safeName(file: string, index = "The folder's list"): string {
  const fault = faultOfName(file);
  if (fault !== undefined)
    throw new BadRequest(`${index} names the file ${JSON.stringify(file)}, which ${fault}.`);
  return file;
}
