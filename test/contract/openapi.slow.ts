import assert from "node:assert/strict";
import { describe, it } from "node:test";
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
});
