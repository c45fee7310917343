import type { ReactNode } from "react";

import { ApiError } from "~/api/client/errors";

/** The documents that a refused write waits for, with a way to accept them; nothing where terms were not the reason. */
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
      message: "Terms have to be accepted first.",
      help: <MissingTerms group={group} documents={documents} />,
    };
  } catch {
    // Without the code of it the refusal speaks for itself.
    return undefined;
  }
}
