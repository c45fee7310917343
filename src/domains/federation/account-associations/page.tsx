import { useQuery, useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { identityLink } from "~/frame/record/identity-link";
import { one } from "~/api/queries/queries";
import { identities } from "platform-contract/iam/identities";
import { type AccountAssociation, checkAccountAssociation } from "platform-contract/iam/account-associations";
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
import { useCan } from "~/frame/permissions/use-can";
import { call } from "~/api/client/client";
import { ActionButton } from "~/ui/controls/action-button";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { capitalize } from "~/ui/display/capitalize";

import { associationScreens, serviceBindingsOf, serviceWord, CHECKED } from "./data";
import classes from "./styles.module.css";

/** Everything but ready and not ready is not known. */
const outcomeOf = (status: string | undefined) =>
  status === "CHECK_STATUS_READY"
    ? ({ tone: "success", words: "ready" } as const)
    : status === "CHECK_STATUS_NOT_READY"
      ? ({ tone: "warning", words: "not ready" } as const)
      : ({ tone: "info", words: "not checked" } as const);

/** Has the service try to sign in at a provider, and shows the result. */
function Checks({ of: record }: { readonly of: AccountAssociation }): ReactNode {
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
