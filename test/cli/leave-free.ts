import { connect } from "../../src/store/file/driver.ts";

/** Leaves two megabytes of free pages in a file, as answers do that were kept for a day. */
export function leaveFree(path: string): void {
  const connection = connect(path);
  connection.exec(`INSERT INTO replays(key_id, key, at, fingerprint, reply) VALUES('', '', 0, '', zeroblob(2000000));
    DELETE FROM replays`);
  connection.close();
}
