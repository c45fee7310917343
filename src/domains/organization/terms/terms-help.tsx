import type { ReactNode } from "react";

import { ApiError } from "~/api/client/errors";
import { missingDocuments } from "platform-contract/iam/terms-not-accepted";

import { MissingTerms } from "./missing-terms";

/** The documents that block a refused write, with a button to accept them; undefined if terms were not the reason. */
export function termsHelp(
  reason: unknown,
  group: string,
): { readonly message: string; readonly help: ReactNode } | undefined {
  if (!(reason instanceof ApiError) || reason.code !== "FAILED_PRECONDITION") return undefined;
  const documents = missingDocuments(reason.status);
  if (documents.length === 0) return undefined;
  return {
    message: "The terms must be accepted first.",
    help: <MissingTerms group={group} documents={documents} />,
  };
}
