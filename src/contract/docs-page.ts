import MarkdownIt from "markdown-it";
import { SUMMARY } from "./documents/llms-route.ts";
import { guide } from "./guide.ts";
import { endpoints } from "./index.ts";

// Every pair of colours has a contrast of at least 4.5 to 1 (WCAG AA); a test computes it.
const STYLE = `
:root { color-scheme: light dark; --paper: #fdfcf9; --ink: #211e1a; --soft: #5d564c; --link: #84370d; --code: #f3eee4; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #1a1917; --ink: #ece7de; --soft: #b5ada0; --link: #f0b483; --code: #262421; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 Georgia, serif; overflow-wrap: anywhere; }
nav, main { max-width: 50rem; margin: 0 auto; padding: 1.5rem 1.25rem 0; }
main { padding-bottom: 5rem; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--paper); }
.skip:focus { left: 0; top: 0; }
nav ol { list-style: none; margin: 0; padding: 0; columns: 20rem; }
nav .h3 { padding-left: 1rem; }
h1, h2, h3 { line-height: 1.25; }
h2 { margin: 4rem 0 1rem; }
h3 { margin: 3rem 0 .75rem; }
code, pre { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .85em; background: var(--code); }
pre { padding: .9rem 1rem; white-space: pre-wrap; }
blockquote { margin: 0; color: var(--soft); }
`;

/** The guide as a page for people: one HTML document without script, its style inside. */
export function page(baseUrl: string): string {
  const parser = new MarkdownIt({ breaks: true });
  const ids = new Map(endpoints.map(({ id, method, path }) => [`${method} ${path}`, id]));
  const contents: string[] = [];
  parser.renderer.rules.heading_open = (tokens, at) => {
    const { content = "" } = tokens[at + 1] ?? {};
    const tag = tokens[at]?.tag ?? "";
    const id = ids.get(content) ?? content.toLowerCase().replace(/\W+/g, "-");
    const link = `<a href="#${id}">${escapeHtml(content)}</a>`;
    if (tag !== "h1") contents.push(`<li class="${tag}">${link}</li>`);
    return `<${tag} id="${id}">`;
  };
  const body = parser.render(guide(baseUrl));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Manuscript API</title>
<meta name="description" content="${escapeHtml(SUMMARY)}">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<nav aria-label="Contents">
<ol>
${contents.join("\n")}
</ol>
</nav>
<main id="content">
${body}</main>
</body>
</html>
`;
}

const { escapeHtml } = new MarkdownIt().utils;
