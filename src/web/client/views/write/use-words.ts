import { useEffect, useState } from "preact/hooks";
import type { Node } from "prosemirror-model";
import { withoutMarkup } from "../../../../prose/document/text.ts";
import { countWords } from "../../../../text/count-words.ts";
import { flatText, placedLeaves } from "./text/leaves.ts";
import type { Writer } from "./writer.ts";

/** The pause in typing after which words are counted again. */
const IDLE_MS = 250;
const counted = new WeakMap<Node, number>();

/** The words of the text, a moment after the last key. Only blocks that changed are counted again. */
export function useWords({ view, version }: Writer): number {
  const [words, setWords] = useState(() => countDocument(view.state.doc));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = version.subscribe(() => {
      clearTimeout(timer);
      timer = setTimeout(() => setWords(countDocument(view.state.doc)), IDLE_MS);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [view, version]);
  return words;
}

function countDocument(doc: Node): number {
  return placedLeaves(doc).reduce((sum, { node }) => {
    const words = counted.get(node) ?? countLeaf(node);
    counted.set(node, words);
    return sum + words;
  }, 0);
}

function countLeaf(node: Node): number {
  if (node.type.name === "raw_block") return 0;
  const leaf = { type: node.type.name, content: [{ type: "text", text: flatText(node) }] };
  return countWords(withoutMarkup(leaf)[0]?.text ?? "");
}
