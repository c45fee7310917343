import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { Agent, request, type RequestOptions } from "node:http";
import { fileURLToPath } from "node:url";

import { visibleGroups } from "../platform/access/caller";
import { grantsOf } from "../platform/access/grants";
import { readConfig } from "../config";
import { createLog } from "../log";
import { findAccountByEmail } from "../platform/oidc/accounts";
import { progressOn } from "../commands/seed/progress";
import { seedScale } from "../commands/seed/scale";
import type { ScaleOptions } from "../commands/seed/scale-options";
import { start, type Service } from "../start";
import { migrate } from "../platform/store/migrate";
import { openDatabase } from "../platform/store/open";
import { ensureBuiltInRoles } from "../domains/access/roles.table";
import { personUid } from "../platform/store/uids";

/** A person who reads lists. */
export interface Reader {
  readonly token: string;
  /** The caller that page tokens are bound to. */
  readonly key: string;
  /** Their topmost visible groups. */
  readonly groups: readonly string[];
}

export interface World {
  readonly service: Service;
  reader(email: string): Promise<Reader>;
  /** Requests a list like a client, over a persistent connection; returns the parsed body. */
  get(reader: Reader, path: string): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** The service's name, not its listening address: people are bound by issuer, which must be the same every time. */
const PUBLIC_URL = "http://127.0.0.1:8099";

/** The whole service in this process over seeded data, on its own port. */
export async function startWorld(
  where: { readonly DATA_DIR?: string; readonly DATABASE_URL?: string },
  size: ScaleOptions,
): Promise<World> {
  const variables = { ...where, PUBLIC_URL, PORT: "0", SEED: "none", ADMIN_EMAIL: "owner@demo.example" };
  const config = readConfig(variables);
  const database = await openDatabase(config);
  try {
    await migrate(database);
    await ensureBuiltInRoles(database);
    await seedScale(config, database, size, progressOn(process.stderr));
  } finally {
    await database.close();
  }
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const key = { ...(await exportJWK(publicKey)), kid: "bench", alg: "ES256", use: "sig" };
  const service = await start(variables, {
    log: createLog("silent"),
    consoleDirectory: fileURLToPath(new URL("../../dist", import.meta.url)),
    moreKeys: [key],
  });
  const agent = new Agent({ keepAlive: true });
  const { issuer, port } = service.config;
  return {
    service,
    async reader(email) {
      const subject = (await findAccountByEmail(service.database, email))?.subject ?? "";
      const uid = personUid(issuer, subject);
      const grants = await grantsOf(service.database, [uid]);
      const caller = { issuer, subject, key: uid, identities: [uid], grants };
      const token = await new SignJWT({ client_id: "console" })
        .setProtectedHeader({ alg: "ES256", kid: "bench", typ: "at+jwt" })
        .setIssuer(issuer)
        .setAudience(PUBLIC_URL)
        .setSubject(subject)
        .setIssuedAt()
        .setExpirationTime("3h")
        .sign(privateKey);
      return { token, key: uid, groups: visibleGroups(caller, "CAP_IAM_IDENTITY_LIST") };
    },
    get: ({ token }, path) => get({ agent, port, path, headers: { authorization: `Bearer ${token}` } }),
    async stop() {
      agent.destroy();
      await service.stop();
    },
  };
}

const get = (options: RequestOptions): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(parts).toString();
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`${response.statusCode} ${text}`));
      });
    });
    sent.on("error", reject);
    sent.end();
  });
