import type { CompiledBook, PlacedPicture } from "./compiled.ts";
import { MarkupWriter } from "./parts/markup.ts";
import { escaped } from "./parts/xml.ts";

/** Writes a book as one HTML file that needs no other: pictures within, and a style for screens and for paper. */
export function writeHtml(book: CompiledBook): Uint8Array {
  const { title, metadata, chapters, isWhole } = book;
  const markup = new MarkupWriter({ source: dataUrl, level: 2 });
  const sections = chapters.map((chapter) => {
    const part =
      chapter.part === null ? "" : `<section class="part"><h2>${escaped(chapter.part)}</h2></section>\n`;
    return `${part}<section class="chapter" id="${chapter.id}">\n${markup.chapter(chapter)}\n</section>`;
  });
  const front = isWhole ? `${titlePage(book)}\n${contents(book)}` : "";
  const lang = metadata.language === "" ? "" : ` lang="${escaped(metadata.language)}"`;
  const said = (name: string, text: string) =>
    text === "" ? "" : `<meta name="${name}" content="${escaped(text)}"/>`;
  return new TextEncoder().encode(`<!doctype html>
<html${lang}>
<head><meta charset="utf-8"/><meta name="viewport" content="width=device-width"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"/>
<title>${escaped(title)}</title>${said("author", metadata.author)}${said("description", metadata.description)}
<style>${STYLE}@page{@top-left{content:${cssText(metadata.author)}}@top-right{content:${cssText(title)}}}</style></head>
<body>
${front}<main>
${sections.join("\n")}
</main>
</body>
</html>
`);
}

/** A picture within its document. */
export function dataUrl({ picture }: PlacedPicture): string | undefined {
  if (picture === undefined) return undefined;
  return `data:${picture.type};base64,${Buffer.from(picture.bytes).toString("base64")}`;
}

function titlePage({ title, metadata: { author, rights, cover } }: CompiledBook): string {
  const source = cover && dataUrl({ path: "", alt: "", picture: cover });
  const picture = source === undefined ? "" : `<img class="cover" src="${source}" alt=""/>`;
  const line = (text: string, kind: string) => (text === "" ? "" : `<p class="${kind}">${escaped(text)}</p>`);
  return `<header>${picture}<h1>${escaped(title)}</h1>${line(author, "author")}${line(rights, "rights")}</header>`;
}

function contents({ chapters }: CompiledBook): string {
  const entries = chapters.map(({ id, title, part }) => {
    const begins = part === null ? "" : `<li class="part">${escaped(part)}</li>`;
    return `${begins}<li><a href="#${id}">${escaped(title)}</a></li>`;
  });
  return `<nav><ol>${entries.join("")}</ol></nav>\n`;
}

/** Text within a style. */
function cssText(text: string): string {
  return `"${text.replace(/[^\p{L}\p{N} .,’'-]/gu, (sign) => `\\${sign.codePointAt(0)?.toString(16)} `)}"`;
}

/** What pages of prose look like, on screens and on paper. */
export const PROSE = `p{margin:0;text-indent:1.4em;hyphens:auto;orphans:2;widows:2}p.first,p.figure,li>p,td p{text-indent:0}h1,h2,h3,h4,h5,h6{font-weight:normal;text-align:center;break-after:avoid;hyphens:manual;margin:3em 0 1.5em}h4,h5,h6{font-style:italic;margin:2em 0 1em}hr.scene{border:0;text-align:center;margin:1.2em 0;break-after:avoid}hr.scene::before{content:"* * *"}blockquote{margin:1em 2em}img{max-width:100%;max-height:90vh}p.figure{text-align:center;margin:1em 0}table{border-collapse:collapse;margin:1em auto}th,td{padding:.2em .7em;text-align:left;vertical-align:top;border-bottom:1px solid}pre{white-space:pre-wrap;font-size:.85em}.noteref{font-size:.7em;vertical-align:super;line-height:0;text-decoration:none}.footnote{font-size:.85em;margin-top:.8em}.footnote .number{float:left;margin-right:.6em}.missing{font-style:italic}`;
const STYLE = `:root{color-scheme:light dark}body{max-width:34em;margin:2em auto 6em;padding:0 1em;font:1.1em/1.6 Georgia,"Times New Roman",serif}header{text-align:center;margin:20vh 0}header p{text-align:center;text-indent:0}nav ol{list-style:none;padding:0}nav .part{margin-top:1em}${PROSE}.part h2{margin:6em 0}.cover{max-height:80vh}@media print{body{max-width:none;margin:0;padding:0;font:10.5pt/1.4 Georgia,"Times New Roman",serif}main p{text-align:justify}header,nav,.part,.chapter{break-before:page}header{break-before:auto;margin:5cm 0}.chapter>h2:first-child{margin-top:4cm}a{color:inherit;text-decoration:none}nav a::after{content:none}}@page{size:140mm 215mm;margin:18mm 16mm 20mm;@bottom-center{content:counter(page)}}@page:first{@top-left{content:none}@top-right{content:none}@bottom-center{content:none}}`;
