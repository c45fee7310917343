import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState, type ReactNode } from "react";

import { isJobOpen } from "~/api/bulk/current-job";
import { startJob } from "~/api/bulk/start-job";
import { OFFBOARDING } from "~/api/bulk/offboarding";
import { DELETIONS } from "~/api/bulk/teardown";
import { retryPolicyOf } from "~/api/paging/retry-policy";
import { ownerOf } from "~/auth/session";
import { usePerson } from "~/auth/use-session";
import { useRouteContext } from "@tanstack/react-router";
import { parentOf } from "platform-contract/aip";
import { eligibleGrants } from "platform-contract/iam/eligible-grants";
import { groupInvites } from "platform-contract/iam/group-invites";
import { setMachineOwner, type MachineOwner } from "platform-contract/iam/notices";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { useRefusal } from "~/frame/permissions/use-can";
import { splitBy } from "~/frame/bulk-delete/split";
import { useJustification } from "~/frame/form/use-justification";
import { WriteRequests } from "~/frame/request-inspector/write-requests";
import { GroupsAbove } from "~/frame/scope/groups-above";
import { formatQuantity } from "~/ui/display/numbers";
import { FailedPart } from "~/ui/feedback/failed-part";
import { ConfirmManyDialog } from "~/ui/overlay/confirm-many-dialog";

import { useKeepsOwners } from "~/domains/access/machine-owners/data";
import { PersonField } from "~/domains/access/machine-owners/person-field";
import { shorten } from "~/ui/display/shorten";

import choosing from "./choosing.module.css";
import classes from "./styles.module.css";
import { grantAgain, groupNameOf, identityUidOf, roleNameOf } from "./bindings";
import type { Leaver } from "./leaver";
import { readAccess, type Access } from "./read-access";
import { inviteName, isFor } from "./sent-invites";
import { useBulkRefusal, useInviteRefusal } from "./use-bulk-refusal";

export interface RemoveAccessProps {
  readonly leavers: readonly Leaver[];
  readonly onClose: () => void;
  /** Called when the job has started; default: `onClose`. */
  readonly onStarted?: () => void;
}

/**
 * Reads every role binding of some identities and every pending invite that they sent, and asks before it deletes them
 * together. The report of that job can be kept as a file.
 */
