import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { networkOf } from "../../src/cli/input/manuscript-file.ts";
import { EXIT } from "../../src/contract/problems.ts";
import { draftSynopsis } from "../../src/service/ai/metered-call.ts";
import { openManuscript } from "../../src/service/manuscript.ts";
import { readSetting, saveSetting } from "../../src/store/rows/account.ts";
import { embedded } from "../ai/llm/answers.ts";
import { fakeModel, status } from "../ai/llm/fake-model.ts";
import { fits } from "./fits.ts";
import { shell, withBook } from "./shell.ts";

describe("documented objects", () => {
  it("are what init, import, export and synopsis answer with", async (t) => {
    const sh = shell(t);
    fits(await sh("init", "a.manuscript", "--json"), "init");
    const imported = fits(await sh.with({ stdin: "# One\n\nText.\n" })("import", "-", "--json"), "import");
    assert.equal(imported.title, "One");
    assert.equal(fits(await sh("export", "--json"), "export").folder, `${sh.cwd}/one`);
    fits(await sh("synopsis", "1", "--json"), "synopsis");
  });
});

describe("key", () => {
  it("create prints the key alone on stdout, and the talk on stderr", async (t) => {
    const sh = await withBook(t);
    const { stdout, stderr } = await sh("key", "create", "--name", "scripts");
    assert.match(stdout, /^msk_[A-Za-z0-9]+_[A-Za-z0-9]{49}\n$/);
    assert.match(stderr, /\(scripts\) may read, ai, write/);
    const created = fits(
      await sh("key", "create", "--allow", "write,read", "--expires", "30d", "--json"),
      "key create",
    );
    assert.deepEqual(created.allow, ["read", "write"]);
    const days = (Date.parse(created.expiresAt ?? "") - Date.now()) / 86_400_000;
    assert.ok(Math.abs(days - 30) < 0.1);
    const { keys } = fits(await sh("key", "list", "--json"), "key list");
    assert.equal(keys.length, 2);
    assert.ok(!JSON.stringify(keys).includes(created.key));
  });

  it("revoke takes an id or a name, and a key is revoked once", async (t) => {
    const sh = await withBook(t);
    await sh("key", "create", "--name", "scripts");
    assert.ok(fits(await sh("key", "revoke", "scripts", "--json"), "key revoke").revokedAt);
    assert.equal((await sh("key", "revoke", "scripts")).exit, EXIT.notFound);
    assert.match((await sh("key", "list")).stdout, /scripts.*revoked/);
  });

  it("what cannot be a key is refused", async (t) => {
    const sh = await withBook(t);
    for (const argv of [
      ["--allow", "read,admin"],
      ["--allow", ""],
      ["--expires", "soon"],
      ["--expires", "2001-01-01"],
      ["--expires", "2099-02-30"],
      ["--expires", "2099-04-31T10:00"],
      ["--name", "a\u0000b"],
    ]) {
      assert.equal((await sh("key", "create", ...argv)).exit, EXIT.usage, argv.join(" "));
    }
  });
});

describe("account", () => {
  it("shows and sets what is given, and nothing else", async (t) => {
    const sh = await withBook(t);
    const before = fits(await sh("account", "show", "--json"), "account show");
    assert.deepEqual(before.subscription, { active: true, until: null });
    const argv = ["--until", "2099-12-31", "--allowance", "50", "--credits", "7", "--json"];
    const after = fits(await sh("account", "set", ...argv), "account set");
    assert.deepEqual(after.subscription, { active: true, until: "2099-12-31" });
    assert.deepEqual(after.allowance, { perMonth: 50, used: 0 });
    assert.equal(after.credits, 7);
    const unlimited = fits(
      await sh("account", "set", "--allowance", "unlimited", "--until", "none", "--json"),
      "account set",
    );
    assert.deepEqual(
      [unlimited.allowance.perMonth, unlimited.subscription.until, unlimited.credits],
      [null, null, 7],
    );
    assert.match((await sh("account", "show")).stdout, /Subscription {2}active\nAllowance {5}unlimited/);
  });

  it("what cannot be set is refused", async (t) => {
    const sh = await withBook(t);
    for (const argv of [
      [],
      ["--until", "2027-02-31"],
      ["--credits", "-1"],
      ["--credits", "many"],
      ["--subscription", "maybe"],
    ]) {
      assert.equal((await sh("account", "set", ...argv)).exit, EXIT.usage, argv.join(" "));
    }
  });
});

