import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import type { IdentityProvider } from "platform-contract/iam/identity-providers";
import { generateScimToken, revokeScimToken, setScimEnabled } from "platform-contract/iam/scim";
import { ActionButton } from "~/ui/controls/action-button";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { Expiry } from "~/ui/display/expiry";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { State } from "~/ui/display/state";
import { Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";
import { onDemand } from "~/ui/on-demand";

import { usePushed } from "./pushed";
import { loadDrawers } from "./data";
import classes from "./styles.module.css";

const IssueToken = onDemand(async () => (await loadDrawers()).IssueToken);
const RevokeToken = onDemand(async () => (await loadDrawers()).RevokeToken);
const SwitchScim = onDemand(async () => (await loadDrawers()).SwitchScim);

/** Days before the end of a token at which it is marked. */
const SOON = 30;

const TOKENS: Readonly<Record<string, readonly [tone: "success" | "warning" | "none", text: string]>> = {
  CREDENTIAL_STATE_LIVE: ["success", "Valid"],
  CREDENTIAL_STATE_ROTATING: ["success", "Valid (two tokens)"],
  CREDENTIAL_STATE_EXPIRED: ["warning", "Expired"],
  CREDENTIAL_STATE_REVOKED: ["warning", "Revoked"],
};

/** SCIM of an identity provider: its address, its token, and what the directory has pushed. */
export function DirectorySync({ record }: { readonly record: IdentityProvider }): ReactNode {
  const { uid, scim = {} } = record;
  const [open, setOpen] = useState<"token" | "revoke" | "switch">();
  const refusal = useRefusal();
  const { enabled = false, endpointUrl = "", credentialState = "" } = scim;
  const [tone, text] = TOKENS[credentialState] ?? ["none", "Not created yet"];
  const isIssued = tone === "success" || credentialState === "CREDENTIAL_STATE_EXPIRED";
  const close = () => setOpen(undefined);
  return (
    <Section
      title="Directory sync"
      description="A directory such as Entra ID or Okta can push people and groups with SCIM 2.0. Their roles from group mappings then follow the directory at once, and whoever is deactivated there can't sign in."
      actions={
        <>
          {isIssued ? (
            <ActionButton reason={refusal(revokeScimToken, uid)} onClick={() => setOpen("revoke")}>
              Revoke token
            </ActionButton>
          ) : null}
          <ActionButton reason={refusal(generateScimToken, uid)} onClick={() => setOpen("token")}>
            {isIssued ? "Replace token" : "Create token"}
          </ActionButton>
          <ActionButton reason={refusal(setScimEnabled, uid)} onClick={() => setOpen("switch")}>
            {enabled ? "Turn off" : "Turn on"}
          </ActionButton>
        </>
      }
    >
      <DefinitionList
        items={[
          { term: "Base URL", value: <Code value={endpointUrl} what="base URL" />, wide: true },
          {
            term: "Sync",
            value: <State tone={enabled ? "success" : "none"}>{enabled ? "On" : "Off"}</State>,
          },
          { term: "Token", value: <State tone={tone}>{text}</State> },
          ...(isIssued
            ? [
                {
                  term: "Token expires",
                  value:
                    scim.tokenExpireTime === undefined ? (
                      "Never"
                    ) : (
                      <Expiry value={scim.tokenExpireTime} soon={SOON} />
                    ),
                },
              ]
            : []),
          ...(scim.previousTokenExpireTime === undefined
            ? []
            : [{ term: "Previous token expires", value: <Time value={scim.previousTokenExpireTime} /> }]),
        ]}
      />
      <PushedFacts provider={uid} />
      {open === "token" ? <IssueToken record={record} isFirst={!isIssued} onClose={close} /> : null}
      {open === "revoke" ? <RevokeToken record={record} onClose={close} /> : null}
      {open === "switch" ? <SwitchScim record={record} onClose={close} /> : null}
    </Section>
  );
}

/** What the directory has pushed so far, where the service can tell. */
function PushedFacts({ provider }: { readonly provider: string }): ReactNode {
  const { data, error, refetch } = useQuery(usePushed(provider));
  if (error && !data)
    return <FailedPart title="What was pushed couldn't be loaded" error={error} onRetry={refetch} />;
  if (!data) return null;
  const { userCount = 0, activeUserCount = 0, groupCount = 0, pushTime } = data;
  if (pushTime === undefined) return <p className={classes["quiet"]}>Nothing pushed yet</p>;
  return (
    <DefinitionList
      items={[
        {
          term: "Pushed people",
          value:
            activeUserCount === userCount
              ? formatCount(userCount)
              : `${formatCount(userCount)}, of which ${formatCount(activeUserCount)} are active`,
        },
        { term: "Pushed groups", value: formatQuantity(groupCount, "group", "groups") },
        { term: "Last push", value: <Time value={pushTime} /> },
      ]}
    />
  );
}
