import type { ReactNode } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";

import { ApiError } from "platform-client/errors";
import { missingDocuments, type MissingDocument } from "platform-contract/iam/terms-not-accepted";
import { ExternalLink } from "~/ui/display/external-link";
import { useFormMessage } from "~/ui/form/form-message";

import { AcceptButton } from "./accept-button";
import { readInForce } from "./outstanding";
import classes from "./terms.module.css";

interface MissingTermsProps {
  /** uid of the group that lacks the acceptances. */
  readonly group: string;
  readonly documents: readonly MissingDocument[];
}

/** The documents that block a write, and one button to accept them, for users who are allowed to. */
function MissingTerms({ group, documents }: MissingTermsProps): ReactNode {
  const client = useQueryClient();
  const say = useFormMessage();
  // If the user cannot see the documents, they are accepted in this group, by name only.
  const known = useQuery({
    queryKey: ["terms", "in force", group],
    queryFn: () => readInForce(client, group),
    retry: false,
  });
  return (
    <>
      <ul className={classes["documents"]}>
        {documents.map(({ id, label, url }) => (
          <li key={id}>
            <ExternalLink address={url}>{label}</ExternalLink> <code className={classes["name"]}>{id}</code>
          </li>
        ))}
      </ul>
      <AcceptButton
        compact
        group={group}
        documents={documents.map(({ id, label, url }) => ({ id, uid: known.data?.get(id), label, url }))}
        onAccepted={() => say("Accepted. You can save now.")}
      />
    </>
  );
}

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
