import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Speaker, SpeechReader } from "../../src/reading/reports/dialogue.ts";

const CAST = ["Ada", "Ben", "Mrs. Cole"];

/** Who speaks in each paragraph that holds speech: names of the cast, other words as they are, "?" where it is not told. */
function speakersOf(...paragraphs: readonly string[]): string[] {
  const reader = new SpeechReader((fact) => (["female", "male", "female"] as const)[fact]);
  for (const [block, text] of paragraphs.entries()) {
    const named = CAST.flatMap((name, fact) =>
      [...text.matchAll(new RegExp(`\\b${name}\\b`, "g"))].map(({ index }) => ({
        from: index,
        to: index + name.length,
        fact,
      })),
    );
    reader.read(
      text,
      block,
      named.sort((a, b) => a.from - b.from),
    );
  }
  const nameOf = (speaker: Speaker | undefined) =>
    typeof speaker === "number" ? (CAST[speaker] ?? "") : (speaker ?? "?");
  return reader.end().map(({ speaker }) => nameOf(speaker));
}

describe("SpeechReader", () => {
  it("reads a speech verb beside a name, before or behind the speech", () => {
    assert.deepEqual(
      speakersOf(
        "“No,” said Ada.",
        "“No,” Mrs. Cole whispered. “Never.”",
        "It was late. At last Ben said in a low voice, “Go.”",
        "“Hm,” grumbled old Ben.",
      ),
      ["Ada", "Mrs. Cole", "Ben", "Ben"],
    );
  });

  it("reads what somebody does in the paragraph, but not whom the speech names", () => {
    assert.deepEqual(speakersOf("Ada put the cup down. “It is cold, Ben.”", "“Ben, where is Ada?”"), [
      "Ada",
      "?",
    ]);
  });

  it("takes a pronoun where it can mean one alone", () => {
    assert.deepEqual(speakersOf("Ben came in with Ada.", "“It rains,” he said."), ["Ben"]);
    assert.deepEqual(speakersOf("Ada came in with Mrs. Cole.", "“It rains,” she said."), ["?"]);
    assert.deepEqual(speakersOf("Ben met the captain.", "“It rains,” he said."), ["?"]);
  });

  it("keeps apart who has no name and who tells the story", () => {
    assert.deepEqual(speakersOf("“Stop,” said the driver.", "“Why?” I asked."), ["the driver", "I"]);
  });

  it("goes by turn where two speak, and not where a third does or one is called by name", () => {
    assert.deepEqual(speakersOf("“One,” said Ada.", "“Two,” said Ben.", "“Three.”", "“Four.”"), [
      ...["Ada", "Ben"],
      ...["Ada", "Ben"],
    ]);
    assert.deepEqual(
      speakersOf("“One,” said Ada.", "“Two,” said Ben.", "“Three,” said Mrs. Cole.", "“Four.”").at(-1),
      "?",
    );
    assert.deepEqual(speakersOf("“One,” said Ada.", "“Two,” said Ben.", "“Three, Ada.”").at(-1), "?");
  });
});
