import { SIGNATURE_KEYS_PATH } from "~/contract/snapshots/signatures";

import type { Config } from "../config";
import type { Database } from "../store/database";
import { publicKeys } from "../store/keys/es256";
import { snapshotKey } from "../store/keys/snapshot-key";
import { refusal, type Answer } from "./answers";
import type { ApiRequest } from "./api";
import type { Calls } from "./calls";
import { answerWith, jsonFile, type ConsoleFile } from "./console-files";

/** Milliseconds until the key is read again: anybody can ask for it, and a start with KEY_MAX_AGE=0 replaces it. */
const READ_EVERY = 60_000;

/** Cached by everybody for five minutes. Any page can read it, so that any tool can verify a signature. */
const HEADERS = { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" };

/** Answers with the public key that snapshots are signed with; undefined for any other request. */
export function createSnapshotKeys(options: {
  config: Config;
  database: Database;
  calls: Pick<Calls, "refusal">;
}): (call: Pick<ApiRequest, "method" | "path" | "request" | "requestId">) => Promise<Answer | undefined> {
  const { config, database, calls } = options;
  let known: { readonly keys: Promise<ConsoleFile>; readonly until: number } | undefined;

  function read(): Promise<ConsoleFile> {
    const time = performance.now();
    if (known && time < known.until) return known.keys;
    const keys = snapshotKey(database).then((key) => jsonFile(publicKeys([key])));
    const own = (known = { keys, until: time + READ_EVERY });
    keys.catch(() => {
      if (known === own) known = undefined;
    });
    return keys;
  }

  return async ({ method, path, request, requestId }) => {
    if (path !== SIGNATURE_KEYS_PATH || (method !== "GET" && method !== "HEAD")) return undefined;
    try {
      return answerWith(request, await read(), HEADERS);
    } catch (error) {
      return refusal(calls.refusal(error, requestId), `snapshots.${config.serviceDomain}`);
    }
  };
}
