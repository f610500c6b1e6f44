import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { page } from "../../src/contract/docs-page.ts";
import { endpoints } from "../../src/contract/index.ts";
import { BASE_URL } from "../golden.ts";

const html = page(BASE_URL);
const VOID = new Set(["meta", "br", "hr", "img", "input", "link"]);

describe("page", () => {
  it("shows every route that the guide describes, under the name of its operation", () => {
    for (const { id, method, path, summary } of endpoints.filter(({ beyond }) => !beyond))
      assert.ok(html.includes(`<h3 id="${id}">${method} ${path}</h3>\n<p>${summary}.`), id);
  });

  it("loads nothing and runs nothing", () => {
    assert.doesNotMatch(
      html,
      /<(script|link|img|iframe|object|form)\b|@import|url\(|\ssrc=|\son\w+=|javascript:/i,
    );
    const addresses = [...html.matchAll(/href="([^"]*)"/g)].map(([, address = ""]) => address);
    assert.ok(addresses.every((address) => address.startsWith("#") || address.startsWith(`${BASE_URL}/`)));
  });

  it("closes every tag that it opens", () => {
    const open: string[] = [];
    for (const [, slash, name = ""] of html
      .replace(/<style>[\s\S]*?<\/style>/, "")
      .matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
      if (VOID.has(name)) continue;
      if (slash === "") open.push(name);
      else assert.equal(open.pop(), name, `</${name}>`);
    }
    assert.deepEqual(open, []);
  });

  it("has each id once, and no link within it that leads nowhere", () => {
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
    const links = [...html.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
    assert.ok(links.length > endpoints.filter(({ beyond }) => !beyond).length);
    assert.deepEqual(
      links.filter((id) => !ids.includes(id)),
      [],
    );
  });

  it("has one first heading and skips no level", () => {
    const levels = [...html.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level));
    assert.equal(levels.filter((level) => level === 1).length, 1);
    for (const [index, level] of levels.entries()) {
      assert.ok(level <= (levels[index - 1] ?? 0) + 1, `heading ${index} is h${level}`);
    }
  });

  it("names its language", () => {
    assert.match(html, /<html lang="en">/);
    assert.match(html, /<main id="content">/);
  });

  it("escapes what it is given", () => {
    const hostile = page('http://x/"><script>alert(1)</script>/api/v1');
    assert.doesNotMatch(hostile, /<script/);
    assert.doesNotMatch(hostile, /href="[^"]*"><script/);
  });

  for (const scheme of ["light", "dark"] as const) {
    it(`has enough contrast in its ${scheme} colours (WCAG AA)`, () => {
      const rules = [...html.matchAll(/:root\s*\{([^}]*--paper[^}]*)\}/g)].map(([, rule = ""]) => rule);
      assert.equal(rules.length, 2);
      const rule = rules[scheme === "light" ? 0 : 1] ?? "";
      const colour = (name: string) =>
        new RegExp(`--${name}:\\s*#([0-9a-f]{6})`).exec(rule)?.[1] ?? assert.fail(name);
      for (const ground of ["paper", "code"]) {
        for (const ink of ["ink", "soft", "link"]) {
          const ratio = contrast(colour(ink), colour(ground));
          assert.ok(ratio >= 4.5, `${ink} on ${ground}: ${ratio.toFixed(2)}`);
        }
      }
    });
  }
});

/** Contrast of two colours, 1 to 21. Source: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance. */
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
