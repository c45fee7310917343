import type { JWK } from "jose";

import type { Queries } from "../database";
import { makeSigningKey } from "./es256";
import { keepSecret } from "./secrets";

const NAME = "snapshot-signing-key";

/** Signs nothing but snapshots, so that no verifier of tokens has it. It is not replaced: signatures are kept for years. */
export const snapshotKey = async (queries: Queries): Promise<JWK> =>
  JSON.parse(await keepSecret(queries, NAME, async () => JSON.stringify(await makeSigningKey())));
