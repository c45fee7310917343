import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import {
  BotIcon,
  BracesIcon,
  CloudIcon,
  FileKeyIcon,
  ServerIcon,
  UserIcon,
  WorkflowIcon,
  type LucideIcon,
} from "lucide-react";

import { isWithoutAccess, useCurrentUser } from "~/frame/permissions/current-user";
import { createIdentityIn } from "~/domains/access/grants/links";
import { decisionPage } from "~/domains/access/decisions/links";
import { PULL } from "platform-contract/capability";
import { parentOf } from "platform-contract/aip";
import { type Identity, identities } from "platform-contract/iam/identities";
import { ImportLink } from "~/frame/list/import-link";
import { ActionButton } from "~/ui/controls/action-button";
import "~/ui/controls/button-styles";
import { Dash } from "~/ui/display/dash";
import { Expiry } from "~/ui/display/expiry";
import { NothingYet } from "~/ui/feedback/empty";
import { AppLink } from "~/ui/layout/link";
import { onDemand } from "~/ui/on-demand";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";
import { useBulkDelete } from "~/frame/list/bulk-delete";
import { NoAccessYet } from "~/frame/list/no-access-yet";
import { createdColumn, descriptionColumn, FolderName, groupColumn, nameColumn } from "~/frame/list/columns";
import { CreateButton } from "~/frame/list/create-button";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";
import { useScope, type Scope } from "~/frame/scope/scope";
import { useTopGroups } from "~/frame/scope/top-groups";
import { infinite, rowsOf } from "~/api/queries/queries";
import { machinesAtRoot } from "~/frame/scope/people";
import { Kind } from "~/ui/display/kind";
import { visible } from "~/ui/display/visible";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import { PULL_TOKEN } from "~/domains/identities/pull-token/links";
import { usePullTokenRefusal } from "~/domains/identities/pull-token/use-refused";

import { identityTab } from "./effective-access/links";
import { identityScreens, KEYS_EXPIRE, loadDrawers } from "./data";
import { seenColumn } from "./last-seen-column";
import { matchesOf, typeWord } from "./words";
import classes from "./styles.module.css";

/** Number of trailing characters that always show: subjects often share a prefix. */
const TAIL = 22;

/** Shows what an identity matches in one monospace line, truncated in the middle. */
function Matches({ identity }: { readonly identity: Identity }): ReactNode {
  const { text: matched, whole, note } = matchesOf(identity);
  if (matched === "") return <Dash />;
  const text = visible(matched);
  const letters = [...text];
  const head = letters.slice(0, -TAIL).join("");
  const tip = whole === undefined ? (letters.length > TAIL ? text : undefined) : visible(whole);
  const halves = (
    <>
      <VisuallyHidden>{text}</VisuallyHidden>
      <code
        className={classes["halves"]}
        dir="ltr"
        data-exact={matched}
        data-tip={note ? undefined : tip}
        aria-hidden
      >
        <span className={classes["head"]}>{head}</span>
        {text.slice(head.length)}
      </code>
    </>
  );
  return note ? (
    <span className={classes["matches"]} data-tip={tip}>
      {halves}
      <span className={classes["note"]}>{note}</span>
    </span>
  ) : (
    halves
  );
}

const ICONS: Readonly<Record<string, LucideIcon>> = {
  Person: UserIcon,
  "GitHub Actions": WorkflowIcon,
  "OIDC claims": BracesIcon,
  "Static keys": FileKeyIcon,
  AWS: CloudIcon,
  "Platform service": ServerIcon,
};

/** How an identity signs in. */
function TypeCell({ identity }: { readonly identity: Identity }): ReactNode {
  const word = typeWord(identity);
  const Icon = ICONS[word] ?? BotIcon;
  return <Kind icon={Icon}>{word}</Kind>;
}

/** Names the clients of the service that have a role in a visible group: at the root level, no scope lists them. */
function ServiceClients(): ReactNode {
  const uids = [...machinesAtRoot()];
  const { data } = useInfiniteQuery({
    ...infinite(identities.list, { "uidp.ids": uids, page_size: uids.length }),
    enabled: uids.length > 0,
  });
  return rowsOf(data).rows.map(({ uid, name }) => (
    <span key={uid}>
      {" "}
      <AppLink target={identityScreens.link(uid)}>
        <bdi>{name}</bdi>
      </AppLink>
      , a client of the service itself, also has a role in your groups.
    </span>
  ));
}

/**
 * Returns the scope of the address, or else the only organization that the user can see. An unscoped list would mix
 * people with machines: the API has no filter for "not at the root level".
 */
