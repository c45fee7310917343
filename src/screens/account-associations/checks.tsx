import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { call } from "~/api/client/client";
import { checkAccountAssociation, type AccountAssociation } from "~/contract/iam/account-associations";
import { ActionButton } from "~/ui/controls/action-button";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { Section } from "~/ui/display/section";
import { capitalize } from "~/resource/define";

import { CHECKED } from "./data";
import classes from "./styles.module.css";

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
      description="The service tries to sign in to the provider. If it can't, it says why."
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
          tone={data.status === "CHECK_STATUS_READY" ? "success" : "warning"}
          role="status"
          title={`${variables.label}: ${data.status === "CHECK_STATUS_READY" ? "ready" : "not ready"}`}
        >
          {[data.reason, data.message]
            .filter((text) => text !== undefined && text !== "")
            .map((text) => `${capitalize(text ?? "")}.`)
            .join(" ")}
        </Notice>
      ) : null}
    </Section>
  );
}
