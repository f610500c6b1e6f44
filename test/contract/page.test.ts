import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { page } from "../../src/contract/docs-page.ts";
import { curl } from "../../src/contract/documents/example.ts";
import { records } from "../../src/contract/documents/llms-schemas.ts";
import { endpoints } from "../../src/contract/index.ts";
import { BESIDE_API, PROBLEMS } from "../../src/contract/problems.ts";
import { BASE_URL } from "../golden.ts";

const html = page(BASE_URL);
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };
const VOID = new Set(["meta", "br", "hr", "img", "input", "link"]);

/** The page as its reader sees it: without tags, entities resolved. */
const seen = html
  .replace(/<style>[\s\S]*?<\/style>/, "")
  .replace(/<[^>]+>/g, "")
  .replace(/&(\w+);/g, (_, name: string) => ENTITIES[name] ?? assert.fail(name));

describe("page", () => {
  it("shows every endpoint with its path, summary and curl line", () => {
    for (const row of endpoints) {
      assert.ok(seen.includes(`${row.method} ${row.path}\n${row.summary}`), row.id);
      assert.ok(seen.includes(curl(row, BASE_URL)), row.id);
      assert.ok(html.includes(`<section id="${row.id}">`), row.id);
    }
  });

  it("shows every record and every error of the API", () => {
    for (const name of Object.keys(records())) assert.ok(html.includes(`<section id="${name}">`), name);
    for (const [code, { status }] of Object.entries(PROBLEMS)) {
      const row = `<tr>\n<td>${status}</td>\n<td><code>${code}</code></td>`;
      assert.equal(html.includes(row), !(BESIDE_API as readonly string[]).includes(code), code);
    }
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
    assert.ok(links.length > endpoints.length + 20);
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

  it("names its language, and its tables to those who do not see them", () => {
    assert.match(html, /<html lang="en">/);
    assert.match(html, /<main id="content">/);
    const labels = [...html.matchAll(/role="region" aria-label="([^"]+)"/g)].map(([, label]) => label);
    assert.equal(labels.length, html.match(/<table>/g)?.length);
    assert.equal(new Set(labels).size, labels.length);
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
