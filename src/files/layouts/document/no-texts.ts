import { closeSync, openSync, readSync } from "node:fs";
import { basename, join } from "node:path";
import { BadRequest } from "../../../refusals.ts";
import { TEXT_FILE } from "../../../service/field-rules.ts";
import { decode, inEncoding, NotText, readRegular, statOf } from "../../disk/text-file.ts";
import { kindOfFile } from "../../documents/open.ts";
import { README } from "../../layout-names.ts";
import { reasonToSkip, walk } from "../folder.ts";

const MOST_NAMED = 20;

/**
 * Returns one refusal for all files in a place that are not text, each with its kind, in place of the first one's.
 */
export function allNoTexts(error: NotText, place: string, encoding: string | undefined): BadRequest {
  const isFolder = statOf(place, place).isDirectory();
  const files = isFolder ? noTextsIn(place, encoding) : [""];
  if (files.length === 0) return error; // written anew meanwhile
  const others: string[] = [];
  const known: string[] = [];
  for (const file of files) {
    const name = isFolder ? file : basename(place);
    const what = whatIs(join(place, file));
    if (what === undefined) others.push(name);
    else if (known.length < MOST_NAMED) known.push(`${name} is ${what}`);
  }
  const sentences = [...(others.length === 0 ? [] : [notUtf8(others, encoding)]), ...known];
  return new BadRequest(`Nothing was imported. ${sentences.join(" ")}`);
}

function notUtf8(names: readonly string[], encoding: string | undefined): string {
  const isOne = names.length === 1;
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more files` : "";
  const listed = names.slice(0, MOST_NAMED).join(", ") + more;
  const them = isOne ? "it" : "them";
  const what = encoding === undefined ? "not UTF-8" : `neither UTF-8 nor ${encoding}`;
  const remedy =
    encoding === undefined
      ? `If an old program for Windows wrote ${them}, add --encoding windows-1252; else save ${them} as UTF-8.`
      : `Save ${them} as UTF-8, or name another --encoding.`;
  return `${listed} ${isOne ? "is" : "are"} ${what}. ${remedy}`;
}

/** Describes a file that is not text, with a remedy; undefined if it is of an unknown kind. */
function whatIs(path: string): string | undefined {
  const kind = kindOfFile(path, "");
  if (kind !== undefined)
    return `${kind.called}: ${kind.remedy ?? "import it by itself, under its proper name"}.`;
  const mark = startOf(path);
  if (mark === "fffe") return "UTF-16: add --encoding utf-16le.";
  return mark === "feff" ? "UTF-16: add --encoding utf-16be." : undefined;
}

function startOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(2);
    readSync(file, head, 0, 2, 0);
    return head.toString("hex");
  } finally {
    closeSync(file);
  }
}

function noTextsIn(folder: string, encoding: string | undefined): string[] {
  return walk(folder).files.filter(
    (file) =>
      TEXT_FILE.test(file) &&
      !README.test(file) &&
      reasonToSkip(folder, file) === undefined &&
      !isText(join(folder, file), encoding),
  );
}

function isText(path: string, encoding: string | undefined): boolean {
  try {
    inEncoding(encoding, () => decode(readRegular(path, path), path));
    return true;
  } catch (error) {
    if (error instanceof NotText) return false;
    throw error;
  }
}
