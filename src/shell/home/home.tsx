import type { ReactNode } from "react";
import { thePast } from "~/api/client/moment";
import { useRefusal } from "~/frame/permissions/use-can";
import { Section } from "~/ui/display/section";
import { NothingYet } from "~/ui/feedback/empty";
import { Offers } from "~/domains/access/access-requests/offers";
import { WaitingRequests } from "~/domains/access/access-requests/waiting";
import { OwnRequests } from "~/domains/access/access-requests/own-requests";
import { Attention, useAttention } from "./attention";
import { Changed } from "./changed";
import { Counts } from "./counts";
import { HELD, listOf } from "./holdings";
import { Resolved } from "./resolved";
import { useHiddenKinds, hiddenText, type HiddenKinds } from "./use-hidden-kinds";
import { useNewest } from "./use-newest";
import styles from "./styles.module.css";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { isUntold } from "~/frame/permissions/rules";
import { untoldReason } from "~/frame/scope/use-sight";
import { isWithin, parentOf } from "platform-contract/aip";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import { RolesHeld } from "~/domains/access/current-user/roles-held";
import { useNow } from "~/ui/clock";
import { kindOf } from "~/frame/scope/group-words";
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
  readonly plural: string;
  readonly access: { readonly create: Endpoint["access"] };
}

/** Links to the most used forms, and to the two most common questions. */
function QuickActions({ group, hidden }: QuickActionsProps): ReactNode {
  const refusal = useRefusal();
  const who = useCurrentUser();
  const reasonOf = (collection: string): string | undefined => {
    const capability = hidden.missing.get(collection);
    return capability && hiddenText(capability);
  };
  const form = (label: string, { collection, plural, access }: Creatable, drawer = "create") => (
    <DisabledReason
      reason={
        refusal({ access: access.create }, drawer === "create" ? group : "") ??
        (drawer === "create" && isUntold(who, group) && hidden.missing.has(collection)
          ? untoldReason(plural)
          : undefined)
      }
    >
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
/** A role given for a few days ends soon only when a quarter of that time is left. */
const LAST_PART = 1 / 4;

/** Roles of the user that end soon, in a scope: those there and below, and those further up that count there. */
function endingSoon(bindings: readonly RoleBinding[], group: string | undefined, now: number): RoleBinding[] {
  const endOf = ({ expirationTime = "" }: RoleBinding): number => Date.parse(expirationTime);
  const soon = (binding: RoleBinding): number => {
    const granted = Date.parse(binding.createTime ?? "");
    const part = Number.isNaN(granted) ? Infinity : (endOf(binding) - granted) * LAST_PART;
    return Math.min(SOON_DAYS * DAY_MS, part);
  };
  return bindings
    .filter((binding) => {
      const at = parentOf(binding.uid);
      const end = endOf(binding);
      return (
        end > now &&
        end <= now + soon(binding) &&
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
  /** What the user can do here. Comes last, since its height is unknown until it loads; first for those who see little. */
  readonly children?: ReactNode;
}

/** True once it is known that a scope holds nothing but the roles granted on it. */
function useIsEmpty(group: string | undefined, { missing, asking }: HiddenKinds): boolean {
  const newest = useNewest(HELD, group);
  if (missing.size > 0 || asking.size > 0) return false;
  return newest
    .filter(({ held: { kind } }) => kind !== KINDS.roleBindings && kind !== KINDS.roles)
    .every(({ total }) => total !== undefined && Number(total) === 0);
}

/** The home page of a scope: what it contains, what needs attention, what changed, and quick actions. */
export function Home({ group, children }: HomeProps): ReactNode {
  const hidden = useHiddenKinds(group);
  const isEmpty = useIsEmpty(group, hidden);
  const attention = useAttention({ group, hidden });
  // Whoever can see little is shown what they can do, before what they can't see.
  const isLimited = hidden.missing.size > HELD.length / 2;
  const first = (
    <>
      <EndingAccess group={group} />
      <Offers />
      <OwnRequests unseen />
      <WaitingRequests group={group} />
    </>
  );
  if (isEmpty && group !== undefined)
    return (
      <div className={styles["column"]}>
        {first}
        <EmptyPlace group={group} />
        {children}
      </div>
    );
  return (
    <div className={styles["home"]}>
      <Counts group={group} hidden={hidden} />
      <div className={styles["column"]}>
        {first}
        {isLimited ? children : null}
        {!thePast() && <Attention {...attention} />}
        {attention.isFirst ? null : <Changed group={group} />}
      </div>
      <div className={styles["column"]}>
        <QuickActions group={group} hidden={hidden} />
        <ResolvedSection group={group} />
      </div>
      {isLimited || attention.isFirst ? null : children}
    </div>
  );
}

/** The next steps in an organization or folder that contains nothing yet. */
function EmptyPlace({ group }: { readonly group: string }): ReactNode {
  const refusal = useRefusal();
  const place = kindOf(group);
  return (
    <NothingYet
      title={`No repos or folders in this ${place} yet`}
      action={[KINDS.repos, KINDS.groups].map(({ collection, access }) => (
        <DisabledReason key={collection} reason={refusal({ access: access.create }, group)}>
          <Button
            variant={collection === "repos" ? "filled" : "default"}
            component={AppLink}
            target={listOf(collection, group, { drawer: "create" })}
          >
            {collection === "repos" ? "Create repo" : "Create folder"}
          </Button>
        </DisabledReason>
      ))}
    >
      Create a repo for images, or a folder to divide it.
    </NothingYet>
  );
}

/** Renders only if there are repos, so that nothing is loaded otherwise. */
function ResolvedSection({ group }: HomeProps): ReactNode {
  const [repos] = useNewest(REPOS, group);
  if (!repos?.items?.length) return null;
  return (
    <Section title="Resolved vulnerabilities" description="In the last 30 days.">
      <Resolved group={group} />
    </Section>
  );
}
const REPOS = HELD.filter(({ kind }) => kind === KINDS.repos);
