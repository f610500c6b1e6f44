import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { keyOfName } from "../../src/ai/embedded/detect/people.ts";
import { clusterNames } from "../../src/reading/names/cluster.ts";

/** Clusters as "main, other", sorted; a form's count stands after a colon. */
function clustersOf(forms: string, owners: ReadonlyMap<string, string> = new Map()): string[] {
  const parsed = forms.split(", ").map((form) => {
    const [text = "", count = "1"] = form.split(":");
    return { key: keyOfName(text), text, count: Number(count) };
  });
  const shown = (list: typeof parsed) =>
    clusterNames(list, owners)
      .map((cluster) => cluster.forms.map(({ text }) => text).join(", "))
      .sort();
  assert.deepEqual(shown([...parsed].reverse()), shown(parsed), "the order of the forms does not matter");
  return shown(parsed);
}

describe("clusterNames", () => {
  it("gathers a given name, a surname, a title, initials and a nickname of one person", () => {
    assert.deepEqual(clustersOf("Tobias Orr:9, Tobias:20, Mr. Orr:7, Toby:3, T. Orr, Orr:5"), [
      "Tobias Orr, T. Orr, Tobias, Mr. Orr, Orr, Toby",
    ]);
    assert.deepEqual(clustersOf("Sir William Moss:2, Sir William:9, William Hale:5"), [
      "Sir William Moss, Sir William",
      "William Hale",
    ]);
  });

  it("never puts a man with a woman, nor Mrs. with Miss", () => {
    assert.deepEqual(clustersOf("Mr. Moss:9, Mrs. Moss:9, Miss Moss:4"), [
      "Miss Moss",
      "Mr. Moss",
      "Mrs. Moss",
    ]);
    assert.deepEqual(clustersOf("Anna Moss:5, Mr. Moss:2"), ["Anna Moss", "Mr. Moss"]);
  });

  it("leaves apart what fits several", () => {
    assert.deepEqual(clustersOf("Anna Moss:5, Miss Ruth Moss:4, Mrs. Moss:8"), [
      "Anna Moss",
      "Miss Ruth Moss",
      "Mrs. Moss",
    ]);
    assert.deepEqual(clustersOf("Peter Hale:5, John Hale:4, Hale"), ["Hale", "John Hale", "Peter Hale"]);
    assert.deepEqual(clustersOf("Lady Catherine Avon:9, Lady Catherine:20, Kitty:5"), [
      "Kitty",
      "Lady Catherine Avon, Lady Catherine",
    ]);
  });

  it("never joins two owners, however alike their names", () => {
    const owners = new Map([
      ["elizabeth moss", "f1"],
      ["lizzy moss", "f2"],
    ]);
    assert.deepEqual(clustersOf("Elizabeth Moss:5, Lizzy Moss:5", owners), ["Elizabeth Moss", "Lizzy Moss"]);
  });
});
