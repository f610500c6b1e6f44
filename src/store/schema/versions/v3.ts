/** Version 3: the answers to requests with an `Idempotency-Key`. Frozen with the release that ships it. */
export const V3 = `
CREATE TABLE replays(key_id TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, fingerprint TEXT NOT NULL, reply BLOB, PRIMARY KEY(key_id, key)) STRICT;
CREATE INDEX replays_at ON replays(at);
`;
