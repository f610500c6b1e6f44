import { BadRequest } from "../../refusals.ts";

import { TEXT_FILE } from "../../service/field-rules.ts";

const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i;

/** The longest name of a file that every system takes, in bytes of UTF-8. */
const NAME_BYTES = 255;
const PATH_BYTES = 1000;

/** Names beside the chapters that say something else: a chapter under one of them would be overwritten or never read. */
const OTHERS = /^(?:(?:book|facts|notes)\.(?:json|ya?ml)|.*\.conflict(?:\.\d+)?\.md)$/i;

/**
 * Whether a path relative to a folder can be made in it on every system, is seen there, and means nothing else: no step
 * leads out, is hidden, is a device of Windows, or is longer than a file's name may be.
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

function isSafeStep(step: string): boolean {
  return (
    step !== "" &&
    !step.startsWith(".") &&
    !isDevice(step) &&
    !/[. ]$/.test(step) &&
    Buffer.byteLength(step) <= NAME_BYTES
  );
}

/** Whether Windows takes a name, with whatever extension, for a device. */
export function isDevice(name: string): boolean {
  return DEVICE.test(name);
}

/** Why a folder's file is not read under this name, relative to it; undefined if it may be. */
export function faultOfName(file: string): string | undefined {
  if (!isPlain(file)) return "holds control characters or half letters";
  const steps = file.split(/[\\/]/);
  const isWithin = steps.every((step) => step !== "" && !step.startsWith(".")) && !/^[A-Za-z]:/.test(file);
  return isWithin ? undefined : "is hidden or outside its folder";
}

/** Whether a name can be shown in one line and be written as UTF-8. */
function isPlain(name: string): boolean {
  return name.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(name);
}

/**
 * What two names share that a file system may take for one: it may not tell case, composed letters or invisible
 * characters apart. "Straße.md" and "STRASSE.md" are one.
 */
export function folded(name: string): string {
  const visible = name.normalize("NFD").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return visible.toUpperCase().toLowerCase().normalize("NFC");
}

/** The name that an index gives a file. Throws `BadRequest` if it would lead out of the folder. */
export function safeName(file: string, index = "The folder's list"): string {
  const fault = faultOfName(file);
  if (fault !== undefined)
    throw new BadRequest(`${index} names the file ${JSON.stringify(file)}, which ${fault}.`);
  return file;
}
