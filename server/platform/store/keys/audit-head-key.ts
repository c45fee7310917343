import type { JWK } from "jose";

import type { Queries } from "../database";
import { makeSigningKey } from "./es256";
import { keepSecret } from "./secrets";

const NAME = "audit-head-signing-key";

/** Signs nothing but heads of the audit log. It is not replaced: heads are kept for years. */
export const auditHeadKey = async (queries: Queries): Promise<JWK> =>
  JSON.parse(await keepSecret(queries, NAME, async () => JSON.stringify(await makeSigningKey())));
