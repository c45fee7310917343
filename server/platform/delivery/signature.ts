import { createHash } from "node:crypto";

import type { Config } from "../../config";
import { createSigner } from "../oidc/signer";
import type { Database } from "../store/database";

/** Token lifetime in seconds: each attempt gets its own token. */
const LIFE = 300;

/** A digest as in claims and headers: the algorithm and the hash in hex. */
export const digestOf = (body: string): string => `sha256:${createHash("sha256").update(body).digest("hex")}`;

/** Creates the token that accompanies an event to a subscribing group. */
export type Sign = (group: string, body: string) => Promise<string>;

/** Signs with the provider's keys, published at its `jwks_uri`. */
export function createSign(config: Pick<Config, "issuer">, database: Database): Sign {
  const sign = createSigner(config, database);
  return (group, body) =>
    sign(
      { webhook: { digest: digestOf(body) } },
      {
        subject: `webhook:${group}`,
        audience: "customer",
        typ: "JWT",
        seconds: LIFE,
      },
    );
}
