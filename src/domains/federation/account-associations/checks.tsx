import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { call } from "~/api/client/client";
import { checkAccountAssociation, type AccountAssociation } from "platform-contract/iam/account-associations";
import { ActionButton } from "~/ui/controls/action-button";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { Section } from "~/ui/display/section";
import { capitalize } from "~/ui/display/capitalize";

import { CHECKED } from "./data";
import classes from "./styles.module.css";

/** Everything but ready and not ready is not known. */
const outcomeOf = (status: string | undefined) =>
  status === "CHECK_STATUS_READY"
    ? ({ tone: "success", words: "ready" } as const)
    : status === "CHECK_STATUS_NOT_READY"
      ? ({ tone: "warning", words: "not ready" } as const)
      : ({ tone: "info", words: "not checked" } as const);

/** Has the service try to sign in at a provider, and shows the result. */
export function Checks({ of: record }: { readonly of: AccountAssociation }): ReactNode {
  const { reason } = useCan(checkAccountAssociation, record.uid);
  const { mutate, data, error, variables, isPending } = useMutation({
    mutationFn: ({ type }: (typeof CHECKED)[number]) =>
      call(checkAccountAssociation, { path: { uid: record.uid }, body: { providerType: type } }),
  });
  return (
    <Section
      title="Connection check"
      description="Checks whether platform services can sign in to the provider, as far as this service can."
    >
      <div className={classes["checks"]}>
        {CHECKED.map((provider) => (
          <ActionButton key={provider.type} reason={reason} onClick={() => mutate(provider)}>
            Check {provider.label}
          </ActionButton>
        ))}
      </div>
      {isPending ? <p role="status">Checking {variables.label}…</p> : null}
      {error && variables ? (
        <FailedPart
          title={`${variables.label} couldn't be checked`}
          error={error}
          onRetry={() => mutate(variables)}
        />
      ) : null}
      {data && variables ? (
        <Notice
          tone={outcomeOf(data.status).tone}
          role="status"
          title={`${variables.label}: ${outcomeOf(data.status).words}`}
        >
          {/* The title says "not checked" already. */}
          {[data.reason === outcomeOf(data.status).words ? "" : data.reason, data.message]
            .filter((text) => text !== undefined && text !== "")
            .map((text) => `${capitalize(text ?? "")}.`)
            .join(" ")}
        </Notice>
      ) : null}
    </Section>
  );
}
