import { Building2Icon, FolderIcon } from "lucide-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useCurrentUser, isWithoutAccess } from "~/access/current-user";
import { Page, PageHeader } from "~/ui/layout/page";
import { useScope } from "~/features/scope/scope";
import { useTitle } from "~/features/scope/title";
import { useTopGroups, type TopGroups } from "~/features/scope/top-groups";
import { uidToParam } from "~/features/scope/uid-param";

import { AskAffected } from "./ask-affected";
import { GroupOverview } from "./group-overview";
import { NoAccess } from "./no-access";
import styles from "./overview.module.css";

/** The first screen: the group of the scope, the person's only organization, or a choice of all. */
export function Overview(): ReactNode {
  const { group } = useScope();
  return group === undefined ? <Top /> : <GroupOverview key={group} uid={group} />;
}

function Top(): ReactNode {
  const top = useTopGroups();
  const who = useCurrentUser();
  const { organizations, folders, more, state, error } = top;
  const [sole, second] = [...organizations, ...folders];
  if (sole && !second && !more && state === "ready") return <GroupOverview uid={sole.uid} />;
  if (state === "failed") throw error;
  if (!sole && ((state === "ready" && !more) || isWithoutAccess(who))) return <NoAccess />;
  return <Choice top={top} />;
}

function Choice({ top: { organizations, folders, more, state } }: { readonly top: TopGroups }): ReactNode {
  useTitle("Overview");
  if (state === "loading")
    return (
      <Page>
        <PageHeader title="Overview" description={"Loading\u2026"} />
      </Page>
    );
  const entries = [
    ...organizations.map(({ uid, name, description }) => ({ uid, name, description, kind: "Organization" })),
    ...folders.map(({ uid, name }) => ({ uid, name, description: undefined, kind: "Folder" })),
  ];
  return (
    <Page>
      <PageHeader title="Overview" description="Choose an organization or folder." />
      <AskAffected />
      <ul className={styles["choice"]}>
        {entries.map(({ uid, name, description, kind }) => (
          <li key={uid} className={styles["entry"]}>
            <span className={styles["icon"]}>
              {kind === "Folder" ? <FolderIcon size={16} /> : <Building2Icon size={16} />}
            </span>
            <span className={styles["words"]}>
              <Link to="/" search={{ group: uidToParam(uid) }} className={styles["link"]}>
                <bdi>{name}</bdi>
              </Link>
              <span className={styles["note"]}>{description || kind}</span>
            </span>
          </li>
        ))}
      </ul>
      {more && (
        <p>
          <Link to="/groups">All groups</Link>
        </p>
      )}
    </Page>
  );
}