export function RemoveAccess(props: RemoveAccessProps): ReactNode {
  const { leavers, onClose, onStarted = onClose } = props;
  const client = useQueryClient();
  const person = usePerson();
  const owner = ownerOf(person);
  const { justification, field } = useJustification();
  const keepsOwners = useKeepsOwners();
  const keepsEligible =
    useRouteContext({ strict: false, select: ({ config }) => config?.eligibleGrants }) === true;
  const refusal = useRefusal();
  const [successor, setSuccessor] = useState("");
  const refusals = { roleBindings: useBulkRefusal(), groupInvites: useInviteRefusal() };
  const { data, error, refetch } = useQuery({
    queryKey: [roleBindings.collection, "all", leavers.map(({ uid }) => uid)],
    queryFn: ({ signal }) =>
      readAccess(leavers, { keepsOwners, keepsEligible, retryPolicy: retryPolicyOf(client), signal }),
    staleTime: 0,
    gcTime: 0,
  });
  if (error)
    return <FailedPart title="Role bindings couldn't be read" error={error} onRetry={() => refetch()} />;
  if (!data) return null;
  const all = itemsOf(data, leavers);
  const { able: removable, excluded } = splitBy(all, (item) =>
    item.of === "eligibleGrants"
      ? refusal(eligibleGrants.delete, item.record.uid)
      : item.of === "roleBindings"
        ? refusals.roleBindings(item.record)
        : refusals.groupInvites(item.record),
  );
  const [one, many] = wordsFor(data);
  const [only, second] = leavers;
  const who = only && !second ? only.name : formatQuantity(leavers.length, "identity", "identities");
  const { able: given, excluded: kept } = splitBy(data.machines, ({ uid }) => refusal(setMachineOwner, uid));
  const start = () => {
    const removals = removable.map(({ of, record, named, facts }) => ({
      uid: record.uid,
      name: named,
      collection: of,
      facts,
      again: of === "roleBindings" ? grantAgain(record) : undefined,
    }));
    const machines = given.map(({ uid, name, ownerUid }) => ({
      uid,
      name: `owner of ${name || shorten(uid)}`,
      collection: "machineOwners",
      owner: successor,
      facts: {
        identity: leavers.find((leaver) => leaver.uid === ownerUid)?.name ?? "",
        "identity uid": ownerUid ?? "",
        access: `owner of ${name || shorten(uid)}`,
        folder: data.paths.get(parentOf(uid)) ?? "",
      },
      again: undefined,
    }));
    const targets = [...machines, ...removals];
    const mixed = machines.length > 0;
    const words = {
      doing: mixed ? "Changing" : "Removing",
      done: mixed ? "Changed" : "Removed",
      one: mixed ? "role, invite or machine" : one,
      many: mixed ? "roles, invites and machines" : many,
      of: who,
      by: person.email ?? person.subject,
    };
    startJob({ client, owner }, { ...(mixed ? OFFBOARDING : DELETIONS), words, justification }, targets);
    onStarted();
  };
  return (
    <ConfirmManyDialog
      {...{ one, many, excluded, onClose }}
      verb="Remove"
      title={`Remove all access of ${who}?`}
      records={removable.map(({ record, name }) => ({
        uid: record.uid,
        name,
        where: <GroupsAbove uid={record.uid} />,
      }))}
      consequence={consequenceOf(data)}
      disabled={isJobOpen() ? "Another deletion is still running" : undefined}
      behind={
        removable.length > 0 ? (
          <>
            {field}
            <WriteRequests
              requests={() => [
                ...given.map(({ uid }) => ({
                  endpoint: setMachineOwner,
                  path: { uid },
                  body: { ownerUid: successor },
                  justification,
                })),
                ...removable.map(({ of, record: { uid } }) => ({
                  endpoint: { roleBindings, groupInvites, eligibleGrants }[of].delete,
                  path: { uid },
                  justification,
                })),
              ]}
            />
          </>
        ) : null
      }
      onConfirm={start}
    >
      {data.machines.length > 0 ? (
        <Machines
          {...{ who, leavers, successor }}
          machines={data.machines}
          kept={kept.reduce((sum, { count }) => sum + count, 0)}
          onSuccessor={setSuccessor}
        />
      ) : null}
    </ConfirmManyDialog>
  );
}

interface MachinesProps {
  readonly who: string;
  readonly leavers: readonly Leaver[];
  readonly machines: readonly MachineOwner[];
  /** How many of them the user can't give to somebody else. */
  readonly kept: number;
  /** uid; "" for nobody. */
  readonly successor: string;
  readonly onSuccessor: (uid: string) => void;
}

/** Machines that are named. */
const NAMED = 5;

/** Which machines lose their owner, and who answers for them next. */
function Machines({ who, leavers, machines, kept, successor, onSuccessor }: MachinesProps): ReactNode {
  const id = useId();
  const names = machines.slice(0, NAMED).map(({ uid, name }) => name || shorten(uid));
  const rest = machines.length - names.length;
  const one = machines.length === 1;
  return (
    <div role="group" aria-labelledby={id} className={choosing["who"]}>
      <p id={id}>
        <bdi>{who}</bdi> {leavers.length > 1 ? "own" : "owns"}{" "}
        {formatQuantity(machines.length, "machine", "machines")}: <bdi>{names.join(", ")}</bdi>
        {rest > 0 ? ` and ${formatQuantity(rest, "other", "others")}` : ""}. Who answers for{" "}
        {one ? "it" : "them"} next?
      </p>
      {kept < machines.length ? (
        <PersonField value={successor} onChange={onSuccessor} except={leavers.map(({ uid }) => uid)} />
      ) : null}
      <p className={classes["note"]}>
        {successor === ""
          ? `If you choose nobody, the owners of the ${one ? "folder" : "folders"} answer for ${one ? "it" : "them"}.`
          : "They need a role in the same organization, and get no access by this."}
        {kept > 0
          ? ` You can't choose for ${formatQuantity(kept, "machine", "machines")}, which the owners of the folder then answer for.`
          : ""}
      </p>
    </div>
  );
}

