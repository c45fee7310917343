import type { ReactNode } from "react";

import type { Repo } from "platform-contract/registry/repos";
import { paramToUid } from "~/frame/scope/uid-param";
import { useCleanAddress } from "~/frame/clean-address";
import type { PageView } from "~/frame/define";
import type { Address } from "~/frame/scope/address";
import { RecordScreen } from "~/frame/record/record-screen";
import { useView } from "~/frame/use-view";
import { readAccess, type AccessView } from "~/domains/access/grants/links";
import { onDemand } from "~/ui/on-demand";
import { Code } from "~/ui/display/code";
import { DefinitionList, type Definition } from "~/ui/display/definition-list";
import { FactTable } from "~/ui/display/fact-table";
import { Document } from "~/ui/display/json-document";
import { Section } from "~/ui/display/section";

import { PullsOf } from "~/domains/registry/usage/pulls";

import { repoScreens } from "./data";
import { RepoFacts, SyncFacts } from "./facts";
import { CreateTag, useRepoHead } from "./head";
import { Readme } from "./readme";
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
function Overlay({ repo: { customOverlay } }: { readonly repo: Repo }): ReactNode {
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

// The other tabs do not need it.
const WhoHasAccess = onDemand(
  async () => (await import("~/domains/access/role-bindings/who-has-access")).WhoHasAccess,
);

/** Reads the search parameters of the page: the overview, or who has access. */
const readPage = (address: Address): AccessView => ({
  ...repoScreens.readPage(address),
  ...readAccess(address),
});

/** Shows one repo: its fields, the source of its images, and its readme; or who has access to it. */
export function RepoPage(): ReactNode {
  const { open } = useView<PageView>();
  const { tab, drawer, item, can } = useCleanAddress(readPage);
  const access = tab === "access";
  const head = {
    ...useRepoHead(access ? "Who has access" : "Overview"),
    of: { ...repoScreens, readPage },
    primary: ({ uid }: Repo) => <CreateTag uid={uid} />,
  };
  if (access)
    return (
      <RecordScreen {...head}>
        {({ uid }) => (
          <WhoHasAccess uid={uid} of="repo" view={{ drawer, item: item && paramToUid(item), can }} />
        )}
      </RecordScreen>
    );
  return (
    <RecordScreen {...head} last={(repo) => <Readme repo={repo} onEdit={() => open("readme")} />}>
      {(repo) => <RepoOverview repo={repo} />}
    </RecordScreen>
  );
}

const RepoOverview = ({ repo }: { readonly repo: Repo }): ReactNode => (
  <>
    <RepoFacts repo={repo} />
    <SyncFacts repo={repo} />
    <PullsOf uid={repo.uid} pushed={repo.createTime} />
    <Overlay repo={repo} />
  </>
);
