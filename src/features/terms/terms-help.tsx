import type { ReactNode } from "react";

import { ApiError } from "~/api/client/errors";

/** The documents that block a refused write, with a button to accept them; undefined if terms were not the reason. */
export async function termsHelp(
  reason: unknown,
  group: string,
): Promise<{ readonly message: string; readonly help: ReactNode } | undefined> {
  if (!(reason instanceof ApiError) || reason.code !== "FAILED_PRECONDITION") return undefined;
  try {
    const { missingDocuments } = await import("~/contract/iam/terms-not-accepted");
    const documents = missingDocuments(reason.status);
    if (documents.length === 0) return undefined;
    const { MissingTerms } = await import("./missing-terms");
    return {
      message: "The terms must be accepted first.",
      help: <MissingTerms group={group} documents={documents} />,
    };
  } catch {
    // If the code fails to load, the error message is enough.
    return undefined;
  }
}
