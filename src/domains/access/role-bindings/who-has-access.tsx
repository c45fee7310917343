import { Button } from "@mantine/core";
import "~/ui/controls/button-styles";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { useRefusal } from "~/frame/permissions/use-can";
import { infinite, rowsOf } from "~/api/queries/queries";
import { ancestorsOf, isWithin, parentOf } from "platform-contract/aip";
import { roleBindings, type RoleBinding } from "platform-contract/iam/role-bindings";
import { OnADate } from "~/frame/record/history";
import { useGroup, usePath } from "~/frame/scope/group-ancestry";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { useSight } from "~/frame/scope/use-sight";
import { useOpened } from "~/frame/form/use-opened";
import { useView } from "~/frame/use-view";
import { askAddress } from "~/domains/access/access-requests/links";
import { Code } from "~/ui/display/code";
import { ActionButton } from "~/ui/controls/action-button";
import { FilterSelect } from "~/ui/controls/filters";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import { FailedPages } from "~/ui/feedback/failed-pages";
import { EligibleSection } from "~/domains/access/eligible-grants/lazy-parts";
import { Below } from "./below";
import { roleBindingScreens } from "./data";
import {
  CAPABILITY_CHOICES,
  REPO_CAPABILITIES,
  REPO_CHOICES,
} from "~/domains/access/grants/capability-words";
import { type AccessView, accessPage, bindingPage } from "~/domains/access/grants/links";
import { holdersOf, useRoleChoice } from "~/domains/access/grants/roles";
import { UnreadRoles } from "~/domains/access/grants/unread-roles";
import { ShowMore } from "~/ui/table/show-more";
import classes from "~/domains/access/grants/styles.module.css";
import { isKeyOf } from "~/ui/keys";
import type { MenuAction } from "~/ui/overlay/menu";
import { BindingTable } from "~/domains/access/grants/binding-table";
import { groupNameOf } from "~/domains/access/grants/bindings";

interface AccessRowsProps {
  readonly rows: readonly RoleBinding[];
  /** uid of the ancestor group where these were granted; undefined for the group itself. */
  readonly from: string | undefined;
  /** True where the rows answer who can do something: the way to change that is beside each. */
  readonly direct: boolean;
}

