import type { Endpoint } from "platform-contract/endpoint";
import { checkAccountAssociation } from "platform-contract/iam/account-associations";
import { exchangeToken } from "platform-contract/sts/exchange";

/** Operations that write nothing, although they are no GET. */
const READS: ReadonlySet<string> = new Set([checkAccountAssociation.id, exchangeToken.id]);

/** True for operations whose calls the audit log keeps. */
export const writes = ({ id, method }: Pick<Endpoint, "id" | "method">): boolean =>
  method !== "GET" && !READS.has(id);
