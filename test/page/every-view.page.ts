import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { suite } from "../support/sandbox.ts";
import { faultsInLooks } from "./support/axe.ts";
import { type PageLab, pageLab, SKIP } from "./support/page-lab.ts";
import { addressesOf } from "./support/views.ts";

describe("every view of the page", { skip: SKIP }, () => {
  const scope = suite();
  let lab: PageLab;
  let addresses: Readonly<Record<string, string>>;
  before(async () => {
    lab = await pageLab(scope);
    addresses = await addressesOf(lab);
  });
  after(scope.end);

  it("can be used by everybody, light and dark, wide and narrow, and is as wide as the window", async () => {
    const faults: string[] = [];
    for (const [name, address] of Object.entries(addresses)) {
      const { page, context, complaints } = await lab.open(address);
      faults.push(...[...(await faultsInLooks(page)), ...complaints].map((fault) => `${name}: ${fault}`));
      await context.close();
    }
    assert.deepEqual(faults, []);
  });

  it("asks the network for little: scripts and styles by their compressed size", async () => {
    const loaded = async (address: string) => {
      const sizes = new Map<string, number>();
      const tab = await lab.open(address, {
        onResponse: async (url, body) => {
          if (/\.(?:js|css)$/.test(url)) sizes.set(url, gzipSync(body, { level: 9 }).length);
        },
      });
      await tab.page.waitForLoadState("networkidle");
      await tab.context.close();
      return sizes;
    };
    const sum = (sizes: ReadonlyMap<string, number>, kind: string) =>
      [...sizes].reduce((total, [url, size]) => total + (url.endsWith(kind) ? size : 0), 0);
    const desk = await loaded(addresses.desk ?? "");
    const beyond = (all: ReadonlyMap<string, number>) => new Map([...all].filter(([url]) => !desk.has(url)));
    const map = beyond(await loaded(addresses.map ?? ""));
    const editor = beyond(await loaded(addresses.editor ?? ""));
    const told = {
      first: sum(desk, ".js"),
      style: sum(desk, ".css"),
      map: sum(map, ".js"),
      editor: sum(editor, ".js"),
    };
    console.log(told);
    assert.ok(told.first > 8000 && told.first <= 24_000, `first load ${told.first}`);
    assert.ok(told.style <= 10_000, `style ${told.style}`);
    for (const [url, size] of map) assert.ok(size <= 10_000, `${url} ${size}`);
    // 82,000 of it before the first key can be pressed; notes, find and lists right after.
    assert.ok(told.editor <= 96_000, `editor ${told.editor}`);
  });
});
