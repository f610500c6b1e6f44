import { baseKeymap, toggleMark } from "prosemirror-commands";
import { history, redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import type { Node } from "prosemirror-model";
import {
  type Command,
  EditorState,
  Plugin,
  Selection,
  TextSelection,
  type Transaction,
} from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import type { PicturePlace } from "../../../api/picture.ts";
import { ids } from "./ids.ts";
import { bodyEnd } from "./leaves.ts";
import { mentions } from "./mentions.ts";
import { nodeViews } from "./node-views.ts";
import { schema } from "./schema.ts";

/** The options of an editor. */
export interface TextOptions {
  doc: Node;
  /** As BCP 47 names it. */
  language: string;
  /** Where its pictures are. */
  place: PicturePlace;
  /** The transactions that were applied, in order. */
  onChange(transactions: readonly Transaction[], view: EditorView): void;
}

/** The cursor's least distance from the edges of the window, in pixels: bar and status line cover those. */
const MARGIN = { top: 96, bottom: 84, left: 0, right: 0 };
/** Returns a text without the characters that a document must not contain. */
const clean = (text: string) =>
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, "").toWellFormed();

/** Opens a text for writing. */
export function openText(place: HTMLElement, options: TextOptions): EditorView {
  const view: EditorView = new EditorView(place, {
    state: EditorState.create({ doc: withParagraph(options.doc), plugins: plugins() }),
    nodeViews: nodeViews(options.place),
    attributes: {
      role: "textbox",
      "aria-multiline": "true",
      "aria-label": "Text of the chapter",
      spellcheck: "true",
      lang: options.language,
      dir: "auto",
      class: "text",
    },
    scrollThreshold: MARGIN,
    scrollMargin: MARGIN,
    handleClick(view, _pos, { target, clientY }) {
      if (target !== view.dom || clientY < (view.dom.lastElementChild?.getBoundingClientRect().bottom ?? 0))
        return false;
      return toEdge(atBodyEnd)(view.state, view.dispatch);
    },
    transformPastedText: clean,
    transformPastedHTML: clean,
    dispatchTransaction(tr) {
      const { state, transactions } = view.state.applyTransaction(tr);
      view.updateState(state);
      options.onChange(transactions, view);
    },
  });
  return view;
}

/** Puts the cursor near a position. */
export function select(view: EditorView, pos: number): void {
  view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(pos))));
}

/** Types a text at the cursor, letter by letter, as the keys would have. */
export function typeIn(view: EditorView, text: string): void {
  for (const letter of text) {
    const { from, to } = view.state.selection;
    if (letter === "\n") {
      const enter = new KeyboardEvent("keydown", { key: "Enter" });
      view.someProp("handleKeyDown", (handle) => handle(view, enter));
    } else
      view.someProp("handleTextInput", (handle) =>
        handle(view, from, to, letter, () => view.state.tr.insertText(letter, from, to)),
      );
  }
}

function plugins(): Plugin[] {
  const { em, strong } = schema.marks;
  return [
    neverEmpty,
    ids,
    mentions,
    history({ newGroupDelay: 700 }),
    keymap({
      "Mod-z": undo,
      "Shift-Mod-z": redo,
      "Mod-y": redo,
      "Mod-b": toggleMark(strong),
      "Mod-i": toggleMark(em),
      "Shift-Enter": breakLine,
      "Mod-Enter": breakLine,
      "Ctrl-Home": toEdge(Selection.atStart),
      "Ctrl-End": toEdge(atBodyEnd),
      "Shift-Ctrl-Home": toEdge(Selection.atStart, true),
      "Shift-Ctrl-End": toEdge(atBodyEnd, true),
      "Cmd-ArrowUp": toEdge(Selection.atStart),
      "Cmd-ArrowDown": toEdge(atBodyEnd),
      "Shift-Cmd-ArrowUp": toEdge(Selection.atStart, true),
      "Shift-Cmd-ArrowDown": toEdge(atBodyEnd, true),
      Tab: stay,
      "Shift-Tab": stay,
    }),
    keymap(baseKeymap),
    inOrder,
  ];
}

/**
 * What is typed stands in its order. Chromium leaves the cursor before the first letter of an empty line that it has not shown
 * yet, as when a key follows Enter within a frame: all that is typed next would stand before that letter; and a blank it makes one
 * that does not break there. Of several lines that come at once, as dictation gives them, it leaves the cursor behind the first.
 */
const inOrder: Plugin = new Plugin({
  props: {
    // biome-ignore lint/complexity/useMaxParams: ProseMirror's
    handleTextInput(view, from, to, text, typed) {
      const tr = typed();
      const isLineStart = from === to && !view.state.doc.resolve(from).nodeBefore?.isText;
      const isBefore = tr.selection.empty && tr.selection.head === from;
      // To move the cursor while something is composed would end that, and double it.
      if (isLineStart && isBefore && !view.composing) {
        if (text === "\u00a0") tr.insertText(" ", from, from + 1);
        tr.setSelection(TextSelection.create(tr.doc, from + text.length));
      }
      view.dispatch(tr);
      return true;
    },
    handleDOMEvents: {
      beforeinput(view, event) {
        if (view.composing || !event.cancelable || !event.data?.includes("\n")) return false;
        event.preventDefault();
        view.pasteText(event.data);
        return true;
      },
    },
  },
});

const atBodyEnd = (doc: Node) => Selection.near(doc.resolve(bodyEnd(doc)), -1);

/** Goes to the start or the end of the text. Chromium finds no place in a paragraph that it has not drawn yet. */
function toEdge(edge: (doc: Node) => Selection, isSelecting = false): Command {
  return ({ doc, selection, tr }, dispatch) => {
    const found = edge(doc);
    const chosen = isSelecting ? TextSelection.between(selection.$anchor, found.$head) : found;
    dispatch?.(tr.setSelection(chosen).scrollIntoView());
    return true;
  };
}

/** A key that does nothing to the text leads nowhere else either: what is typed next belongs here. Escape leaves. */
const stay: Command = () => true;

/** A line end within the paragraph. */
const breakLine: Command = (state, dispatch) => {
  if (state.selection.$from.parent.type.spec.code) dispatch?.(state.tr.insertText("\n").scrollIntoView());
  else dispatch?.(state.tr.replaceSelectionWith(schema.nodes.hard_break.create()).scrollIntoView());
  return true;
};

/** Where all was deleted there is still a paragraph to write in. */
const neverEmpty: Plugin = new Plugin({
  appendTransaction: (_trs, _old, { doc, tr }) =>
    doc.childCount === 0 ? tr.insert(0, schema.nodes.paragraph.create()) : null,
});

/** The document with a paragraph to write in. */
function withParagraph(doc: Node): Node {
  return doc.childCount === 0 ? schema.nodes.doc.create(null, schema.nodes.paragraph.create()) : doc;
}
