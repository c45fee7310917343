import { exportJWK, generateKeyPair, type JWTPayload } from "jose";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Config } from "../config";
import { createLog, type Log } from "../log";
import { start, type Service } from "../start";
import type { Database } from "../platform/store/database";
import { send, type Answer } from "./app";
import { placeFor } from "./database";
import { signed, startIssuer, type TestIssuer } from "./issuer";

export interface TestService {
  /** PUBLIC_URL. */
  readonly url: string;
  readonly config: Config;
  readonly database: Database;
  readonly metricsUrl: string | undefined;
  /** What requests hold now. */
  readonly places: Service["places"];
  readonly writeCounts: Service["writeCounts"];
  /** A trusted issuer for machines; its tokens need `aud: url`. */
  readonly issuer: TestIssuer;
  /** A token from the service's own issuer for a person with this subject, as issued by sign-in. */
  token(subject: string, claims?: JWTPayload, options?: Parameters<TestIssuer["sign"]>[1]): Promise<string>;
  /** One call of the API; `body` is sent as JSON. */
  call(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: Readonly<Record<string, string>> },
  ): Promise<Answer>;
  stop(): Promise<void>;
}

/**
 * The whole service in this process on its own port, over a temporary empty database: the same code as `npm start`.
 * `variables` is its environment. With DATABASE_URL or DATA_DIR it uses that database as it is, else one on the run's
 * PostgreSQL if there is one.
 */
export async function startService(
  variables: Readonly<Record<string, string>> = {},
  log: Log = createLog("silent"),
): Promise<TestService> {
  const directory = await mkdtemp(join(tmpdir(), "platform-service-"));
  const given = variables["DATABASE_URL"] ?? variables["DATA_DIR"];
  const place = given === undefined ? await placeFor(directory) : undefined;
  const issuer = await startIssuer();
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const key = { ...(await exportJWK(publicKey)), kid: "test", alg: "ES256", use: "sig" };
  const environment = {
    PORT: "0",
    DATA_DIR: directory,
    SEED: "none",
    TRUSTED_ISSUERS: issuer.url,
    ...place?.variables,
    ...variables,
  };
  const service = await start(environment, {
    log,
    consoleDirectory: fileURLToPath(new URL("./console", import.meta.url)),
    moreKeys: [key],
  });
  const { config, database } = service;
  const url = config.publicUrl;
  return {
    url,
    config,
    database,
    metricsUrl: service.metricsUrl,
    places: service.places,
    writeCounts: () => service.writeCounts(),
    issuer,
    token: (subject, claims, options) =>
      signed(
        privateKey,
        { iss: config.issuer, aud: url, client_id: "console", sub: subject, ...claims },
        { typ: "at+jwt", ...options },
      ),
    call: (method, path, { token, body, headers } = {}) =>
      send(`${url}${path}`, {
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    stop: async () => {
      await service.stop();
      await place?.stop();
      await issuer.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