describe("account set --llm-…", () => {
  it("sets a language model on this machine, changes it and switches it off", async (t) => {
    const sh = await withBook(t);
    assert.equal(fits(await sh("account", "show", "--json"), "account show").llm, null);
    assert.match((await sh("account", "show")).stdout, /^Model {9}none: the embedded engine alone$/m);
    const argv = ["--llm-url", "http://localhost:11434", "--llm-model", "llama3.1:8b", "--json"];
    const { llm } = fits(await sh("account", "set", ...argv), "account set");
    const set = {
      url: "http://localhost:11434/v1",
      model: "llama3.1:8b",
      remote: false,
      timeoutSeconds: 120,
    };
    assert.deepEqual(llm, set);
    const changed = await sh("account", "set", "--llm-model", "other", "--llm-timeout", "30");
    assert.match(changed.stdout, /^Model {9}other at http:\/\/localhost:11434\/v1, up to 30 s a call$/m);
    const off = fits(await sh("account", "set", "--llm-url", "none", "--json"), "account set");
    assert.equal(off.llm, null);
  });

  it("asks for consent to each address that is not this machine's, and shows it", async (t) => {
    const sh = await withBook(t);
    const remote = ["--llm-url", "http://127.0.0.1.evil.com/v1", "--llm-model", "m"];
    const refused = await sh("account", "set", ...remote);
    assert.equal(refused.exit, EXIT.usage);
    assert.match(refused.stderr, /evil\.com.*your prose would be sent there.*--llm-allow-remote/);
    const { llm } = fits(
      await sh("account", "set", ...remote, "--llm-allow-remote", "--json"),
      "account set",
    );
    assert.equal(llm?.remote, true);
    assert.match(
      (await sh("account", "show")).stdout,
      /^Model .*evil\.com.*REMOTE: prose .* is sent there, not encrypted$/m,
    );
    assert.equal((await sh("account", "set", "--llm-timeout", "30")).exit, EXIT.done);
    const other = await sh("account", "set", "--llm-url", "https://other.example/v1");
    assert.equal(other.exit, EXIT.usage, "consent is to one address");
  });

  it("takes no consent from a manuscript that somebody else has made", async (t) => {
    const sh = await withBook(t);
    const remote = ["--llm-url", "https://model.example/v1", "--llm-model", "m", "--llm-allow-remote"];
    assert.equal((await sh("account", "set", ...remote)).exit, EXIT.done);
    const { store, close } = openManuscript(`${sh.cwd}/book.manuscript`);
    const foreign = { ...JSON.parse(readSetting(store, "llm") ?? ""), consent: "f".repeat(64) };
    saveSetting(store, "llm", JSON.stringify(foreign));
    close();
    assert.equal(fits(await sh("account", "show", "--json"), "account show").llm, null);
  });

  it("says what answers there and what it can", async (t) => {
    const sh = await withBook(t);
    const ollama = await fakeModel(t, () => '{"ok": true}', {
      "/api/version": { version: "0.12.3" },
      "/v1/models": { data: [{ id: "llama3.1:8b" }, { id: "qwen3:latest" }] },
      "/api/ps": { models: [{ name: "qwen3:latest", context_length: 4096 }] },
    });
    const set = await sh("account", "set", "--llm-url", ollama.url, "--llm-model", "qwen3");
    assert.match(
      set.stdout,
      /^Server {8}Ollama 0\.12\.3; 2 models: llama3\.1:8b, qwen3:latest; answers in the form asked for; reads 4,096 tokens at once$/m,
    );
    assert.equal(set.stderr, "");
    const other = await sh("account", "set", "--llm-model", "llama9");
    assert.match(other.stderr, /^The server lists no model named llama9\. It is set all the same/);

    const llama = await fakeModel(t, () => '{"ok": true}', {
      "/props": { default_generation_settings: { n_ctx: 2048 } },
      "/v1/models": { data: [{ id: "model.gguf" }] },
    });
    const { server } = fits(
      await sh("account", "set", "--llm-url", llama.url, "--llm-model", "any", "--json"),
      "account set",
    );
    assert.deepEqual(
      [server?.kind, server?.hasModel, server?.contextTokens, server?.schema, server?.failure],
      ["llama.cpp", null, 2048, true, null],
    );
    const studio = await fakeModel(t, () => "yes", {
      "/api/v0/models": { data: [{ id: "m", loaded_context_length: 8192, max_context_length: 131072 }] },
    });
    const loaded = fits(
      await sh("account", "set", "--llm-url", studio.url, "--llm-model", "m", "--json"),
      "account set",
    );
    assert.deepEqual([loaded.server?.kind, loaded.server?.contextTokens], ["LM Studio", 8192]);
    for (const { body } of [...ollama.probes, ...llama.probes])
      assert.doesNotMatch(JSON.stringify(body), /Mara|Ferry/, "no prose is sent");
  });

  it("says that nothing answers, or that the key is refused, and sets it all the same", async (t) => {
    const sh = await withBook(t);
    const closed = await sh("account", "set", "--llm-url", "http://127.0.0.1:9/v1", "--llm-model", "m");
    assert.equal(closed.exit, EXIT.done);
    assert.match(
      closed.stderr,
      /^Nothing answers at http:\/\/127\.0\.0\.1:9\/v1 .*unreachable.*set all the same/,
    );
    assert.match(closed.stdout, /^Model {9}m at .*\nServer {8}none that answers$/m);
    const fake = await fakeModel(t, () => "no", {}, status(401));
    const keyed = sh.with({ env: { MANUSCRIPT_LLM_KEY: "sk-very-secret" } });
    const refused = await keyed("account", "set", "--llm-url", fake.url, "--llm-model", "m", "--json");
    assert.match(refused.stderr, /its server refuses the key/);
    assert.doesNotMatch(refused.stdout + refused.stderr, /secret/);
    assert.equal(fake.probes[0]?.headers.authorization, "Bearer sk-very-secret");
    assert.equal((await sh("account", "set", "--llm-timeout", "30")).stderr, "", "it is not asked again");
    assert.equal(fake.probes.length, 1);
  });

  it("what cannot be a language model is refused, and nothing is set", async (t) => {
    const sh = await withBook(t);
    const url = ["--llm-url", "http://127.0.0.1:1/v1"];
    for (const argv of [
      ["--llm-model", "m"],
      url,
      [...url, "--llm-model", "two words"],
      [...url, "--llm-model", "m;n"],
      [...url, "--llm-model", "m", "--llm-timeout", "0"],
      [...url, "--llm-model", "m", "--llm-timeout", "99999"],
      ["--llm-url", "http://user:secret@127.0.0.1:1/v1", "--llm-model", "m"],
      ["--llm-url", "http://127.0.0.1:1/v1?key=secret", "--llm-model", "m"],
      ["--llm-url", "127.0.0.1:1", "--llm-model", "m"],
    ]) {
      const ran = await sh("account", "set", ...argv);
      assert.equal(ran.exit, EXIT.usage, argv.join(" "));
      assert.doesNotMatch(ran.stderr, /secret/);
    }
    assert.equal(fits(await sh("account", "show", "--json"), "account show").llm, null);
  });

  it("the key comes from the environment, goes to the server, and stays out of the file and of what is said", async (t) => {
    const sh = await withBook(t);
    const fake = await fakeModel(t, () => status(401));
    await sh(
      "account",
      "set",
      "--llm-url",
      fake.url,
      "--llm-model",
      "m",
      "--credits",
      "5",
      "--allowance",
      "0",
    );
    const keyed = sh.with({ env: { MANUSCRIPT_LLM_KEY: " sk-very-secret " } });
    const own = openManuscript(join(sh.cwd, "book.manuscript"), {
      network: networkOf({ env: { MANUSCRIPT_LLM_KEY: " sk-very-secret " } }),
      reader: embedded,
    });
    const { id } = (await sh("show", "1", "--json")).json<{ id: string }>();
    const { fallback, spent } = await draftSynopsis(own, id);
    own.close();
    assert.deepEqual([fallback, spent], ["http_401", { cost: 0, remaining: 5 }]);
    assert.equal(fake.requests[0]?.headers.authorization, "Bearer sk-very-secret");
    const said = [
      await keyed("account", "show"),
      await keyed("api", "POST", `/chapters/${id}/synopsis`),
      await keyed("account", "show", "--json"),
    ];
    assert.doesNotMatch(said.map(({ stdout, stderr }) => stdout + stderr).join(""), /secret/);
    for (const name of readdirSync(sh.cwd))
      assert.ok(!readFileSync(join(sh.cwd, name)).includes("very-secret"), name);
  });
});

