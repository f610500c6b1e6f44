import type { Finding, Proposal, Reader } from "../../../src/ai/reader.ts";
import { numberOf, type Request, refOf } from "./fake-model.ts";

/** What the stand-in for the embedded engine says. */
export const EMBEDDED = "Mara is late, says the embedded engine.";

/** A stand-in for the embedded engine: one proposal at the chapter's first word, no findings. */
export const embedded: Reader = {
  engine: "embedded",
  synopsis: async () => EMBEDDED,
  detect: async ({ blocks }) => [own(blocks.find(({ text }) => text.length > 0))],
  check: async (): Promise<Finding[]> => [],
};

function own(block: { blockId: string; text: string } | undefined): Proposal {
  const text = /^\S+/.exec(block?.text ?? "")?.[0] ?? "";
  return {
    id: "own",
    type: "new_fact",
    factId: null,
    name: text,
    kind: "other",
    confidence: 0.6,
    reason: "It begins the chapter.",
    occurrences: [{ blockId: block?.blockId ?? "", from: 0, to: text.length, text }],
  };
}

/** A good answer to any of the four questions about the sample's first chapter. */
export function goodAnswer(request: Request): object {
  const paragraph = numberOf(request, "Mara came down");
  const quote = "Mara came down to the ferry before light";
  const fact = refOf(request, "Mara");
  const item = { type: "mention", fact, name: "Mara", kind: "", paragraph, quote };
  const bell = {
    ...item,
    type: "new_fact",
    fact: "",
    name: "bell",
    kind: "thing",
    quote: "the bell was already",
  };
  const finding = {
    message: "She is early and late.",
    paragraph,
    quote,
    otherParagraph: numberOf(request, "You are late"),
    otherQuote: '"You are late," said old Tobit.',
  };
  return (
    {
      detect: { items: [item, bell] },
      check: { findings: [finding] },
      judge: { verdicts: [{ reason: "One cannot be both.", verdict: "contradiction" }] },
    }[request.asked] ?? {
      sentences: [{ text: "Mara comes early, and late.", paragraph, quote }],
    }
  );
}

/** The same with quotes that stand nowhere, at paragraphs that may be there or not. */
export function inventedAnswer(request: Request): object {
  const good = JSON.stringify(goodAnswer(request));
  return JSON.parse(
    good
      .replaceAll("Mara came down to the ferry before light", "Mara rowed out to the lighthouse")
      .replaceAll("the bell was already", "the bell had never"),
  );
}
