import { closeHistory } from "prosemirror-history";
import { DOMParser, Fragment, type Node, type ParseOptions, Slice } from "prosemirror-model";
import { type EditorState, Plugin, PluginKey } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { SCENE_BREAK } from "../../../../../text/scene-break.ts";
import { schema } from "./schema.ts";

/** A paste that waits for its own reader to be loaded. */
interface Pasted {
  /** Where it stands. */
  from: number;
  to: number;
  read: () => Promise<Slice>;
  /** True if undo is to bring it back as it was. */
  isText: boolean;
  /** When it was pasted: one undo takes both steps back, however long the second took. */
  time: number;
}

const key = new PluginKey<Pasted | undefined>("paste");

/** Signs that are Markdown's: marks around words, a link, a footnote; at a line's start those of headings, lists, quotations. */
const MARKDOWN =
  /^(?:#{1,6}|[-+*]|>|\d{1,3}[.)])[ \t]+\S|^(?:\*{3,}|-{3,})$|(?<![\p{L}\p{N}\\])(\*{1,3}|__?|~~|`)(?=[^\s*_~`])[^\n]*?\S\1(?![\p{L}\p{N}])|\[[^\]\n]+\]\([^\s)]+\)|\[\^[^\s\]]+\]/mu;
/** The marks of a footnote, a list of Word's, an address within the page. */
const FOREIGN = /<a\s[^>]*href=["']?[^"'\s>]*#|mso-list:\s*l\d/i;

const reading = () => import("./foreign.ts");
let isForeign = false;
let read: Pasted["read"] | undefined;

class ClipboardParser extends DOMParser {
  override parseSlice(dom: HTMLElement, options?: ParseOptions): Slice {
    const copy = dom.cloneNode(true) as HTMLElement;
    if (isForeign) read = async () => withoutRoom((await reading()).readForeign(copy, options));
    return super.parseSlice(dom, options);
  }
}

/**
 * Takes what a word processor gives as an import takes its documents: with its italics and bold, scene breaks made of what stands
 * for them, and without the empty paragraphs that are but room. Footnotes, Word's lists and Markdown need a reader of their own:
 * they land as they are and are read a moment later, so that what is typed at once stands behind them.
 */
export const paste: Plugin<Pasted | undefined> = new Plugin<Pasted | undefined>({
  key,
  state: {
    init: () => undefined,
    apply(tr, pasted) {
      const told = tr.getMeta(key) as Pasted | null | undefined;
      if (told !== undefined || pasted === undefined) return told ?? undefined;
      return { ...pasted, from: tr.mapping.map(pasted.from, 1), to: tr.mapping.map(pasted.to, -1) };
    },
  },
  props: {
    // The page's policy lets no style be read from where it stands, and no address within this page or the copied one leads
    // anywhere from the text. What the text itself has copied is as it was.
    transformPastedHTML(html) {
      const isOwn = html.includes("data-pm-slice");
      isForeign = !isOwn && FOREIGN.test(html);
      read = undefined;
      const here = new RegExp(`(<a\\s[^<>]*?)(?=href=["']?(?:#|${location.origin}))`, "gi");
      if (isOwn) return html;
      const unstyled = html
        .replace(/<style[\s\S]*?<\/style>/gi, "")
        .replace(/(<[^<>]*?\s)style=/gi, "$1data-style=");
      return unstyled.replace(here, "$1data-");
    },
    clipboardParser: new ClipboardParser(schema, DOMParser.fromSchema(schema).rules),
    transformPastedText(text, isPlain) {
      isForeign = false;
      const isMarkdown = !isPlain && MARKDOWN.test(text);
      read = isMarkdown ? async () => (await reading()).readMarkdown(text) : undefined;
      return text;
    },
    transformPasted: withoutRoom,
    handlePaste(view, _event, slice) {
      if (read === undefined) return false;
      const { from } = view.state.selection;
      const tr = view.state.tr.replaceSelection(slice).setMeta("paste", true).setMeta("uiEvent", "paste");
      const pasted = { from, to: tr.selection.head, read, isText: !isForeign, time: tr.time };
      read = undefined;
      view.dispatch(tr.setMeta(key, pasted).scrollIntoView());
      void readAgain(view, pasted);
      return true;
    },
  },
});

async function readAgain(view: EditorView, pasted: Pasted): Promise<void> {
  const wordsOf = ({ doc }: EditorState, { from, to }: Pasted) => doc.textBetween(from, to, "\n", "\n");
  const words = wordsOf(view.state, pasted);
  const slice = await pasted.read().catch(() => undefined); // then it stays as it is
  const now = key.getState(view.state);
  if (slice === undefined || view.isDestroyed || now?.read !== pasted.read) return;
  if (wordsOf(view.state, now) !== words) return;
  const { withNotesBelow } = await reading();
  const tr = view.state.tr.setMeta(key, null);
  view.dispatch(withNotesBelow(now.isText ? closeHistory(tr) : tr.setTime(now.time), slice, now));
}

/** Of several blocks: paragraphs that have no id, so that they are of another program, or new. */
function withoutRoom({ content, openStart, openEnd }: Slice): Slice {
  if (content.childCount < 2) return new Slice(content, openStart, openEnd);
  const blocks: Node[] = [];
  content.forEach((block) => {
    const text = isStrange(block) ? block.textBetween(0, block.content.size, " ", " ") : undefined;
    if (text !== undefined && SCENE_BREAK.test(text)) blocks.push(schema.nodes.scene_break.create());
    else if (text === undefined || text.trim() !== "") blocks.push(block);
  });
  const stays = (one: Node | null | undefined, open: number) => (one && blocks.includes(one) ? open : 0);
  return new Slice(
    Fragment.from(blocks),
    stays(content.firstChild, openStart),
    stays(content.lastChild, openEnd),
  );
}

function isStrange({ type, attrs }: Node): boolean {
  return type === schema.nodes.paragraph && attrs.blockId === null;
}