describe("a language model that fails", () => {
  it("is told of on stderr, with its reason, by every command that asked it", async (t) => {
    const sh = await withBook(t);
    const fake = await fakeModel(t, () => status(418));
    await sh("account", "set", "--llm-url", fake.url, "--llm-model", "m");
    const { id } = (await sh("show", "1", "--json")).json<{ id: string }>();
    for (const argv of [
      ["synopsis", "1", "--draft"],
      ["synopsis", "1", "--draft", "--json"],
      ["detect", "1"],
      ["check", "1"],
      ["api", "POST", `/chapters/${id}/synopsis`],
    ]) {
      const { exit, stderr } = await sh(...argv);
      assert.equal(exit, EXIT.done, argv.join(" "));
      assert.match(
        stderr,
        /The language model failed: its server answered 418 .*embedded engine/,
        argv.join(" "),
      );
    }
  });

  it("is told of in --json, by its reason", async (t) => {
    const sh = await withBook(t);
    const fake = await fakeModel(t, () => status(418));
    await sh("account", "set", "--llm-url", fake.url, "--llm-model", "m");
    for (const argv of [
      ["synopsis", "1", "--draft"],
      ["detect", "1"],
      ["check", "1"],
    ])
      assert.equal((await sh(...argv, "--json")).json().fallback, "http_418", argv.join(" "));
    const all = await sh("check", "--all", "--json");
    const chapters = fits(all, "check --all").chapters.map(({ fallback, cost }) => [fallback, cost]);
    assert.deepEqual(chapters, [
      ["http_418", 0],
      ["http_418", 0],
    ]);
    assert.match(all.stderr, /answered 418 .* In 2 of 2 chapters\.$/m);
  });

  it("is told of where it has read a part alone, which costs nothing", async (t) => {
    const sh = await withBook(t);
    const sentence = "The tide went out and the lamp burned on, and nobody came down to the ferry. ".repeat(
      40,
    );
    const chapter = Array.from({ length: 4 }, (_, index) => `Night ${index}. ${sentence}\n\n`).join("");
    await sh.with({ stdin: `# Nights\n\n${chapter}` })("import", "-", "--book", "1");
    const fake = await fakeModel(t, ({ user }) => (user.includes("Night 3") ? "I cannot." : '{"items": []}'));
    const set = ["--llm-url", fake.url, "--llm-model", "m", "--credits", "9", "--allowance", "0"];
    await sh("account", "set", ...set);
    const part = await sh("detect", "Nights", "--json");
    assert.match(
      part.json<{ engine: string }>().engine,
      /^llm\/m \(read (\d) of \d passages: invalid_answer\)$/,
    );
    assert.match(
      part.stderr,
      /^The language model has read \d of \d passages; .*\(invalid_answer\)\. Nothing was charged\.$/m,
    );
    const { id } = (await sh("show", "Nights", "--json")).json<{ id: string }>();
    assert.match((await sh("api", "POST", `/chapters/${id}/detect`)).stderr, /has read only some passages/);
    assert.equal(fits(await sh("account", "show", "--json"), "account show").credits, 9);
  });

  it("is not told of where it has answered, or none is set", async (t) => {
    const sh = await withBook(t);
    assert.equal((await sh("detect", "1")).stderr, "");
  });
});

