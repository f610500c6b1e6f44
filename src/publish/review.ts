import { createHash } from "node:crypto";
import type { CompiledBook } from "./compiled.ts";
import { dataUrl, PROSE } from "./html.ts";
import { MarkupWriter } from "./parts/markup.ts";
import { escaped } from "./parts/xml.ts";
import { SCRIPT } from "./review/script.ts";

/**
 * Writes a book as one HTML file in which a reader comments on paragraphs and saves `….comments.json`, which an import
 * puts on the same paragraphs. Its policy lets nothing in or out: no network, no other script.
 */
export function writeReview(book: CompiledBook): Uint8Array {
  const { id, title, metadata, chapters } = book;
  const markup = new MarkupWriter({ source: dataUrl, level: 2 });
  const sections = chapters.map((chapter) => {
    const part = chapter.part === null ? "" : `<h2>${escaped(chapter.part)}</h2>`;
    return `${part}<section data-chapter="${chapter.id}" data-revision="${chapter.revision}">\n${markup.chapter(chapter)}\n</section>`;
  });
  const lang = metadata.language === "" ? "" : ` lang="${escaped(metadata.language)}"`;
  const policy = `default-src 'none'; script-src ${hash(SCRIPT)}; style-src ${hash(STYLE)}; img-src data:; base-uri 'none'; form-action 'none'`;
  const by = metadata.author === "" ? "" : `<p class="first by">${escaped(metadata.author)}</p>`;
  return new TextEncoder().encode(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"/><meta name="viewport" content="width=device-width"/><meta http-equiv="Content-Security-Policy" content="${policy}"/>
<title>${escaped(title)}: your comments</title><style>${STYLE}</style></head>
<body data-book="${id}" data-title="${escaped(title)}">
<main${lang}><h1>${escaped(title)}</h1>${by}
${sections.join("\n")}
</main>
${PANEL}
<script>${SCRIPT}</script>
</body>
</html>
`);
}

const PANEL = `<aside><p class="first">Press a paragraph, or mark words in it, and write what you think.</p>
<label>Your name <input id="reader" autocomplete="name"/></label>
<form id="form" hidden><q id="quote"></q><label>Your comment <textarea id="text" rows="5" required></textarea></label><button>Add</button><button type="button" id="cancel">Cancel</button></form>
<button id="save" disabled></button><p class="first" id="state" role="status">Comments are kept in this browser until you save them as a file.</p>
<ol id="list"></ol></aside>`;
const STYLE = `:root{color-scheme:light dark}body{margin:0 22em 8em 0;font:1.1em/1.6 Georgia,"Times New Roman",serif}main{max-width:34em;margin:2em auto;padding:0 1.5em}${PROSE}.by{text-align:center}main [id^=b_]{cursor:pointer}main [id^=b_]:hover{background:#8881}main [id^=b_]:focus-visible{outline:2px solid #06c}.commented{box-shadow:-.6em 0 0 -.3em #c80}body>aside{position:fixed;inset:0 0 0 auto;width:19em;overflow:auto;padding:1em;border-left:1px solid #8886;background:Canvas;font:.85rem/1.45 system-ui,sans-serif}label{display:block;margin:.8em 0}input,textarea{width:100%;box-sizing:border-box;font:inherit}button{font:inherit;padding:.4em .8em;margin:0 .4em .4em 0}q{display:block;opacity:.75;max-height:6em;overflow:auto}li{margin:1em 0}li p{text-indent:0;margin:.3em 0;white-space:pre-wrap;hyphens:none}@media(max-width:60em){body{margin:0 0 4em}body>aside{position:static;width:auto;border:0;border-top:1px solid #8886}}`;

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