/** What the dialog lists, and what the report calls it: that has no link to a folder, so its name says where. */
function itemsOf({ bindings, eligible, invites, paths }: Access, leavers: readonly Leaver[]) {
  const several = leavers.length > 1;
  const whoIs = (uid: string | undefined): string => leavers.find((leaver) => leaver.uid === uid)?.name ?? "";
  const ofWhom = (who: string): string => (several && who !== "" ? `${who}: ` : "");
  const factsOf = (uid: string | undefined, access: string, folder: string) => ({
    identity: whoIs(uid),
    "identity uid": uid ?? "",
    access,
    folder,
  });
  return [
    ...eligible.map((record) => {
      const { identityUid: uid, role, group } = record;
      const access = `eligible for ${role?.name ?? ""}`;
      const name = `${ofWhom(whoIs(uid))}${access}`;
      const facts = factsOf(uid, access, paths.get(parentOf(record.uid)) ?? group?.name ?? "");
      return { of: "eligibleGrants", record, name, named: `${name} in ${group?.name ?? ""}`, facts } as const;
    }),
    ...bindings.map((record) => {
      const uid = identityUidOf(record);
      const role = roleNameOf(record);
      const name = `${ofWhom(whoIs(uid))}${role}`;
      const folder = paths.get(parentOf(record.uid)) ?? groupNameOf(record);
      const facts = factsOf(uid, `role ${role}`, folder);
      return { of: "roleBindings", record, name, named: `${name} in ${groupNameOf(record)}`, facts } as const;
    }),
    ...invites.map((record) => {
      const invited = leavers.find(({ email }) => isFor(record, email));
      const uid = (invited ?? leavers.find(({ uid: one }) => one === record.createdBy?.uid))?.uid;
      const invite = `${invited ? "invite to them" : "invite"}, ${inviteName(record)}`;
      const name = `${ofWhom(whoIs(uid))}${invite}`;
      const facts = factsOf(uid, invite, paths.get(parentOf(record.uid)) ?? "");
      return { of: "groupInvites", record, name, named: name, facts } as const;
    }),
  ];
}

/** What the records are called together. */
function wordsFor({ bindings, invites, eligible }: Access): readonly [one: string, many: string] {
  const kinds = [
    { some: bindings, one: roleBindings.noun, many: roleBindings.plural },
    { some: eligible, one: "eligible grant", many: "eligible grants" },
    { some: invites, one: groupInvites.noun, many: groupInvites.plural },
  ].filter(({ some }, index) => some.length > 0 || (index === 0 && eligible.length + invites.length === 0));
  return [
    listed(
      "disjunction",
      kinds.map(({ one }) => one),
    ),
    listed(
      "conjunction",
      kinds.map(({ many }) => many),
    ),
  ];
}

const listed = (type: "conjunction" | "disjunction", words: readonly string[]): string =>
  new Intl.ListFormat("en", { type }).format(words);

/** What is lost, and what this cannot reach. */
function consequenceOf({ invites, eligible, invitesUnread }: Access): string {
  const switched =
    eligible.length > 0 ? ", they can no longer switch on the roles that they are eligible for" : "";
  const sent =
    invites.length > 0
      ? ", and the pending invites that they sent, or that are for their email, can no longer be used"
      : "";
  const unread = invitesUnread
    ? " and pending invites, also to their email (you can't view invites)"
    : ", invites that you can't see";
  return `Every role that you can see is removed immediately${switched}${sent}. Pages that they have open stop working at the next click. You can undo this afterwards: the roles are granted again, with new IDs; invites don't come back${eligible.length > 0 ? ", nor does what they were eligible for" : ""}. Roles in groups that you can't see${unread} stay, and so does their account, which other organizations might use. Roles that come from a group at their identity provider come back with their next sign-in, until they leave that group.`;
}
