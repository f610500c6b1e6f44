import MarkdownIt from "markdown-it";
import { SUMMARY } from "./documents/llms-route.ts";
import { records } from "./documents/llms-schemas.ts";
import { fullGuide } from "./guide.ts";
import { endpoints } from "./index.ts";

// Every pair of colours has a contrast of at least 4.5 to 1 (WCAG AA); a test computes it.
const STYLE = `
:root { color-scheme: light dark; --paper: #fdfcf9; --ink: #211e1a; --soft: #5d564c; --link: #84370d; --code: #f3eee4; --line: #d8cfbf; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #1a1917; --ink: #ece7de; --soft: #b5ada0; --link: #f0b483; --code: #262421; --line: #45413a; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 Charter, "Iowan Old Style", "Palatino Linotype", Georgia, serif; overflow-wrap: anywhere; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: .15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 3px; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--paper); }
.skip:focus { left: 0; top: 0; }
header, nav, main { padding: 0 1.25rem; }
header { max-width: 50rem; margin: 0 auto; padding-top: 3rem; }
main { max-width: 50rem; margin: 0 auto; padding-bottom: 5rem; }
nav { max-width: 50rem; margin: 1.5rem auto; font: .875rem/1.5 system-ui, sans-serif; }
nav ol { list-style: none; margin: 0; padding: 0; columns: 2; }
nav ol ol { display: none; }
nav a { display: inline-block; padding: .2rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 2.25rem; margin: 0 0 .75rem; }
h2 { font-size: 1.6rem; margin: 4rem 0 1rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.15rem; margin: 3rem 0 .75rem; }
h3 .method { font: 700 .8rem/1 system-ui, sans-serif; letter-spacing: .04em; padding: .25rem .4rem; margin-right: .35rem; border: 1px solid currentcolor; border-radius: .25rem; color: var(--link); vertical-align: .1em; }
:target > h3, h2:target { text-decoration: underline; text-decoration-color: var(--link); text-underline-offset: .3em; }
p, ul, dl, pre, .scroll { margin: 0 0 1rem; }
ul { padding-left: 1.2rem; }
li { margin-bottom: .5rem; }
code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; font-size: .85em; }
code { background: var(--code); border-radius: .2rem; padding: .1em .25em; }
h3 code { background: none; padding: 0; font-size: .95em; }
pre { background: var(--code); border-radius: .4rem; padding: .9rem 1rem; line-height: 1.5; white-space: pre-wrap; tab-size: 2; }
pre code { background: none; padding: 0; font-size: 1em; }
dl > div { padding: .5rem 0; border-top: 1px solid var(--line); }
dt { font-weight: 600; }
dd { margin: 0; color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .95em; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-top: 1px solid var(--line); overflow-wrap: normal; }
th { border-top: 0; color: var(--soft); font-weight: 600; }
.base { color: var(--soft); }
@media (min-width: 72rem) {
  body { display: grid; grid-template: auto 1fr / 21rem minmax(0, 50rem); column-gap: 2rem; }
  header, main { margin: 0; grid-column: 2; }
  nav { margin: 0; grid-column: 1; grid-row: 1 / 3; position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 3rem 1.25rem; border-right: 1px solid var(--line); }
  nav ol { columns: 1; }
  nav ol ol { display: block; padding-left: .9rem; font-size: .8125rem; }
}
@media print { nav, .skip { display: none; } h3 { break-after: avoid; } pre { border: 1px solid var(--line); } }
`;

interface Heading {
  level: string;
  id: string;
  title: string;
}

/** The whole guide as a page for people: one HTML document without script, its style inside. */
export function page(baseUrl: string): string {
  const { body, headings } = render(fullGuide(baseUrl).replace(/^# .*\n\n> .*\n/, ""));
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
<header>
<h1>Manuscript API</h1>
<p>${escapeHtml(SUMMARY)}</p>
<p class="base">Base address: <code>${escapeHtml(baseUrl)}</code></p>
</header>
<nav aria-label="Contents">
${contents(headings)}
</nav>
<main id="content">
${body}</main>
</body>
</html>
`;
}

const { escapeHtml } = new MarkdownIt().utils;

/** Markdown as HTML: each heading of the third level a section with its text, and the headings. */
function render(markdown: string): { body: string; headings: readonly Heading[] } {
  const parser = new MarkdownIt();
  const ids = new Map(endpoints.map(({ id, method, path }) => [`${method} ${path}`, id]));
  const named = new RegExp(`\\b(?:${Object.keys(records()).join("|")})\\b`, "g");
  const headings: Heading[] = [];
  let isOpen = false;
  const closed = () => (isOpen ? "</section>\n" : "");
  parser.renderer.rules.heading_open = (tokens, at) => {
    const { content: title = "" } = tokens[at + 1] ?? {};
    const level = tokens[at]?.tag ?? "";
    const id = ids.get(title) ?? (/^\w+$/.test(title) ? title : title.toLowerCase().replace(/\W+/g, "-"));
    headings.push({ level, id, title });
    const before = closed();
    isOpen = level === "h3";
    return isOpen ? `${before}<section id="${id}">\n<h3>` : `${before}<h2 id="${id}">`;
  };
  parser.renderer.rules.text = (tokens, at) => {
    const { content = "" } = tokens[at] ?? {};
    const [, method, path] = ids.has(content) ? (/^(\S+) (.*)$/.exec(content) ?? []) : [];
    return path === undefined
      ? escapeHtml(content)
      : `<span class="method">${method}</span> <code>${escapeHtml(path)}</code>`;
  };
  parser.renderer.rules.fence = (tokens, at) => {
    const code = escapeHtml(tokens[at]?.content ?? "");
    const shown = /^(?:curl|KEY=) /.test(code) ? code : code.replace(named, '<a href="#$&">$&</a>');
    return `<pre><code>${shown.trimEnd()}</code></pre>\n`;
  };
  parser.renderer.rules.table_open = (tokens, at) => {
    const end = tokens.findIndex(({ type }, index) => index > at && type === "thead_close");
    const names = tokens.slice(at, end).flatMap(({ type, content }) => (type === "inline" ? [content] : []));
    const label = escapeHtml(names.join(", ").replaceAll("`", ""));
    return `<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>\n`;
  };
  parser.renderer.rules.table_close = () => "</table></div>\n";
  parser.renderer.rules.th_open = () => '<th scope="col">';
  const body = parser.render(markdown) + closed();
  return { body, headings };
}

/** A list of the headings, those of the third level within. */
function contents(headings: readonly Heading[]): string {
  const link = ({ id, title }: Heading) => `<a href="#${id}">${escapeHtml(title)}</a>`;
  const chapters = headings.flatMap((heading, at) => {
    if (heading.level !== "h2") return [];
    const next = headings.findIndex(({ level }, index) => index > at && level === "h2");
    const inner = headings.slice(at + 1, next < 0 ? undefined : next).map((one) => `<li>${link(one)}</li>`);
    return [`<li>${link(heading)}${inner.length === 0 ? "" : `\n<ol>\n${inner.join("\n")}\n</ol>`}</li>`];
  });
  return `<ol>\n${chapters.join("\n")}\n</ol>`;
}
