import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { openapi } from "../../src/contract/openapi.ts";
import { BASE_URL } from "../golden.ts";

describe("openapi", () => {
  it("has schemas that all compile", () => {
    const { paths, components } = openapi(BASE_URL);
    const found: object[] = Object.values(components.schemas);
    JSON.stringify({ paths, components }, (key, value) => {
      if (key === "schema") found.push(value);
      return value;
    });
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, validateFormats: false });
    ajv.addSchema({ $id: "contract", components: { schemas: components.schemas } } as object, "contract");
    ajv.addKeyword("components");
    assert.ok(found.length > 100, `${found.length} schemas`);
    for (const schema of found)
      ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"contract#/components')));
  });

  it("is found faultless by redocly", () => {
    const cli = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
    const golden = join(import.meta.dirname, "../../fixtures/golden/openapi.json");
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const { stdout, stderr } = spawnSync(process.execPath, [cli, "lint", golden, "--format", "json"], {
      encoding: "utf8",
      env,
    });
    assert.match(stdout, /^\{/, stderr);
    const { totals, problems } = JSON.parse(stdout) as {
      totals: { errors: number; warnings: number };
      problems: unknown;
    };
    assert.deepEqual(
      { ...totals, ignored: 0 },
      { errors: 0, warnings: 0, ignored: 0 },
      JSON.stringify(problems, null, 2),
    );
  });
});
