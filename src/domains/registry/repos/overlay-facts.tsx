import type { ReactNode } from "react";

import type { Repo } from "platform-contract/registry/repos";
import { Code } from "~/ui/display/code";
import { DefinitionList, type Definition } from "~/ui/display/definition-list";
import { FactTable } from "~/ui/display/fact-table";
import { Document } from "~/ui/display/json-document";
import { Section } from "~/ui/display/section";

import { Words } from "./words";

type Overlay = NonNullable<Repo["customOverlay"]>;
type Documents = readonly { readonly name?: string; readonly content?: string }[];

/** One fact spanning both columns, or none if there is nothing to show. */
const fact = (term: string, size: number, value: ReactNode): Definition[] =>
  size > 0 ? [{ term, value, wide: true }] : [];

const words = (term: string, of: readonly string[] = []): Definition[] =>
  fact(term, of.length, <Words of={of} />);

const table = (
  term: string,
  head: readonly string[],
  rows: readonly (readonly ReactNode[])[],
): Definition[] => fact(term, rows.length, <FactTable caption={term} head={head} rows={rows} />);

const pairs = (term: string, map: Readonly<Record<string, string>> = {}): Definition[] =>
  table(
    term,
    ["Key", "Value"],
    Object.entries(map).map(([key, value]) => [
      <code key="key">{key}</code>,
      value && <code key="value">{value}</code>,
    ]),
  );

/** Documents by name, each collapsed. */
const documents = (term: string, what: string, of: Documents = []): Definition[] =>
  fact(
    term,
    of.length,
    of.map(({ name, content = "" }, index) => (
      <details key={index}>
        <summary>
          <code>{name}</code>
        </summary>
        <Document text={content} what={what} />
      </details>
    )),
  );

const accountFacts = ({ runAs = "", users = [], groups = [] }: NonNullable<Overlay["accounts"]>) => [
  ...fact("Run as", runAs.length, <Code value={runAs} what="user" />),
  ...table(
    "Users",
    ["Name", "Id", "Group id", "Group", "Shell", "Home"],
    users.map(({ username, uid, gid, groupName, shell, homeDir }) =>
      [username, uid, gid, groupName, shell, homeDir].map((each) => each?.toString()),
    ),
  ),
  ...table(
    "Groups",
    ["Name", "Id", "Members"],
    groups.map(({ groupname, gid, members }) => [groupname, gid?.toString(), members?.join(", ")]),
  ),
];

/** Shows the customizations that are added when the images are rebuilt. */
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
    <Section title="Custom overlay" description="Added to the images on every rebuild.">
      <DefinitionList items={facts} />
    </Section>
  );
}
