import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { CLI_SCHEMAS, type CliAnswers } from "../../src/cli/answers/schemas.ts";
import { EXIT } from "../../src/contract/problems.ts";
import type { Ran } from "./shell.ts";

const ajv = new Ajv2020({ formats: { "date-time": true, date: true } });

/** Asserts that a command answered with its documented object, and gives it. */
export function fits<Command extends keyof CliAnswers>(ran: Ran, command: Command): CliAnswers[Command] {
  assert.equal(ran.exit, EXIT.done, ran.stdout + ran.stderr);
  const answer = ran.json<CliAnswers[Command]>();
  assert.ok(ajv.validate({ ...CLI_SCHEMAS[command] }, answer), `${command}: ${ajv.errorsText()}`);
  return answer;
}
