import { baseKeymap, toggleMark } from "prosemirror-commands";
import { history, redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import type { Node } from "prosemirror-model";
import { EditorState, type Plugin, type Transaction } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { behindTyped } from "./behind-typed.ts";
import { breakLine } from "./break-line.ts";
import { ids } from "./ids.ts";
import { mentions } from "./mentions.ts";
import { neverEmpty, withParagraph } from "./never-empty.ts";
import { nodeViews } from "./node-views.ts";
import { schema } from "./schema.ts";

/** What a text is opened with. */
export interface TextOptions {
  doc: Node;
  /** What it is called for a screen reader. */
  label: string;
  /** The transactions that were applied, in order. */
  onChange(transactions: readonly Transaction[], view: EditorView): void;
}

/** So far from the edges of the window the cursor stays, in pixels: bar and status line lie over those. */
const MARGIN = { top: 96, bottom: 84, left: 0, right: 0 };
/** What the document does not take. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Opens a text for writing. */
export function openText(place: HTMLElement, options: TextOptions): EditorView {
  const view: EditorView = new EditorView(place, {
    state: EditorState.create({ doc: withParagraph(options.doc), plugins: plugins() }),
    nodeViews,
    attributes: {
      role: "textbox",
      "aria-multiline": "true",
      "aria-label": options.label,
      spellcheck: "true",
      autocapitalize: "sentences",
      lang: navigator.language,
      dir: "auto",
      class: "text",
    },
    scrollThreshold: MARGIN,
    scrollMargin: MARGIN,
    transformPastedText: (text) => text.replace(CONTROL, "").toWellFormed(),
    transformPastedHTML: (html) => html.replace(CONTROL, "").toWellFormed(),
    dispatchTransaction(tr) {
      const { state, transactions } = view.state.applyTransaction(tr);
      view.updateState(state);
      options.onChange(transactions, view);
    },
  });
  return view;
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
    }),
    keymap(baseKeymap),
    behindTyped,
  ];
}
