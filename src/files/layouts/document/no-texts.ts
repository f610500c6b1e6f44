import { closeSync, openSync, readSync } from "node:fs";
import { basename, join } from "node:path";
import { BadRequest, PayloadTooLarge } from "../../../refusals.ts";
import { TEXT_FILE } from "../../../service/field-rules.ts";
import { placesOf, strayedIn } from "../../../text/clean-text.ts";
import { counted } from "../../../text/columns.ts";
import { inEncoding, NotText, readTextFile, statOf } from "../../disk/text-file.ts";
import { kindOfFile } from "../../document-kinds.ts";
import { README } from "../../layout-names.ts";
import { reasonToSkip, walk } from "../folder.ts";

const MOST_NAMED = 20;

/** How files are read. */
interface Reading {
  encoding: string | undefined;
  /** True if control characters are dropped. */
  cleans?: boolean | undefined;
  /** Bytes that a file may have; those of a chapter if left out. */
  most?: number | undefined;
}

/** Why a file cannot be read. */
interface Fault {
  name: string;
  isText: boolean;
  /** That it is too long, or what it is instead of a text, with a remedy. */
  said: string | undefined;
  /** Where it holds control characters. */
  control: string;
}

/**
 * Returns one refusal for all files in a place that cannot be read, each with its reasons, in place of the first one's.
 */
export function allNoTexts(error: NotText, place: string, reading: Reading): BadRequest {
  const isFolder = statOf(place, place).isDirectory();
  const faults = isFolder
    ? textsIn(place).map((file) => faultOf(join(place, file), file, reading))
    : [faultOf(place, basename(place), { ...reading, most: Infinity })]; // it was read
  const all = faults.flatMap((fault) => fault ?? []);
  if (all.length === 0) return error; // written anew meanwhile
  const others = all.flatMap(({ name, isText, said }) => (isText || said !== undefined ? [] : name));
  const known = all.flatMap(({ said }) => said ?? []);
  const controls = all.flatMap(({ name, control }) => (control === "" ? [] : `${name} (${control})`));
  const sentences = [
    ...(others.length === 0 ? [] : [notUtf8(others, reading.encoding)]),
    ...known.slice(0, MOST_NAMED),
    ...(controls.length === 0 ? [] : [withControl(controls)]),
  ];
  return new BadRequest(`Nothing was imported. ${sentences.join(" ")}`);
}

/** Returns why a file cannot be read; undefined if it can. */
function faultOf(path: string, name: string, { encoding, cleans = false, most }: Reading): Fault | undefined {
  try {
    const text = textOf(path, name, { encoding, most });
    const kind = text === undefined ? whatIs(path) : undefined;
    const mayHold =
      cleans || kind !== undefined
        ? ""
        : (text ?? textOf(path, name, { encoding: "windows-1252", most }) ?? "");
    const control = placesOf(strayedIn(mayHold));
    if (text !== undefined && control === "") return undefined;
    return { name, isText: text !== undefined, said: kind && `${name} is ${kind}`, control };
  } catch (error) {
    if (!(error instanceof PayloadTooLarge)) throw error;
    const kind = whatIs(path);
    return { name, isText: true, said: kind ? `${name} is ${kind}` : error.message, control: "" };
  }
}

function withControl(places: readonly string[]): string {
  const what = places.length === 1 ? "holds" : "hold";
  return `${listed(places)} ${what} control characters, which no text may hold: remove them, or let --clean drop them and say where.`;
}

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${counted(more, "more file")}` : "");
}

function notUtf8(names: readonly string[], encoding: string | undefined): string {
  const isOne = names.length === 1;
  const them = isOne ? "it" : "them";
  const what = encoding === undefined ? "not UTF-8" : `neither UTF-8 nor ${encoding}`;
  const remedy =
    encoding === undefined
      ? `If an old program for Windows wrote ${them}, add --encoding windows-1252; else save ${them} as UTF-8.`
      : `Save ${them} as UTF-8, or name another --encoding.`;
  return `${listed(names)} ${isOne ? "is" : "are"} ${what}. ${remedy}`;
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

function textsIn(folder: string): string[] {
  return walk(folder).files.filter(
    (file) => TEXT_FILE.test(file) && !README.test(file) && reasonToSkip(folder, file) === undefined,
  );
}

function textOf(path: string, name: string, { encoding, most }: Reading): string | undefined {
  try {
    return inEncoding(encoding, () => readTextFile(path, name, most));
  } catch (error) {
    if (error instanceof NotText) return undefined;
    throw error;
  }
}
