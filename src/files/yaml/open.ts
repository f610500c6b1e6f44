import type { Document } from "yaml";
import { CONFLICT_MARKERS_LEFT, hasConflictMarkers } from "../../prose/merge/conflict-markers.ts";
import { BadRequest } from "../../refusals.ts";

/** The package, loaded only where a file has YAML to read or to change. */
export type Yaml = typeof import("yaml");

/** Where a text of YAML comes from. */
export interface YamlSource {
  file: string;
  /** The part of the file that the text is, as sentences call it: "front matter". */
  part?: string;
  /** The lines of the file above the text. */
  before?: number;
  /** The most characters that are read, where that is less than a file may have; and why a text may have more. */
  most?: number;
  hint?: string;
}

/** Words that other readers of YAML would take for something else are quoted where they are written. */
export const FOR_ALL_READERS = { compat: "yaml-1.1", logLevel: "error" } as const;

/** The most that an alias may unfold to: the package counts, and throws. */
const MOST_ALIASES = 100;

/**
 * Returns a text of YAML as a document without faults. Throws `BadRequest`, naming file, line and fault. The package takes
 * time that grows with the square of the number of keys: `most` bounds it.
 */
export function openYaml(
  yaml: Yaml,
  text: string,
  source: YamlSource,
  options: Parameters<Yaml["parseDocument"]>[1] = {},
): Document {
  const { most = Infinity, hint = "", before = 0 } = source;
  if (text.length > most) {
    throw new BadRequest(
      `${nameOf(source)} has ${text.length} characters, and at most ${most} are read.${hint}`,
    );
  }
  const document = attempt(source, () => yaml.parseDocument(text.replace(/^\ufeff/, ""), options));
  const [error] = document.errors;
  if (error === undefined) return document;
  if (hasConflictMarkers(text)) throw new BadRequest(`${source.file} ${CONFLICT_MARKERS_LEFT}.`);
  throw refusal(source, error, (error.linePos?.[0].line ?? 1) + before);
}

/** Returns what a document says, as JSON has it. Throws `BadRequest` for aliases that stand for nothing or unfold without end. */
export function plainValue(document: Document, source: YamlSource): unknown {
  return attempt(source, () => document.toJS({ maxAliasCount: MOST_ALIASES }));
}

function attempt<Result>(source: YamlSource, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    throw refusal(source, error);
  }
}

/** The package finds by an exhausted stack that a text is nested too deep, and shows the text with most faults. */
function refusal(source: YamlSource, error: unknown, line?: number): BadRequest {
  const message = error instanceof Error ? error.message : String(error);
  if (/call stack/.test(message)) return new BadRequest(`${nameOf(source)} is nested too deep to be read.`);
  const fault = message.replace(/ at line [\s\S]*$/, "");
  const where = line === undefined ? "" : ` in line ${line}`;
  return new BadRequest(`${nameOf(source)} is not valid YAML: ${fault}${where}.`);
}

function nameOf({ file, part }: YamlSource): string {
  return part === undefined ? file : `${file}: its ${part}`;
}
