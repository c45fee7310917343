import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { identityLink } from "~/domains/identities/identities/identity-link";
import { one } from "~/api/queries/queries";
import { identities } from "platform-contract/iam/identities";
import type { AccountAssociation } from "platform-contract/iam/account-associations";
import { updatedFact } from "~/frame/record/history";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { descriptionFact } from "~/ui/display/description-fact";
import { FactTable } from "~/ui/display/fact-table";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { AppLink } from "~/ui/layout/link";
import { placeFact } from "~/frame/scope/group-link";
import { RecordScreen } from "~/frame/record/record-screen";

import { Checks } from "./checks";
import { associationScreens, serviceBindingsOf, serviceWord } from "./data";

/** Links to an identity by name, or by uid if the name can't be read. */
function IdentityLink({ uid }: { readonly uid: string }): ReactNode {
  const { data, isPending } = useQuery(one(identities.get, { uid }));
  return (
    <AppLink target={identityLink(uid)}>
      <bdi>{data?.name || (isPending ? "…" : shorten(uid))}</bdi>
    </AppLink>
  );
}

/** Shows the accounts associated with a group. */
export function AssociationPage(): ReactNode {
  return (
    <RecordScreen of={associationScreens}>
      {(record) => (
        <>
          <DefinitionList
            items={[
              descriptionFact(record.description),
              placeFact(record.uid),
              { term: "Created", value: <Time value={record.createTime} /> },
              updatedFact("accountAssociations", record),
            ]}
          />
          <Clouds of={record} />
          <Installations of={record} />
          <Services of={record} />
          <Checks of={record} />
        </>
      )}
    </RecordScreen>
  );
}

function Clouds({ of: { amazon, google, azure } }: { readonly of: AccountAssociation }): ReactNode {
  const items = [
    ...(amazon ? [{ term: "AWS account", value: <Code value={amazon.account} what="account" /> }] : []),
    ...(google
      ? [
          { term: "Google project", value: <Code value={google.projectId} what="project ID" /> },
          {
            term: "Google project number",
            value: <Code value={google.projectNumber} what="project number" />,
          },
        ]
      : []),
    ...(azure ? [{ term: "Azure tenant", value: <Code value={azure.tenantId} what="tenant ID" /> }] : []),
    ...Object.entries(azure?.clientIds ?? {}).map(([component, id]) => ({
      term: `Azure client of ${component}`,
      value: <Code value={id} what="client ID" />,
    })),
  ];
  if (items.length === 0) return null;
  return (
    <Section title="Cloud accounts">
      <DefinitionList items={items} />
    </Section>
  );
}

function Installations({ of: { github } }: { readonly of: AccountAssociation }): ReactNode {
  const rows = Object.entries(github?.appInstallations ?? {}).flatMap(([app, { installations = [] }]) =>
    (installations.length > 0 ? installations : [{ installationId: "", name: "" }]).map(
      ({ installationId, name }) => [app, installationId, name && <bdi key="name">{name}</bdi>],
    ),
  );
  if (rows.length === 0) return null;
  return (
    <Section title="GitHub app installations" count={rows.length}>
      <FactTable caption="GitHub app installations" head={["App", "Installation", "Account"]} rows={rows} />
    </Section>
  );
}

function Services({ of: record }: { readonly of: AccountAssociation }): ReactNode {
  const bindings = serviceBindingsOf(record);
  if (bindings.length === 0) return null;
  return (
    <Section title="Platform services" count={bindings.length}>
      <FactTable
        caption="Platform services"
        head={["Service", "Acts as"]}
        rows={bindings.map(([principal, uid]) => [
          serviceWord(principal),
          <IdentityLink key="identity" uid={uid} />,
        ])}
      />
    </Section>
  );
}
