import { useRouteContext } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useQuery } from "@tanstack/react-query";

import { parentOf } from "platform-contract/aip";
import type { IdentityProvider } from "platform-contract/iam/identity-providers";
import { updatedFact } from "~/frame/record/history";
import { placeFact } from "~/frame/scope/group-link";
import { uidToParam } from "~/frame/scope/uid-param";
import { RecordScreen } from "~/frame/record/record-screen";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { descriptionFact } from "~/ui/display/description-fact";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { useRefusal } from "~/frame/permissions/use-can";
import { generateScimToken, revokeScimToken, setScimEnabled } from "platform-contract/iam/scim";
import { ActionButton } from "~/ui/controls/action-button";
import { Expiry } from "~/ui/display/expiry";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { State } from "~/ui/display/state";
import { FailedPart } from "~/ui/feedback/failed-part";
import { onDemand } from "~/ui/on-demand";

import { identityProviderScreens, loadDrawers } from "./data";
import { GroupMappings } from "./group-mappings";
import { RoleName } from "./role-name";
import { SignIns } from "./sign-ins";
import classes from "./styles.module.css";
import { BY_OID } from "./values";
import { usePushed } from "./pushed";

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
function DirectorySync({ record }: { readonly record: IdentityProvider }): ReactNode {
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

/** Shows one identity provider: its sign-in settings, and the roles that its groups are mapped to. */
export function IdentityProviderPage(): ReactNode {
  return (
    <RecordScreen
      of={identityProviderScreens}
      last={({ uid }) => (
        <>
          <GroupMappings provider={uid} />
          <SignIns provider={uid} />
        </>
      )}
    >
      {(record) => (
        <>
          <DefinitionList
            items={[
              descriptionFact(record.description),
              placeFact(parentOf(record.uid)),
              { term: "Default role", value: <RoleName uid={record.defaultRole ?? ""} /> },
              { term: "Created", value: <Time value={record.createTime} /> },
              updatedFact("identityProviders", record),
            ]}
          />
          <Addresses uid={record.uid} />
          <Connection record={record} />
          {record.scim === undefined ? null : <DirectorySync record={record} />}
        </>
      )}
    </RecordScreen>
  );
}

function Addresses({ uid }: { readonly uid: string }): ReactNode {
  const { authority } = useRouteContext({ from: "__root__" }).config.oidc;
  const link = new URL(document.baseURI);
  link.search = `?provider=${uidToParam(uid)}`;
  return (
    <Section title="Setup">
      <DefinitionList
        items={[
          {
            term: "Redirect URI",
            value: <Code value={`${authority}/callback/${uid}`} what="redirect URI" />,
            wide: true,
          },
          { term: "Sign-in link", value: <Code value={link.href} what="sign-in link" />, wide: true },
        ]}
      />
      <p className={classes["quiet"]}>
        Register the redirect URI at the provider. Share the sign-in link with the people who use it; their
        browser remembers it.
      </p>
    </Section>
  );
}

function Connection({ record }: { readonly record: IdentityProvider }): ReactNode {
  const {
    issuer = "",
    clientId = "",
    pkceEnabled = false,
    additionalScopes = [],
    groupsClaim,
    correlationRule,
  } = record.oidc ?? {};
  return (
    <Section title="OpenID Connect">
      <DefinitionList
        items={[
          { term: "Issuer", value: <Code value={issuer} what="issuer" />, wide: true },
          { term: "Client ID", value: <Code value={clientId} what="client ID" />, wide: true },
          { term: "Client secret", value: pkceEnabled ? "Not needed: PKCE" : "Stored, never shown" },
          { term: "Scopes", value: ["openid", ...additionalScopes].join(" ") },
          { term: "Matched by", value: <code>{correlationRule === BY_OID ? "oid" : "sub"}</code> },
          { term: "Groups claim", value: groupsClaim && <code>{groupsClaim}</code> },
        ]}
      />
    </Section>
  );
}
