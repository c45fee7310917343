import { linkOptions, useSearch, useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import type { Identity } from "platform-contract/iam/identities";
import { WhatItPulls } from "~/domains/registry/usage/pulls";
import { isPerson } from "~/frame/scope/people";
import { uidToParam } from "~/frame/scope/uid-param";
import { useView } from "~/frame/use-view";
import { updatedFact } from "~/frame/record/history";
import { Badge } from "~/ui/display/badge";
import { Dash } from "~/ui/display/dash";
import { DefinitionList, type Definition } from "~/ui/display/definition-list";
import { Time } from "~/ui/display/time";
import { placeFact } from "~/frame/scope/group-link";
import { RecordScreen } from "~/frame/record/record-screen";
import { Tabs } from "~/ui/layout/tabs";
import { onDemand } from "~/ui/on-demand";
import { Code } from "~/ui/display/code";
import { Section } from "~/ui/display/section";
import { Document } from "~/ui/display/json-document";

import { createIdentityIn } from "~/domains/access/grants/links";
import { useKeepsOwners } from "~/domains/access/machine-owners/data";
import { OwnerFact } from "~/domains/access/machine-owners/owner-fact";
import { EligibleSection } from "~/domains/access/eligible-grants/lazy-parts";
import { UseOf } from "~/domains/access/use/use-of";
import { decisionPage } from "~/domains/access/decisions/links";
import { identityTab, readEffective } from "./effective-access/links";
import { IdentityBindings } from "./bindings";
import { identityScreens } from "./data";
import { IssuerNote } from "./issuer-note";
import { LastSeen } from "./last-seen-column";
import { StaticKeys } from "./static-keys";
import { typeWord } from "./words";
import classes from "./styles.module.css";
import { matchFacts, type Fact } from "./match-facts";
import { unknownMembers } from "./unknown-members";
import { exchangeTexts } from "./exchange-files";

/** Shows how a workload exchanges its own token for one of the platform, if this service can. */
function Exchange({ identity }: { readonly identity: Identity }): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  const texts = config.tokenExchange ? exchangeTexts(identity, config.apiBaseUrl) : [];
  if (texts.length === 0) return null;
  return (
    <Section
      title="Get a token"
      description="The workload sends its own token, here in OIDC_TOKEN, and gets one of the platform that is valid for an hour. To limit it, add &cap=repo.list (permissions) or &scopes= and the uid of a folder to the URL."
    >
      {texts.map(({ label, file, text }) => (
        <div key={label} className={classes["exchange"]}>
          <h3>
            {label}
            {file ? (
              <>
                : <code>{file}</code>
              </>
            ) : null}
          </h3>
          <Document text={text} what={file ?? "command"} />
        </div>
      ))}
    </Section>
  );
}

const definitionOf = ({ term, text, code }: Fact): Definition => ({
  term,
  value: code ? <Code value={text} what={term.toLowerCase()} /> : <bdi>{text}</bdi>,
  wide: true,
});

/** Shows what a token must contain to match this identity. */
function MatchedBy({ identity }: { readonly identity: Identity }): ReactNode {
  const unknown = unknownMembers(identity).map(({ path, text }) => ({ term: path, text, code: true }));
  const facts = [...matchFacts(identity), ...unknown];
  return (
    <Section title="Sign-in rule">
      <DefinitionList items={facts.map(definitionOf)} />
    </Section>
  );
}

// The other tab doesn't need it.
const Permissions = onDemand(async () => (await import("./effective-access/permissions")).Permissions);

/** Shows one identity, machine or person: how it signs in, its roles, and what they allow. */
export function IdentityPage(): ReactNode {
  const tab = useSearch({ strict: false, select: (search) => readEffective(search).tab });
  const can = useSearch({ strict: false, select: (search) => readEffective(search).can });
  const keepsOwners = useKeepsOwners();
  const { config } = useRouteContext({ from: "__root__" });
  const { open } = useView<{ drawer?: string }>();
  return (
    <RecordScreen
      of={identityScreens}
      badges={(identity) => <Badge tone="quiet">{typeWord(identity)}</Badge>}
      actions={({ uid }) => [
        { label: "Duplicate", link: createIdentityIn(parentOf(uid), uid) },
        { label: "Why it can or can't do something", link: decisionPage({ identity: uid }) },
        ...(config.auditLog
          ? [
              {
                label: "A token of it has leaked",
                link: linkOptions({ to: "/leaked-token", search: { identity: uidToParam(uid) } }),
              },
            ]
          : []),
      ]}
      tabs={(uid) => (
        <Tabs
          label="Identity pages"
          tabs={[
            { label: "Overview", link: identityTab(uid) },
            { label: "Permissions", link: identityTab(uid, "access") },
          ]}
          current={tab === "access" ? "Permissions" : "Overview"}
        />
      )}
    >
      {(identity) =>
        tab === "access" ? (
          <Permissions identity={identity} can={can} />
        ) : (
          <>
            <DefinitionList items={factsOf(identity, keepsOwners ? () => open("owner") : undefined)} />
            <MatchedBy identity={identity} />
            {identity.staticKeys ? <StaticKeys identity={identity} staticKeys={identity.staticKeys} /> : null}
            <IssuerNote issuer={identity.claimMatch?.issuer ?? ""} />
            <IdentityBindings identity={identity} />
            {isPerson(identity.uid) && config.eligibleGrants ? (
              <EligibleSection identity={identity.uid} />
            ) : null}
            <UseOf identity={identity.uid} />
            <WhatItPulls identity={identity.uid} />
            {isPerson(identity.uid) ? null : <Exchange identity={identity} />}
          </>
        )
      }
    </RecordScreen>
  );
}

/** `onOwner` opens the form for the owner; undefined if the service keeps none. */
function factsOf(identity: Identity, onOwner: (() => void) | undefined): Definition[] {
  const { uid, description, company, createTime } = identity;
  const person = isPerson(identity.uid);
  const text = description && (
    <p className={classes["prose"]} dir="auto">
      {description}
    </p>
  );
  return [
    // People have no description unless a service sets one.
    ...(person && !text ? [] : [{ term: "Description", value: text, wide: true }]),
    person ? { term: "Email", value: <Email of={identity} /> } : placeFact(parentOf(uid)),
    ...(onOwner && !person
      ? [{ term: "Owner", value: <OwnerFact machine={uid} onChange={onOwner} />, wide: true }]
      : []),
    { term: "Last seen", value: <LastSeen identity={identity} /> },
    ...(company ? [{ term: "Company", value: <bdi>{company}</bdi> }] : []),
    { term: "Created", value: <Time value={createTime} /> },
    updatedFact("identities", identity),
  ];
}

/** Of accounts of this installation it isn't known here whether they confirmed their address: nothing is said. */
function Email({ of: { email, emailUnverified, claimMatch } }: { readonly of: Identity }): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  if (email) return <bdi>{email}</bdi>;
  if (!emailUnverified) return <Dash />;
  return (
    <>
      <bdi>{emailUnverified}</bdi>{" "}
      {claimMatch?.issuer === config.oidc.authority ? null : <Badge>Not verified</Badge>}
    </>
  );
}
