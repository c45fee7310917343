import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useCan, useRefusal } from "~/frame/permissions/use-can";
import { totalOf } from "~/api/client/wire";
import { Section } from "~/ui/display/section";
import { Offers } from "~/domains/access/access-requests/offers";
import { WaitingRequests } from "~/domains/access/access-requests/waiting";
import { OwnRequests } from "~/domains/access/access-requests/own-requests";
import { Attention } from "./attention";
import { Changed } from "./changed";
import { Counts } from "./counts";
import { HELD, newestQuery, listOf } from "./holdings";
import { Resolved } from "./resolved";
import { useHiddenKinds, hiddenText, type HiddenKinds } from "./use-hidden-kinds";
import styles from "./styles.module.css";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { isWithin, parentOf } from "platform-contract/aip";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import { RolesHeld } from "~/domains/access/current-user/roles-held";
import { useNow } from "~/ui/clock";
import { overviewOf } from "./your-permissions";
import { Button } from "@mantine/core";
import { PlusIcon, SearchIcon } from "lucide-react";
import type { Endpoint } from "platform-contract/endpoint";
import { Ask } from "~/domains/vulnerabilities/advisories/ask";
import { KINDS } from "platform-contract/kinds";
import "~/ui/controls/button-styles";
import { AppLink } from "~/ui/layout/link";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

interface QuickActionsProps {
  /** uid; if undefined, the forms ask for the group. */
  readonly group: string | undefined;
  readonly hidden: HiddenKinds;
}

interface Creatable {
  readonly collection: string;
  readonly access: { readonly create: Endpoint["access"] };
}

/** Links to the most used forms, and to the two most common questions. */
function QuickActions({ group, hidden }: QuickActionsProps): ReactNode {
  const refusal = useRefusal();
  const reasonOf = (collection: string): string | undefined => {
    const capability = hidden.missing.get(collection);
    return capability && hiddenText(capability);
  };
  const form = (label: string, { collection, access }: Creatable, drawer = "create") => (
    <DisabledReason reason={refusal({ access: access.create }, drawer === "create" ? group : "")}>
      <Button
        variant="default"
        leftSection={<PlusIcon size={14} />}
        component={AppLink}
        target={listOf(collection, group, { drawer })}
      >
        {label}
      </Button>
    </DisabledReason>
  );
  return (
    <Section title="Quick actions">
      <div className={styles["actions"]}>
        {form("Grant access", KINDS.roleBindings)}
        {form("Invite", KINDS.groupInvites)}
        {form("Create repo", KINDS.repos)}
        {form("Create identity", KINDS.identities)}
        {group === undefined
          ? form("Create organization", KINDS.groups, "create-organization")
          : form("Create folder", KINDS.groups)}
        <DisabledReason reason={reasonOf("identities")}>
          <Button
            variant="default"
            leftSection={<SearchIcon size={14} />}
            component={AppLink}
            target={listOf("identities", group, { drawer: "test-token" })}
          >
            Test a token
          </Button>
        </DisabledReason>
      </div>
      <div className={styles["ask"]}>
        <Ask refused={reasonOf("advisories")} />
      </div>
    </Section>
  );
}

const DAY_MS = 86_400_000;
/** Days before its end in which the home page names a role. */
const SOON_DAYS = 14;

/** Roles of the user that end soon, in a scope: those there and below, and those further up that count there. */
function endingSoon(bindings: readonly RoleBinding[], group: string | undefined, now: number): RoleBinding[] {
  const endOf = ({ expirationTime = "" }: RoleBinding): number => Date.parse(expirationTime);
  return bindings
    .filter((binding) => {
      const at = parentOf(binding.uid);
      const end = endOf(binding);
      return (
        end > now &&
        end <= now + SOON_DAYS * DAY_MS &&
        (group === undefined || isWithin(at, group) || isWithin(group, at))
      );
    })
    .toSorted((one, other) => endOf(one) - endOf(other));
}

/** Which of the user's access ends soon; nothing if none does. */
function EndingAccess({ group }: { readonly group: string | undefined }): ReactNode {
  const { bindings, roles } = useCurrentUser();
  const ending = endingSoon(bindings, group, useNow(60));
  if (ending.length === 0) return null;
  return (
    <Section
      title="Your access ends soon"
      count={ending.length}
      description="Ask those who gave it to you if you need it for longer."
    >
      <RolesHeld bindings={ending} roles={roles} linkTo={overviewOf} />
    </Section>
  );
}

interface HomeProps {
  /** uid; undefined for everything that the user can see. */
  readonly group: string | undefined;
  /** Comes last, below the first column, since its height is unknown until it loads. */
  readonly children?: ReactNode;
}

/** The home page of a scope: what needs attention, what changed, what it contains, and quick actions. */
export function Home({ group, children }: HomeProps): ReactNode {
  const hidden = useHiddenKinds(group);
  return (
    <div className={styles["home"]}>
      <div className={styles["figures"]}>
        <Counts group={group} hidden={hidden} />
      </div>
      <div className={styles["column"]}>
        <EndingAccess group={group} />
        <Offers />
        <OwnRequests unseen />
        <WaitingRequests group={group} />
        <Attention group={group} hidden={hidden} />
        <Changed group={group} />
      </div>
      <div className={styles["column"]}>
        <QuickActions group={group} hidden={hidden} />
        <ResolvedSection group={group} />
      </div>
      {children}
    </div>
  );
}

const REPOS = HELD.filter(({ kind }) => kind.collection === "repos");

/** Renders only if there are repos, so that nothing is loaded otherwise. */
function ResolvedSection({ group }: HomeProps): ReactNode {
  const [held] = REPOS;
  if (!held) throw new Error("There is no kind of repos");
  const { allowed } = useCan(held.list, group);
  const { data } = useQuery({ ...newestQuery(held, group), enabled: allowed });
  if (!data || data.items.length === 0) return null;
  return (
    <Section title="Resolved vulnerabilities" description="In the last 30 days.">
      <Resolved repos={data.items} total={Number(totalOf(data) ?? data.items.length)} />
    </Section>
  );
}
