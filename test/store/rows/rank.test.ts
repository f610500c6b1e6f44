import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { placeRanks, ranksBetween } from "../../../src/store/rows/rank.ts";

const isAscending = (ranks: readonly string[]) =>
  ranks.every((rank, index) => index === 0 || ranks[index - 1]! < rank);

describe("ranksBetween", () => {
  it("gives ranks in order between any two neighbours", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 4 })), { maxLength: 60 }),
        (insertions) => {
          const list: string[] = [];
          for (const [at, count] of insertions) {
            const place = Math.min(at, list.length);
            list.splice(place, 0, ...ranksBetween(list[place - 1], list[place], count));
          }
          assert.ok(isAscending(list));
        },
      ),
    );
  });

  it("keeps ranks short where a list grows at its end or its beginning", () => {
    let last: string | undefined;
    let first: string | undefined;
    for (let count = 0; count < 5000; count++) {
      last = ranksBetween(last, undefined, 1)[0];
      first = ranksBetween(undefined, first, 1)[0];
    }
    assert.ok(last!.length <= 6 && first!.length <= 6, `${last} ${first}`); // both were given a rank
  });

  it("refuses equal neighbours", () => {
    assert.throws(() => ranksBetween("V", "V", 1), RangeError);
  });
});

describe("placeRanks", () => {
  it("moves one and keeps all others where they are", () => {
    const ranks = ranksBetween(undefined, undefined, 9);
    const moved = [...ranks.slice(1, 6), ranks[0], ...ranks.slice(6)];
    const placed = placeRanks(moved.map((rank) => ({ rank })));
    assert.ok(isAscending(placed));
    assert.equal(placed.filter((rank, index) => rank !== moved[index]).length, 1);
  });

  it("puts any mixture of old and new in order", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...Array(20).keys()]),
        fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
        (order, fresh) => {
          const ranks = ranksBetween(undefined, undefined, 20);
          const list = order.map((index) => ({ rank: fresh[index] ? undefined : ranks[index] }));
          const placed = placeRanks(list);
          assert.equal(placed.length, list.length);
          assert.ok(isAscending(placed));
        },
      ),
    );
  });
});
