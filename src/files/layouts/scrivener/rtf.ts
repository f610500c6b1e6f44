/** RTF of a project, without what Scrivener alone understands. */
export interface ScrivenerRtf {
  rtf: Buffer;
  /** RTF of each inline annotation, in order. They are not prose. */
  annotations: Buffer[];
}

// Scrivener writes inline notes and the marks of its styles as text into the RTF.
const STYLE = /<!?\$Scr_[A-Za-z]+::\d+>/g;
const BEGIN = /\\\{\\\\Scrv_(annot|fn)\b/;
const END = /^(.*?)\\\\text=(.*?)\\\\end_Scrv_(?:annot|fn)\\\}/s;

/** Makes Scrivener's inline footnotes footnotes of RTF, and takes its inline annotations out. Linear time. */
export function plainRtf(bytes: Buffer): ScrivenerRtf {
  const annotations: Buffer[] = [];
  const [first = "", ...pieces] = bytes.toString("latin1").replace(STYLE, "").split(BEGIN);
  let rtf = first;
  for (let at = 0; at < pieces.length; at += 2) {
    const [kind = "", piece = ""] = pieces.slice(at, at + 2);
    const [whole, , note = ""] = END.exec(piece) ?? [];
    if (whole === undefined) rtf += `\\{\\\\Scrv_${kind}${piece}`;
    else {
      if (kind === "fn") rtf += `{\\footnote \\pard ${note}}`;
      else annotations.push(Buffer.from(`{\\rtf1\\ansi\\ansicpg1252 ${note}}`, "latin1"));
      rtf += piece.slice(whole.length);
    }
  }
  return { rtf: Buffer.from(rtf, "latin1"), annotations };
}
