import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { MissingDocument } from "~/contract/iam/terms-not-accepted";
import "~/ui/controls/button-styles";
import { errorFacts } from "~/ui/feedback/error-facts";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import { useAcceptTerms } from "./accept";
import { DocumentLink } from "./document-links";
import { readInForce } from "./outstanding";
import classes from "./terms.module.css";

interface MissingTermsProps {
  /** uid of the group that lacks the acceptances. */
  readonly group: string;
  readonly documents: readonly MissingDocument[];
}

/** The documents that block a write, and one button to accept them, for users who are allowed to. */
export function MissingTerms({ group, documents }: MissingTermsProps): ReactNode {
  const client = useQueryClient();
  const { mutateAsync, isPending, isSuccess, refusal } = useAcceptTerms(group);
  const [problem, setProblem] = useState<string>();
  const accept = async () => {
    setProblem(undefined);
    try {
      // If the user cannot see the documents, accept them in this group, by name only.
      const known = await readInForce(client, group).catch(() => new Map<string, string>());
      await mutateAsync(documents.map(({ id }) => ({ id, uid: known.get(id) })));
    } catch (error) {
      setProblem(errorFacts(error).message);
    }
  };
  return (
    <>
      <ul className={classes["documents"]}>
        {documents.map(({ id, label, url }) => (
          <li key={id}>
            <DocumentLink url={url}>{label}</DocumentLink> <code className={classes["name"]}>{id}</code>
          </li>
        ))}
      </ul>
      {isSuccess ? (
        <p role="status">Accepted. You can save now.</p>
      ) : (
        <DisabledReason reason={refusal}>
          <Button size="compact-sm" aria-disabled={isPending || undefined} onClick={() => void accept()}>
            {isPending ? "Accepting…" : "Accept"}
          </Button>
        </DisabledReason>
      )}
      {problem === undefined ? null : (
        <p role="alert" className={classes["problem"]}>
          {problem}
        </p>
      )}
    </>
  );
}
