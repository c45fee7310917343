import type { ReactNode } from "react";

import type { Repo } from "~/contract/registry/repos";
import { Code } from "~/ui/display/code";
import { DefinitionList, type Definition } from "~/ui/display/definition-list";
import { FactTable } from "~/ui/display/fact-table";
import { Document } from "~/ui/display/json-document";
import { Section } from "~/ui/display/section";

import { Words } from "./words";

type Overlay = NonNullable<Repo["customOverlay"]>;

const words = (term: string, of: readonly string[] | undefined): Definition[] =>
  of && of.length > 0 ? [{ term, value: <Words of={of} />, wide: true }] : [];

const pairs = (term: string, map: Readonly<Record<string, string>> | undefined): Definition[] =>
  map && Object.keys(map).length > 0
    ? [
        {
          term,
          value: (
            <FactTable
              caption={term}
              head={["Key", "Value"]}
              rows={Object.entries(map).map(([key, value]) => [
                <code key="key">{key}</code>,
                value && <code key="value">{value}</code>,
              ])}
            />
          ),
          wide: true,
        },
      ]
    : [];

/** Documents by their names, each folded. */
const documents = (
  term: string,
  what: string,
  of: readonly { readonly name?: string; readonly content?: string }[] | undefined,
): Definition[] =>
  of && of.length > 0
    ? [
        {
          term,
          value: of.map(({ name, content }, index) => (
            <details key={index}>
              <summary>
                <code>{name}</code>
              </summary>
              <Document text={content ?? ""} what={what} />
            </details>
          )),
          wide: true,
        },
      ]
    : [];

function accountFacts({ runAs, users = [], groups = [] }: NonNullable<Overlay["accounts"]>): Definition[] {
  return [
    ...(runAs ? [{ term: "Run as", value: <Code value={runAs} what="user" />, wide: true }] : []),
    ...(users.length > 0
      ? [
          {
            term: "Users",
            value: (
              <FactTable
                caption="Users"
                head={["Name", "Id", "Group id", "Group", "Shell", "Home"]}
                rows={users.map(({ username, uid, gid, groupName, shell, homeDir }) =>
                  [username, uid, gid, groupName, shell, homeDir].map((each) => each?.toString()),
                )}
              />
            ),
            wide: true,
          },
        ]
      : []),
    ...(groups.length > 0
      ? [
          {
            term: "Groups",
            value: (
              <FactTable
                caption="Groups"
                head={["Name", "Id", "Members"]}
                rows={groups.map(({ groupname, gid, members }) => [
                  groupname,
                  gid?.toString(),
                  members?.join(", "),
                ])}
              />
            ),
            wide: true,
          },
        ]
      : []),
  ];
}

/** What is added to its images when they are built again. */
export function Overlay({ repo: { customOverlay } }: { readonly repo: Repo }): ReactNode {
  if (!customOverlay) return null;
  const { contents, environment, annotations, accounts, certificates } = customOverlay;
  const facts = [
    ...words("Packages", contents?.packages),
    ...words("Package sources", contents?.runtimeRepositories),
    ...documents("Package keys", "key", contents?.runtimeKeyring),
    ...pairs("Environment", environment),
    ...pairs("Annotations", annotations),
    ...(accounts ? accountFacts(accounts) : []),
    ...documents("Certificates", "certificate", certificates?.additional),
    ...words("Certificate packages", certificates?.providers),
  ];
  if (facts.length === 0) return null;
  return (
    <Section title="Custom overlay" description="Added to its images whenever they are built again.">
      <DefinitionList items={facts} />
    </Section>
  );
}
