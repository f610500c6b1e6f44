/** Characters of a sentence that are shown on either side. */
const BESIDE = 90;

/** The words of the last sentence of what stands before a place. */
export function sentenceBefore(text: string): string {
  const own =
    /(?:^|[.!?…]["'”’)\]]*\s)((?:(?![.!?…]["'”’)\]]*\s).)*)$/su.exec(text.slice(-4 * BESIDE))?.[1] ?? text;
  return own.length <= BESIDE ? own : `…${own.slice(own.indexOf(" ", own.length - BESIDE))}`;
}

/** The words of the sentence that goes on behind a place. */
export function sentenceAfter(text: string): string {
  const own = /^.*?[.!?…]["'”’)\]]*(?=\s|$)/su.exec(text.slice(0, 4 * BESIDE))?.[0] ?? text;
  return own.length <= BESIDE ? own : `${own.slice(0, own.lastIndexOf(" ", BESIDE))} …`;
}
