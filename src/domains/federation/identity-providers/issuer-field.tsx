import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { useFormContext, useFormState, useWatch } from "react-hook-form";

import { call } from "~/api/client/client";
import { useCan } from "~/frame/permissions/use-can";
import { asSentence } from "~/ui/display/as-sentence";
import { formatQuantity } from "~/ui/display/numbers";
import { Notice } from "~/ui/feedback/notice";
import { TextField } from "~/ui/form/fields";
import "~/ui/controls/button-styles";
import { oidcSettings } from "platform-contract/iam/identity-providers";
import { checkIssuer } from "platform-contract/iam/provider-setup";

import classes from "./styles.module.css";
import type { ProviderValues } from "./values";

/** The issuer of a provider in a group. Leaving it looks at what the issuer publishes, where the service can. */
export function IssuerField({ parent }: { readonly parent: string }): ReactNode {
  const { getValues } = useFormContext<ProviderValues>();
  const [left, setLeft] = useState("");
  return (
    <div onBlur={() => setLeft(getValues("oidc.issuer").trim())}>
      <TextField
        name="oidc.issuer"
        label="Issuer"
        required
        code
        type="url"
        hint="Must match the iss claim of its tokens exactly."
      />
      <IssuerCheck parent={parent} left={left} onUse={setLeft} />
    </div>
  );
}

interface IssuerCheckProps {
  readonly parent: string;
  /** What was in the field when it was left. */
  readonly left: string;
  readonly onUse: (issuer: string) => void;
}

function IssuerCheck({ parent, left, onUse }: IssuerCheckProps): ReactNode {
  const { providerSetup } = useRouteContext({ from: "__root__" }).config;
  const { setValue } = useFormContext<ProviderValues>();
  const [typed = "", scopes = []] = useWatch<ProviderValues, ["oidc.issuer", "oidc.additionalScopes"]>({
    name: ["oidc.issuer", "oidc.additionalScopes"],
  });
  // What a save says of the issuer stands below its field.
  const { errors } = useFormState<ProviderValues>({ name: "oidc.issuer" });
  const issuer = typed.trim();
  const { allowed } = useCan(checkIssuer, parent || undefined);
  const [asked, setAsked] = useState<readonly string[]>([]);
  // Those at the time, until the issuer is left again: not one check for each letter of a scope.
  const [before, setBefore] = useState(left);
  if (left !== before) {
    setBefore(left);
    setAsked(scopes);
  }
  const isAsked =
    providerSetup &&
    !errors.oidc?.issuer &&
    allowed &&
    parent !== "" &&
    left !== "" &&
    left === issuer &&
    oidcSettings.shape.issuer.safeParse(left).success;
  const query = { issuer: left, ...(asked.length > 0 && { additionalScopes: [...asked] }) };
  const { data, error, isFetching } = useQuery({
    queryKey: ["issuer check", parent, query] as const,
    meta: { requests: () => [{ endpoint: checkIssuer, path: { parent }, query }] },
    queryFn: ({ signal }) => call(checkIssuer, { path: { parent }, query, signal }),
    enabled: isAsked,
    staleTime: 60_000,
    retry: false,
  });
  if (!isAsked) return null;
  if (isFetching) return <p className={classes["check"]}>Checking the issuer…</p>;
  if (error || !data)
    return <p className={classes["check"]}>The issuer couldn't be checked right now. You can still save.</p>;
  const { violations = [], notes = [], issuer: right, signingKeyCount = 0, announcesPkce } = data;
  const use = () => {
    setValue("oidc.issuer", right ?? "", { shouldDirty: true, shouldValidate: true });
    onUse(right ?? "");
  };
  if (violations.length > 0)
    return (
      <div className={classes["checked"]}>
        <Notice
          tone="warning"
          role="status"
          title="Nobody could sign in with this issuer"
          actions={
            right !== undefined && right !== issuer ? (
              <Button variant="default" onClick={use}>
                Use {right}
              </Button>
            ) : undefined
          }
        >
          {violations.map(({ description }) => (
            <p key={description}>{asSentence(description)}</p>
          ))}
        </Notice>
      </div>
    );
  return (
    <div className={classes["check"]} role="status">
      <p>
        Found: {formatQuantity(signingKeyCount, "signing key", "signing keys")}
        {announcesPkce ? ", PKCE" : ""}
      </p>
      {notes.map(({ description }) => (
        <p key={description}>{asSentence(description)}</p>
      ))}
    </div>
  );
}
