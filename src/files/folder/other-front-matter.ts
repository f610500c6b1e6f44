const TOML = /^\+\+\+[ \t]*\r?\n(.*?)\r?\n\+\+\+[ \t]*(?:\r?\n|$)/s;
const JSON_OBJECT = /^\{[ \t]*\r?\n.*?\n\}[ \t]*(?=\r?\n|$)/s;
const TOML_TITLE = /^title[ \t]*=[ \t]*(?:("(?:[^"\\\n]|\\.)*")|'([^'\n]*)')/m;

/** Front matter other than YAML. It stays in the text; only its title is read. */
export interface OtherFrontMatter {
  called: "TOML" | "JSON";
  title: string | undefined;
}

/** Finds the TOML or JSON front matter that a text begins with, as in Hugo; undefined for none. */
export function otherFrontMatter(text: string): OtherFrontMatter | undefined {
  const rest = text.replace(/^\ufeff/, "");
  const toml = TOML.exec(rest)?.[1];
  if (toml !== undefined && /^[ \t]*[\w"'.-]+[ \t]*=/m.test(toml)) {
    const [, quoted, literal] = TOML_TITLE.exec(toml.replace(/^\[.*/ms, "")) ?? []; // not those of its tables
    return { called: "TOML", title: quoted === undefined ? literal : textOf(quoted) };
  }
  const object = parsed(JSON_OBJECT.exec(rest)?.[0] ?? "");
  if (typeof object !== "object" || object === null) return undefined;
  const { title } = object as { title?: unknown };
  return { called: "JSON", title: typeof title === "string" ? title : undefined };
}

function textOf(quoted: string): string | undefined {
  const text = parsed(quoted);
  return typeof text === "string" ? text : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
