import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

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

import { identityProviderScreens } from "./data";
import { DirectorySync } from "./directory";
import { GroupMappings } from "./group-mappings";
import { RoleName } from "./role-name";
import classes from "./styles.module.css";
import { BY_OID } from "./values";

/** Shows one identity provider: its sign-in settings, and the roles that its groups are mapped to. */
export function IdentityProviderPage(): ReactNode {
  return (
    <RecordScreen of={identityProviderScreens} last={({ uid }) => <GroupMappings provider={uid} />}>
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
