import type { JWK } from "jose";

import { HEAD_KEYS_PATH } from "platform-contract/audit/heads";
import { SIGNATURE_KEYS_PATH } from "platform-contract/snapshots/signatures";

import type { Config } from "../../config";
import type { Database, Queries } from "../store/database";
import { auditHeadKey } from "../store/keys/audit-head-key";
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

interface Options {
  readonly config: Config;
  readonly database: Database;
  readonly calls: Pick<Calls, "refusal">;
}

/** Answers with the public key that something is signed with; undefined for any other request. */
function createKeys(
  at: { readonly path: string; readonly area: string; readonly key: (queries: Queries) => Promise<JWK> },
  options: Options,
): (call: Pick<ApiRequest, "method" | "path" | "request" | "requestId">) => Promise<Answer | undefined> {
  const { config, database, calls } = options;
  let known: { readonly keys: Promise<ConsoleFile>; readonly until: number } | undefined;

  function read(): Promise<ConsoleFile> {
    const time = performance.now();
    if (known && time < known.until) return known.keys;
    const keys = at.key(database).then((key) => jsonFile(publicKeys([key])));
    const own = (known = { keys, until: time + READ_EVERY });
    keys.catch(() => {
      if (known === own) known = undefined;
    });
    return keys;
  }

  return async ({ method, path, request, requestId }) => {
    if (path !== at.path || (method !== "GET" && method !== "HEAD")) return undefined;
    try {
      return answerWith(request, await read(), HEADERS);
    } catch (error) {
      return refusal(calls.refusal(error, requestId), `${at.area}.${config.serviceDomain}`);
    }
  };
}

/** The public keys of snapshots, and those of heads of the audit log. */
export function createPublicKeys(options: Options): ReturnType<typeof createKeys> {
  const snapshots = createKeys({ path: SIGNATURE_KEYS_PATH, area: "snapshots", key: snapshotKey }, options);
  const heads = createKeys({ path: HEAD_KEYS_PATH, area: "audit", key: auditHeadKey }, options);
  return async (call) => (await snapshots(call)) ?? heads(call);
}
