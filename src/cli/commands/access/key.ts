import { BadRequest } from "../../../refusals.ts";
import { createKey, type Key, listKeys, revokeKey } from "../../../service/account/keys.ts";
import { checkText, TEXTS } from "../../../service/field-rules.ts";
import { choose } from "../../../service/naming/choose.ts";
import { localTime } from "../../../text/columns.ts";
import { isDay } from "../../../text/day.ts";
import { tiersOf } from "../../input/arguments.ts";
import { reply, talkUnlessJson } from "../../io/call.ts";
import { inColumns } from "../../output/wrapped.ts";
import type { ROWS } from "../../rows/access.ts";
import type { CommandAnswer } from "../../rows/answers.ts";
import type { CommandsOf } from "../../rows/rows.ts";

/** The commands on keys. */
export const COMMANDS: CommandsOf<typeof ROWS, "key"> = {
  "key create": async (call, { name = "", allow, expires }) => {
    const fields = {
      name: checkText("The name", name, { ...TEXTS.name, mayBeBlank: true }),
      allow: tiersOf("--allow", allow),
    };
    const manuscript = await call.open();
    const expiresAt = expires === undefined ? null : expiryOf(expires, Date.now());
    const { key, record } = createKey(manuscript, { ...fields, expiresAt });
    const answer: CommandAnswer<"key create"> = { ...record, key };
    await reply(call, answer, () => key);
    const named = `${record.id}${name && ` (${name})`}`;
    await talkUnlessJson(call, `${named} may ${fields.allow.join(", ")}. Keep it: it is shown this once.`);
  },

  "key list": async (call) => {
    await reply(call, listKeys(await call.open()), ({ keys }) => {
      const rows = keys.map((key) => [key.id, `${key.prefix}…`, key.name, key.allow.join(","), stateOf(key)]);
      return inColumns("No keys yet.", rows);
    });
  },

  "key revoke": async (call, { key: wanted }) => {
    const manuscript = await call.open();
    const living = listKeys(manuscript).keys.filter(({ revokedAt }) => revokedAt === null);
    const choices = living.map(({ id, name }) => ({ id, title: name }));
    const hint = '"manuscript key list" lists them';
    const { id } = choose(wanted, choices, { what: "living key", hint, isExact: true });
    await reply(call, revokeKey(manuscript, id), (key) => `Revoked ${key.id}`);
  },
};

function stateOf({ createdAt, lastUsedAt, expiresAt, revokedAt }: Key): string {
  if (revokedAt !== null) return `revoked ${localTime(revokedAt)}`;
  const used = lastUsedAt === null ? "never used" : `used ${localTime(lastUsedAt)}`;
  const until = expiresAt === null ? "" : `, until ${localTime(expiresAt)}`;
  return `made ${localTime(createdAt)}, ${used}${until}`;
}

const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** When a key ends, in milliseconds since 1970: a time from now, a moment, or the end of a local day. */
function expiryOf(text: string, now: number): number {
  const [, count, unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(T.*)?$/i.exec(text) ?? [];
  const isNoDay = day !== undefined && !isDay(day);
  const at =
    count === undefined
      ? Date.parse(day !== undefined && time === undefined ? `${text}T23:59:59.999` : text)
      : now + Number(count) * (UNITS_MS[unit] ?? 0);
  if (Number.isNaN(at) || isNoDay)
    throw new BadRequest(`--expires must be a day, a moment or a time such as 90d, got "${text}".`);
  if (at <= now) throw new BadRequest(`--expires must be in the future, got "${text}".`);
  return at;
}