/** Shows who has which role through these bindings, with actions. */
function AccessRows({ rows, from, direct }: AccessRowsProps): ReactNode {
  const { open } = useView<{ drawer?: string }>();
  const refusal = useRefusal();
  const actions = (binding: RoleBinding): MenuAction[] => {
    const common = { label: "Open role binding", link: bindingPage(binding.uid) };
    // An inherited binding also applies elsewhere, so it is changed on the group where that is visible.
    const change =
      from === undefined
        ? {
            label: "Change role",
            onSelect: () => open("change-role", binding.uid),
            disabled: refusal(roleBindings.update, binding.uid),
          }
        : { label: `Manage access in ${groupNameOf(binding)}`, link: accessPage(from) };
    return [
      common,
      change,
      {
        label: from === undefined ? "Remove access" : `Remove access in ${groupNameOf(binding)}`,
        onSelect: () => open("remove-access", binding.uid),
        disabled: refusal(roleBindings.delete, binding.uid),
        danger: true,
      },
    ];
  };
  const remove = (binding: RoleBinding, name: string): ReactNode =>
    refusal(roleBindings.delete, binding.uid) === undefined ? (
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Remove ${name}, in ${groupNameOf(binding)}`}
        onClick={() => open("remove-access", binding.uid)}
      >
        Remove
      </Button>
    ) : null;
  return <BindingTable rows={rows} by="identity" actions={actions} deed={direct ? remove : undefined} />;
}

const { drawers: Drawers } = roleBindingScreens;

/** The tab's drawers: names in the address, mapped to the drawers of role bindings. */
export const ACCESS_DRAWERS = { grant: "create", "change-role": "edit", "remove-access": "delete" } as const;

interface WhoHasAccessProps {
  /** uid of a group, or of a repo, which has the access of its group. */
  readonly uid: string;
  readonly of?: "group" | "repo";
  readonly view: {
    readonly drawer?: string | undefined;
    /** uid of the drawer's role binding. */
    readonly item?: string | undefined;
    /** Shows only identities that have this capability. */
    readonly can?: string | undefined;
  };
}

/** Lists everyone with access, granted at the group itself or inherited from one above it. */
export function WhoHasAccess({ uid: of, of: what = "group", view }: WhoHasAccessProps): ReactNode {
  const uid = what === "repo" ? parentOf(of) : of;
  const { drawer = "", item, can } = view;
  const { open, show, close: leave } = useView<AccessView>();
  const { shown, close } = useOpened({ drawer: view.drawer, item }, leave);
  const refusal = useRefusal();
  const sight = useSight(roleBindings.list, uid, true);
  const known = isKeyOf(ACCESS_DRAWERS, drawer) ? ACCESS_DRAWERS[drawer] : undefined;
  const { hidden, levels } = useLevels(uid);
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  if (sight.state === "hidden") return <HiddenByRole capability={sight.capability} group={uid} place={uid} />;
  return (
    <>
      {shown && known && Drawers ? (
        <Drawers drawer={known} item={item} known={undefined} scope={uid} onClose={close} onDeleted={close} />
      ) : null}
      <div className={classes["tools"]}>
        <FilterSelect
          label="Who can"
          value={can}
          options={what === "repo" ? REPO_CHOICES : CAPABILITY_CHOICES}
          onChange={(value) => show({ can: value })}
        />
        <div className={classes["deeds"]}>
          <OnADate about={{ group: uid }} />
          <ActionButton
            reason={refusal(roleBindings.create, uid)}
            variant="filled"
            onClick={() => open("grant")}
          >
            Grant access
          </ActionButton>
        </div>
      </div>
      {config?.accessRequests === true ? (
        <p className={classes["asking"]}>
          People without access can ask for it with this link: <Code value={askAddress(uid)} what="link" />
        </p>
      ) : null}
      {levels.map((level) => (
        <Level
          key={level.uid}
          {...level}
          here={what === "group" && level.uid === uid}
          group={uid}
          of={what}
          can={can}
        />
      ))}
      {config?.eligibleGrants === true
        ? levels.map((level) => (
            <EligibleSection
              key={level.uid}
              group={level.uid}
              above={level.uid === uid ? undefined : level.name}
            />
          ))
        : null}
      {what === "group" ? (
        <Below levels={levels.map((level) => level.uid)} hidden={hidden} can={can} />
      ) : null}
      {hidden ? (
        <p className={classes["quiet"]}>
          Access granted further up isn't listed because your roles don't let you see it.
        </p>
      ) : null}
    </>
  );
}

interface LevelFacts {
  readonly uid: string;
  readonly name: string;
}

/** The group and those above it, nearest first. `hidden`: true if the caller can't see the bindings of some of them. */
function useLevels(uid: string): { readonly levels: readonly LevelFacts[]; readonly hidden: boolean } {
  const { state, bindings } = useCurrentUser();
  const { steps } = usePath(uid);
  const { group } = useGroup(uid);
  const names = new Map([...steps, { uid, name: group?.name }].map((step) => [step.uid, step.name]));
  const covered = (group: string) =>
    state !== "known" || bindings.some((binding) => isWithin(group, parentOf(binding.uid)));
  const above = ancestorsOf(uid).toReversed();
  const seen = above.filter(covered);
  return {
    levels: [uid, ...seen].map((each) => ({ uid: each, name: names.get(each) ?? shorten(each) })),
    hidden: seen.length < above.length,
  };
}

const levelQuery = (group: string) =>
  infinite(
    roleBindings.list,
    { "uidp.children_of": group, order_by: "name", page_size: 50 },
    { maxPages: Infinity },
  );

interface LevelProps extends LevelFacts {
  readonly here: boolean;
  /** uid of the tab's group. */
  readonly group: string;
  readonly of: "group" | "repo";
  readonly can: string | undefined;
}

/** Number of pages that a filter reads per level before the user asks for more. */
const READ_FOR_FILTER = 4;
const ENOUGH = 20;

/** Lists who was granted access at one group. */
function Level({ uid, name, here, group, of, can }: LevelProps): ReactNode {
  const query = useInfiniteQuery(levelQuery(uid));
  const choice = useRoleChoice(group);
  const { rows, total } = rowsOf(query.data);
  // Somebody may have a role here that says nothing about repos.
  const needs = can === undefined ? (of === "repo" ? REPO_CAPABILITIES : undefined) : [can];
  const { shown, unknown } = holdersOf(rows, choice.roles, needs);
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const pages = query.data?.pages.length ?? 0;
  const readOn =
    needs !== undefined &&
    shown.length < ENOUGH &&
    pages < READ_FOR_FILTER &&
    hasNextPage &&
    !isFetching &&
    !isError;
  useEffect(() => {
    if (readOn) void fetchNextPage();
  }, [readOn, fetchNextPage]);
  // Omit ancestors without bindings; always show the group itself.
  if (uid !== group && query.data && rows.length === 0) return null;
  const loading = query.isPending || (needs !== undefined && choice.pending);
  return (
    <Section
      title={here ? "Granted here" : `From ${parentOf(uid) === "" ? "organization" : "folder"} ${name}`}
      count={needs === undefined ? total : undefined}
    >
      {loading ? <p className={classes["quiet"]}>Loading…</p> : null}
      <FailedPages title="Role bindings couldn't be loaded" query={query} />
      {!loading && query.data && shown.length === 0 ? (
        <p className={classes["quiet"]}>
          {needs === undefined
            ? `No access was granted ${here ? "here" : "there"} directly.`
            : `No one ${hasNextPage ? `among the first ${rows.length} ` : ""}can ${can === undefined ? "see or change repos" : "do this"} through a role granted ${here ? "here" : "there"}.`}
        </p>
      ) : null}
      {!loading && shown.length > 0 ? (
        <AccessRows rows={shown} from={here ? undefined : uid} direct={can !== undefined} />
      ) : null}
      {unknown && !loading ? <UnreadRoles choice={choice} missing="They aren't listed here." /> : null}
      <ShowMore query={query} />
    </Section>
  );
}
