import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { MOST_PIECES, Postings } from "../../src/search/index/postings.ts";
import { randomly } from "../prose/rewrite.ts";

function read(postings: Postings): [piece: number, times: number][] {
  const all: [number, number][] = [];
  postings.each((piece, times) => all.push([piece, times]));
  return all;
}

describe("Postings", () => {
  test("are what was entered and not taken out, ascending, whatever came and went", () => {
    const piece = fc.oneof(fc.nat(90), fc.constant(MOST_PIECES - 1));
    const times = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 250, max: 9000 }));
    const step = fc.record({ piece, times });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const postings = new Postings();
        const held = new Map<number, number>();
        for (const { piece: one, times: count } of steps) {
          if (held.delete(one)) postings.remove(one);
          else {
            postings.add(one, count);
            held.set(one, count);
          }
        }
        assert.equal(postings.count, held.size);
        assert.deepEqual(
          read(postings),
          [...held].sort(([a], [b]) => a - b),
        );
      }),
      randomly(60),
    );
  });

  test("refuse to take out what they do not hold", () => {
    const postings = new Postings();
    postings.add(7, 300);
    postings.remove(7);
    for (const piece of [6, 7, 8]) assert.throws(() => postings.remove(piece), /not indexed/);
    postings.add(7, 1);
    assert.deepEqual(read(postings), [[7, 1]]);
  });
});
