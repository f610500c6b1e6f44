import { readFileSync } from "node:fs";

/** A page with its generated parts written anew: each stands between a pair of comments that name it. */
export function filled(path: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce(
    (text, [name, part]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->\n)[^]*(<!-- /${name} -->)`),
        (_, open, close) => `${open}${part}\n${close}`,
      ),
    readFileSync(path, "utf8"),
  );
}
