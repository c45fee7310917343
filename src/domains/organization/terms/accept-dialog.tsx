import { Button, Checkbox } from "@mantine/core";
import { useState, type ReactNode } from "react";
import "@mantine/core/styles/Checkbox.css";
import "@mantine/core/styles/InlineInput.css";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import { ExternalLink } from "~/ui/display/external-link";
import { usePerson } from "~/auth/use-session";
import { GroupLink } from "~/frame/scope/group-link";
import "~/ui/controls/button-styles";
import { DefinitionList } from "~/ui/display/definition-list";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { ErrorDetails } from "~/ui/feedback/error-details";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { WritesPausedNotice } from "~/ui/feedback/writes-paused-notice";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { Dialog } from "~/ui/overlay/dialog";
import { useRefusal } from "~/frame/permissions/use-can";
import { callOnce } from "~/api/mutations/call-once";
import { invalidateDependents } from "~/api/mutations/patch";
import { parentOf } from "platform-contract/aip";
import { acceptTerms } from "platform-contract/iam/terms";
import { toast } from "~/ui/feedback/toast-store";
import { formatQuantity } from "~/ui/display/numbers";

import classes from "./terms.module.css";

interface Acceptable {
  /** The document's name, as used in acceptances. */
  readonly id: string;
  /** The document's uid; undefined if the user cannot see it. */
  readonly uid?: string | undefined;
}

/**
 * Accepts documents, each in its own group if the user is allowed to, otherwise in `group`. Safe to retry: accepting
 * again keeps the first acceptance.
 */
function useAcceptTerms(group: string) {
  const client = useQueryClient();
  const refusal = useRefusal();
  const placeOf = ({ uid }: Acceptable): string => {
    const home = uid === undefined ? group : parentOf(uid);
    return refusal(acceptTerms, home) === undefined ? home : group;
  };
  const mutation = useMutation({
    mutationFn: async (documents: readonly Acceptable[]) => {
      const places = new Set(documents.map(placeOf));
      for (const place of places) {
        const documentIds = documents.filter((one) => placeOf(one) === place).map(({ id }) => id);
        await callOnce(acceptTerms, { path: { parent: place }, body: { documentIds } }, crypto.randomUUID());
      }
    },
    onSuccess: (_done, documents) => {
      invalidateDependents(client, ["termsAcceptances"]);
      toast(`Accepted ${formatQuantity(documents.length, "document", "documents")}`);
    },
  });
  return { ...mutation, placeOf, refusal: refusal(acceptTerms, group) };
}

export interface AcceptableDocument extends Acceptable {
  readonly label: string;
  readonly url: string | undefined;
}

export interface AcceptDialogProps {
  /** uid of the group where they are accepted, unless the user can accept them in the documents' own group. */
  readonly group: string;
  readonly documents: readonly AcceptableDocument[];
  readonly onClose: () => void;
  readonly onAccepted?: (() => void) | undefined;
}

/** Says what is accepted, by whom and for which organization, and asks for a tick: a signature, not a click. */
export function AcceptDialog({ group, documents, onClose, onAccepted }: AcceptDialogProps): ReactNode {
  const { name, email, subject } = usePerson();
  const { mutate, isPending, error, refusal, placeOf } = useAcceptTerms(group);
  const [agreed, setAgreed] = useState(false);
  const paused = useWritesPaused();
  const places = [...new Set(documents.map(placeOf))];
  const close = () => {
    if (!isPending) onClose();
  };
  const reason = refusal ?? paused?.reason ?? (agreed ? undefined : "Confirm that you accept first");
  const accept = () =>
    mutate(documents, {
      onSuccess: () => {
        onClose();
        onAccepted?.();
      },
    });
  const facts = error ? errorFacts(error) : undefined;
  const many = documents.length > 1;
  return (
    <Dialog
      title={<>Accept {many ? "these documents" : "this document"}?</>}
      size="32rem"
      zIndex={210}
      onClose={close}
      footer={
        <>
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <DisabledReason reason={reason}>
            <Button aria-disabled={isPending || undefined} onClick={() => (isPending ? undefined : accept())}>
              {isPending ? "Accepting…" : "Accept"}
            </Button>
          </DisabledReason>
        </>
      }
    >
      <DefinitionList
        items={[
          {
            term: many ? "Documents" : "Document",
            value: (
              <ul className={classes["accepted"]}>
                {documents.map(({ id, label, url }) => (
                  <li key={id}>
                    <ExternalLink address={url}>{label}</ExternalLink>{" "}
                    <code className={classes["name"]}>{id}</code>
                  </li>
                ))}
              </ul>
            ),
            wide: true,
          },
          {
            term: "You accept for",
            value: (
              <>
                {places.map((place, index) => (
                  <span key={place}>
                    {index > 0 ? ", " : ""}
                    <GroupLink uid={place} />
                  </span>
                ))}{" "}
                and everything below
              </>
            ),
            wide: true,
          },
          {
            term: "You accept as",
            value: (
              <bdi>
                {name ?? email ?? subject}
                {name !== undefined && email !== undefined ? ` (${email})` : ""}
              </bdi>
            ),
            wide: true,
          },
        ]}
      />
      <Checkbox
        checked={agreed}
        onChange={(event) => setAgreed(event.currentTarget.checked)}
        label={`I have read ${many ? "these documents and accept them" : "this document and accept it"}. An acceptance can't be taken back.`}
      />
      {paused ? <WritesPausedNotice {...paused} /> : null}
      {facts ? (
        <Notice
          tone="warning"
          role="alert"
          title={facts.outcome === "none" ? "Nothing was accepted" : "We couldn't confirm the acceptance"}
        >
          <p>{facts.message}</p>
          <ErrorDetails {...facts} />
        </Notice>
      ) : null}
    </Dialog>
  );
}
