import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";

import { call } from "~/api/client/client";
import type { Placed } from "~/frame/form/use-record-form";
import { useCan } from "~/frame/permissions/use-can";
import { errorFacts } from "~/ui/feedback/error-facts";
import { applyViolations } from "~/ui/form/apply-violations";
import { asSentence } from "~/ui/display/as-sentence";
import type { ResourceForm } from "~/ui/form/use-resource-form";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import "~/ui/controls/button-styles";
import type { IdentityProvider, IdentityProviderInput } from "platform-contract/iam/identity-providers";
import { reserveProvider, testSignIn } from "platform-contract/iam/provider-setup";

import classes from "./styles.module.css";
import { testBodyOf, type ProviderValues } from "./values";

type Form = ResourceForm<ProviderValues & Placed, IdentityProviderInput>;

interface TestSignInProps {
  readonly form: Form;
  readonly record: IdentityProvider | undefined;
  /** For a new one, once its group is chosen. */
  readonly reserved: { readonly reservedUid: string; readonly reservation: string } | undefined;
}

/** Tries what is in the form in a new tab of the provider's, without saving it. */
export function TestSignIn(props: TestSignInProps): ReactNode {
  const { providerSetup } = useRouteContext({ from: "__root__" }).config;
  return providerSetup ? <Test {...props} /> : null;
}

function Test({ form, record, reserved }: TestSignInProps): ReactNode {
  const uid = record?.uid ?? reserved?.reservedUid;
  const { reason } = useCan(record ? testSignIn : reserveProvider, uid);
  const values = useWatch({ control: form.control }) as ProviderValues;
  const settings = JSON.stringify(testBodyOf(values).oidc);
  const { mutate, data, error, variables, isPending } = useMutation({
    mutationFn: async ({ at, tab }: { at: string; tab: Window | null; settings: string }) => {
      const body = {
        ...testBodyOf(form.getValues()),
        ...(reserved && { reservation: reserved.reservation }),
      };
      try {
        const { startUri } = await call(testSignIn, { path: { uid: at }, body });
        tab?.location.replace(startUri);
        return { startUri, isOpen: tab !== null };
      } catch (failure) {
        tab?.close();
        throw failure;
      }
    },
    gcTime: 0,
  });
  const start = async () => {
    if (uid === undefined || isPending) return;
    if (!(await form.trigger(["oidc.issuer", "oidc.clientId", "oidc.clientSecret"], { shouldFocus: true })))
      return;
    // Before the request: browsers open tabs only for a click.
    const tab = window.open("about:blank", "_blank");
    mutate(
      { at: uid, tab, settings },
      {
        onError: (failure) => {
          applyViolations(form, errorFacts(failure).violations);
        },
      },
    );
  };
  const facts = error ? errorFacts(error) : undefined;
  const isTested = variables?.settings === settings;
  return (
    <>
      <DisabledReason reason={reason ?? (uid === undefined ? "Choose a folder first." : undefined)}>
        <Button variant="default" onClick={() => void start()} aria-disabled={isPending || undefined}>
          {isPending ? "Opening…" : "Test sign-in"}
        </Button>
      </DisabledReason>
      <p className={classes["tested"]} role="status">
        {facts ? (
          facts.violations.length > 0 ? (
            facts.violations.map(({ description }) => asSentence(description)).join(" ")
          ) : (
            facts.message
          )
        ) : data && isTested ? (
          data.isOpen ? (
            "The new tab shows the result."
          ) : (
            <a href={data.startUri} target="_blank" rel="noopener">
              Open the test in a new tab
            </a>
          )
        ) : (
          "Not tested with these settings. A test doesn't sign anyone in or save anything. If the redirect URI isn't registered, the provider shows its own error page."
        )}
      </p>
    </>
  );
}