function useMachineScope(): { readonly scope: Scope; readonly known: boolean } {
  const scope = useScope();
  const withoutAccess = isWithoutAccess(useCurrentUser());
  const { organizations, folders, more, state } = useTopGroups();
  if (scope.group !== undefined) return { scope, known: true };
  const [sole] = organizations;
  if (sole && organizations.length === 1 && folders.length === 0 && !more)
    return { scope: { ...scope, group: sole.uid }, known: true };
  // For a user without access the groups stay unknown.
  return { scope, known: state !== "loading" || organizations.length > 0 || withoutAccess };
}

// With the decoder, the patterns and the comparison of tokens.
const TokenTester = onDemand(async () => (await import("./token-tester/tester")).TokenTester);

const IdentityActs = onDemand(async () => (await loadDrawers()).IdentityActs);

const columns: readonly Column<Identity>[] = [
  nameColumn(),
  {
    id: "kind",
    header: "Type",
    width: "10rem",
    hideBelow: 760,
    cell: (identity) => <TypeCell identity={identity} />,
    text: typeWord,
  },
  {
    id: "matches",
    header: "Matches",
    width: "minmax(10rem, 5fr)",
    cell: (identity) => <Matches identity={identity} />,
    text: (identity) => {
      const { text, whole = text } = matchesOf(identity);
      return whole;
    },
  },
  seenColumn,
  // The identities of folders stand among those of the organization.
  groupColumn({ width: "minmax(10rem, 4fr)", hideBelow: 880 }),
  {
    id: "expires",
    header: "Keys expire",
    width: "9rem",
    hideBelow: 1180,
    cell: ({ staticKeys }) =>
      staticKeys ? <Expiry value={staticKeys.expirationTime} soon={KEYS_EXPIRE} /> : <Dash label="no keys" />,
    text: ({ staticKeys }) => staticKeys?.expirationTime ?? "",
  },
  createdColumn({ hideBelow: 1100 }),
  descriptionColumn({ width: "minmax(8rem, 3fr)", optional: true }),
  uidColumn,
];

const WORKLOADS = (
  <>
    Workloads that can sign in here: CI jobs, clusters, services.
    <ServiceClients />
  </>
);

/** Lists the machine identities of a scope. */
export function IdentityList(): ReactNode {
  const { scope, known } = useMachineScope();
  const withoutAccess = isWithoutAccess(useCurrentUser());
  const list = useListScreen(identityScreens, { scope, enabled: known });
  const selection = useBulkDelete(
    list,
    "Workloads using these identities will lose access immediately. Their role bindings are removed too.",
    { typed: true, More: IdentityActs },
  );
  const pullTokenRefusal = usePullTokenRefusal();
  const create = <CreateButton list={list}>Create identity</CreateButton>;
  const text = list.search["contains"] ?? list.search["name"];
  // Full page: its tables are too wide for a drawer.
  if (list.search.drawer === "test-token")
    return <TokenTester scope={scope} known={known} onClose={list.close} />;
  return (
    <ListPage
      list={list}
      description={
        known && scope.group === undefined
          ? "All identities, including people. Choose a group under Scope to list only its workloads."
          : WORKLOADS
      }
      actions={
        <>
          <ImportLink list={list} kind="identities" />
          <Button variant="default" component={AppLink} target={{ to: "/migrate" }}>
            Migrate CI
          </Button>
          <ActionButton reason={undefined} onClick={() => list.open("test-token")}>
            Test a token
          </ActionButton>
          <ActionButton
            reason={list.createRefusal ?? pullTokenRefusal(list.scope.group)}
            onClick={() => list.open(PULL_TOKEN)}
          >
            Create pull token
          </ActionButton>
        </>
      }
      action={create}
    >
      {/* Wait for the scope, which determines the filters: a filter that appears late would move the list. */}
      {withoutAccess ? (
        <NoAccessYet />
      ) : known ? (
        <>
          <ListFilters list={list} columns={columns} />
          <ListRows
            list={list}
            columns={columns}
            summary={(identity) => (
              <>
                <FolderName uid={identity.uid} />
                <Matches identity={identity} />
              </>
            )}
            aside={(identity) => <TypeCell identity={identity} />}
            actions={({ uid }) => [
              { label: "Duplicate", link: createIdentityIn(parentOf(uid), uid) },
              { label: "Where it can pull", link: identityTab(uid, "access", PULL) },
              { label: "Why it can or can't do something", link: decisionPage({ identity: uid }) },
            ]}
            selection={selection}
            elsewhere={
              text === undefined || scope.group === undefined ? undefined : (
                <p>
                  Only machines are listed here.{" "}
                  <AppLink target={{ to: "/people", search: { contains: text } }}>
                    Search people for <bdi>{text}</bdi>
                  </AppLink>
                </p>
              )
            }
          >
            <NothingYet title="No identities here yet" action={create}>
              An identity lets a CI job, a cluster or a cloud role sign in with its own tokens, without a
              stored secret.
            </NothingYet>
          </ListRows>
        </>
      ) : (
        <p className={classes["quiet"]}>Loading…</p>
      )}
    </ListPage>
  );
}
