import { Building2Icon, FolderIcon } from "lucide-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCurrentUser, isWithoutAccess } from "~/frame/permissions/current-user";
import { iconOf } from "~/frame/kind-icons";
import { Page, PageHeader } from "~/ui/layout/page";
import { useScope } from "~/frame/scope/scope";
import { useTitle } from "~/frame/scope/title";
import { useTopGroups, type TopGroups } from "~/frame/scope/top-groups";
import { uidToParam } from "~/frame/scope/uid-param";
import { onDemand } from "~/ui/on-demand";
import { Home } from "./home";
import styles from "./styles.module.css";
import { Button } from "@mantine/core";
import { groupPage } from "~/frame/scope/group-link";
import { useGroup } from "~/frame/scope/group-ancestry";
import { GroupBadges } from "~/frame/scope/group-badges";
import { kindOf, wordFor } from "~/frame/scope/group-words";
import { groups } from "platform-contract/iam/groups";
import "~/ui/controls/button-styles";
import { Section } from "~/ui/display/section";
import { AppLink } from "~/ui/layout/link";
import { AccessEverywhere, YourPermissions } from "./your-permissions";

/** The home page of a group, including its subfolders. */
function GroupHome({ uid }: { readonly uid: string }): ReactNode {
  const { group, error } = useGroup(uid);
  useTitle(group?.name);
  if (error && !group) throw error;

  return (
    <Page pending={group === undefined}>
      <PageHeader
        title={group?.name || wordFor(groups, uid)}
        icon={iconOf(kindOf(uid))}
        badges={group && <GroupBadges group={group} />}
        actions={
          <Button variant="default" component={AppLink} target={groupPage(uid)}>
            View details
          </Button>
        }
        description={group ? group.description : "Loading…"}
      />
      <Home key={uid} group={uid}>
        <Section title="Your access">
          <YourPermissions uid={uid} />
        </Section>
      </Home>
    </Page>
  );
}

const NoAccess = onDemand(async () => (await import("./no-access")).NoAccess);

/** The first screen: the home of the scope's group, of the user's only group, or of everything they can see. */
export function Overview(): ReactNode {
  const { group } = useScope();
  return group === undefined ? <Top /> : <GroupHome key={group} uid={group} />;
}

function Top(): ReactNode {
  const top = useTopGroups();
  const who = useCurrentUser();
  const { organizations, folders, more, state, error } = top;
  const [sole, second] = [...organizations, ...folders];
  if (sole && !second && !more && state === "ready") return <GroupHome uid={sole.uid} />;
  if (state === "failed") throw error;
  if (!sole && ((state === "ready" && !more) || isWithoutAccess(who))) return <NoAccess />;
  return <Everything top={top} />;
}

/** Maximum number of groups to list at the top. */
const SHOWN = 6;

function Everything({
  top: { organizations, folders, more, state },
}: {
  readonly top: TopGroups;
}): ReactNode {
  useTitle("Overview");
  if (state === "loading")
    return (
      <Page>
        <PageHeader icon={iconOf("")} title="Overview" description={"Loading\u2026"} />
      </Page>
    );
  const entries = [
    ...organizations.map(({ uid, name, description }) => ({ uid, name, description, kind: "Organization" })),
    ...folders.map(({ uid, name }) => ({ uid, name, description: undefined, kind: "Folder" })),
  ];
  const shown = entries.slice(0, SHOWN);
  return (
    <Page>
      <PageHeader
        icon={iconOf("")}
        title="Overview"
        description="Everything you can see. Choose an organization or folder to narrow it down."
      />
      <ul className={styles["choice"]}>
        {shown.map(({ uid, name, description, kind }) => (
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
      {(more || shown.length < entries.length) && (
        <p>
          <Link to="/groups">All groups</Link>
        </p>
      )}
      <Home group={undefined}>
        <Section title="Your access">
          <AccessEverywhere tops={shown} />
        </Section>
      </Home>
    </Page>
  );
}
