import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { clusterNames } from "../../src/reading/cluster-names.ts";

/** No given names: a word of the language, and a place. */
const SMALL = new Set(["whisper", "europe"]);

/** Clusters of forms given as "Name count", each as its names with a bar between, in order of the names. */
function clustersOf(...forms: readonly string[]): string[] {
  const parsed = forms.map((form) => {
    const [, text = "", count = "1"] = /^(.*?)(?: (\d+))?$/.exec(form) ?? [];
    return { key: text.toLowerCase().replaceAll(".", ""), text, count: Number(count) };
  });
  const clusters = clusterNames(parsed, new Map(), (word) => SMALL.has(word));
  return clusters.map((cluster) => cluster.forms.map(({ text }) => text).join(" | ")).sort();
}

describe("clusterNames", () => {
  it("takes a servant's 'Mr.' and a given name for the one who bears both", () => {
    assert.deepEqual(clustersOf("Mr. Franklin 336", "Franklin Blake 8", "Mr. Blake 50"), [
      "Franklin Blake | Mr. Franklin | Mr. Blake",
    ]);
  });

  it("gives a Mrs. to nobody who is called Miss, and to the one other woman of the name", () => {
    assert.deepEqual(clustersOf("Margaret Hale 20", "Miss Hale 30", "Mrs. Hale 100"), [
      "Margaret Hale | Miss Hale",
      "Mrs. Hale",
    ]);
    assert.deepEqual(
      clustersOf("Sarah Pocock 4", "Mamie Pocock 9", "Miss Mamie 3", "Mrs. Pocock 79", "Miss Pocock 7"),
      ["Mamie Pocock | Miss Pocock | Miss Mamie", "Sarah Pocock | Mrs. Pocock"],
    );
  });

  it("keeps a wife apart who bears her husband's whole name", () => {
    assert.deepEqual(clustersOf("Newland Archer 20", "Mrs. Newland Archer 3", "Mrs. Archer 100"), [
      "Mrs. Newland Archer | Mrs. Archer",
      "Newland Archer",
    ]);
  });

  it("takes no word of the language, place or label for a given name", () => {
    assert.deepEqual(clustersOf("Max Thaler 9", "Whisper Thaler 3", "Thaler 20"), [
      "Max Thaler | Thaler | Whisper Thaler",
    ]);
    assert.deepEqual(clustersOf("Europe Waymarsh", "Waymarsh 200"), ["Waymarsh | Europe Waymarsh"]);
  });

  it("keeps words apart that met by chance", () => {
    assert.deepEqual(clustersOf("Beth Frank", "Beth 400", "Frank 17"), ["Beth", "Beth Frank", "Frank"]);
    assert.deepEqual(clustersOf("Meg Goes 2", "Meg 600"), ["Meg", "Meg Goes"]);
  });

  it("joins a rank and a plain Mr., the end of a long name, and the beginning of a given one", () => {
    assert.deepEqual(clustersOf("Superintendent Seegrave 40", "Mr. Seegrave 15"), [
      "Superintendent Seegrave | Mr. Seegrave",
    ]);
    assert.deepEqual(clustersOf("Sir James Peel Edgerton 9", "Peel Edgerton 12"), [
      "Peel Edgerton | Sir James Peel Edgerton",
    ]);
    assert.deepEqual(clustersOf("Jeff Wain 10", "Jefferson Wain 2"), ["Jeff Wain | Jefferson Wain"]);
  });

  it("keeps kings, saints and several people apart from whoever shares the name", () => {
    assert.deepEqual(clustersOf("Sir James Chettam 50", "King James 2"), ["King James", "Sir James Chettam"]);
    assert.deepEqual(clustersOf("Stephen 9", "St. Stephen 2"), ["St. Stephen", "Stephen"]);
    assert.deepEqual(clustersOf("Mr. Davis 15", "Misses Davis 3"), ["Misses Davis", "Mr. Davis"]);
  });
});