describe("api", () => {
  it("calls any endpoint, with the exit code of its error", async (t) => {
    const sh = await withBook(t);
    const made = await sh.with({ stdin: '{"title": "Second"}' })("api", "post", "/books", "--input", "-");
    assert.equal(made.json<{ book: { title: string } }>().book.title, "Second");
    assert.equal((await sh("api", "GET", "/api/v1/books")).json().total, 2);
    const missing = await sh("api", "GET", "/books/bk_0");
    assert.equal(missing.exit, EXIT.notFound);
    assert.equal(missing.json().error, "not_found");
    assert.match(missing.stderr, /^manuscript: /);
    assert.equal((await sh("api", "GET", "/books/bk_0", "--json")).stderr, "");
    const broken = await sh.with({ stdin: '{"title": 7}' })("api", "POST", "/books", "--input", "-");
    assert.equal(broken.exit, EXIT.usage);
    assert.equal((await sh("api", "GET", "/books", "-H", "nonsense")).exit, EXIT.usage);
    assert.equal((await sh("api", "PUT", "/books", "--input", "missing.json")).exit, EXIT.notFound);
  });

  it("a header asks for bare Markdown", async (t) => {
    const sh = await withBook(t);
    const { id } = (await sh("show", "2", "--json")).json();
    const { stdout } = await sh("api", "GET", `/chapters/${id}`, "-H", "Accept: text/markdown");
    assert.equal(stdout, "# The Lamp\n\nMara lit the lamp. Tobit did not look up.\n");
  });
});
