import { TERMS_NOT_ACCEPTED } from "platform-contract/iam/terms-not-accepted";

import { Failure } from "../../status";
import type { Queries } from "../../platform/store/database";
import { outstandingTerms } from "./terms.table";

/** Throws FAILED_PRECONDITION with the documents that have not been accepted at a group. */
export async function requireTerms(queries: Queries, group: string): Promise<void> {
  const missing = await outstandingTerms(queries, group);
  if (missing.length > 0)
    throw new Failure("FAILED_PRECONDITION", "terms not accepted", [
      { "@type": TERMS_NOT_ACCEPTED, missing },
    ]);
}
