import type { Document } from "yaml";
import { BadRequest } from "../../refusals.ts";
import { asKeys, type Keys } from "../folder/manifest.ts";
import { yamlFault } from "../yaml-fault.ts";

// The package takes time that grows with the square of some texts; no list of chapters is as long.
const MOST_LENGTH = 256 * 1024;

/** What the YAML of an index says. Throws `BadRequest`, naming index and line (`before` lines stand above the text). */
export async function readYaml(text: string, index: string, before = 0): Promise<Keys> {
  if (text.length > MOST_LENGTH) {
    throw new BadRequest(`${index} has ${text.length} characters of YAML; at most ${MOST_LENGTH} are read.`);
  }
  const document = await parse(text, index);
  const fault = yamlFault(document, before);
  if (fault !== undefined) throw new BadRequest(`${index} is not valid YAML: ${fault}.`);
  try {
    return asKeys(document.toJS({ maxAliasCount: 100 }));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new BadRequest(`${index} is not valid YAML: ${message}.`);
  }
}

/** A value as text where it is text or a number. */
export function asText(value: unknown): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
}

async function parse(text: string, index: string): Promise<Document> {
  const { parseDocument } = await import("yaml");
  try {
    return parseDocument(text);
  } catch {
    throw new BadRequest(`${index} is nested too deep to be read.`);
  }
}
