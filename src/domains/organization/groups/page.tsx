import { linkOptions, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { isWithin, parentOf } from "platform-contract/aip";
import { groupInvites } from "platform-contract/iam/group-invites";
import { groups } from "platform-contract/iam/groups";
import { ActionButton } from "~/ui/controls/action-button";
import { RawJson } from "~/ui/display/json-document";
import { AfterLoad } from "~/ui/layout/after-load";
import { Page } from "~/ui/layout/page";
import { onDemand } from "~/ui/on-demand";
import { Tabs } from "~/ui/layout/tabs";
import { Section } from "~/ui/display/section";
import { RecordHistory } from "~/frame/record/history";
import { readUid, useRecord } from "~/frame/record/record-page";
import { useScope } from "~/frame/scope/scope";
import { groupPage } from "~/frame/scope/group-link";
import { paramToUid, uidToParam } from "~/frame/scope/uid-param";
import { useView } from "~/frame/use-view";
import { useCleanAddress } from "~/frame/clean-address";
import type { PageView } from "~/frame/define";
import { RecordHead } from "~/frame/record/record-screen";
import { accessPage, inviteInto } from "~/domains/access/grants/links";

import { GroupChildren } from "./children";
import { groupScreens } from "./data";
import { GroupFacts } from "./facts";
import { GroupBadges } from "~/frame/scope/group-badges";
import { GroupHoldings } from "./holdings";
import { kindOf } from "~/frame/scope/group-words";

// The other tab does not need it.
const WhoHasAccess = onDemand(
  async () => (await import("~/domains/access/role-bindings/who-has-access")).WhoHasAccess,
);

/** Shows a group: its fields, contents and actions. */
export function GroupPage(): ReactNode {
  const uid = readUid(useParams({ strict: false }).uid ?? "");
  return <Content key={uid} uid={uid} />;
}

/** Requests the contents in parallel with the group: the page renders before the group has loaded. */
function Content({ uid }: { readonly uid: string }): ReactNode {
  const { record: group, stale } = useRecord(groupScreens.record(uid));
  const { drawer, tab, item, can } = useCleanAddress(groupScreens.readPage);
  const { open } = useView<PageView>();
  const refusal = useRefusal();
  const kind = kindOf(uid);
  return (
    <Page pending={group === undefined}>
      <RecordHead
        of={groupScreens}
        uid={uid}
        record={group}
        drawer={drawer}
        stale={stale}
        badges={(record) => <GroupBadges group={record} />}
        actions={() => [
          {
            label: "Invite people",
            link: inviteInto(uid),
            disabled: refusal(groupInvites.create, uid),
          },
          { label: "Snapshots", link: linkOptions({ to: "/snapshots", search: { group: uidToParam(uid) } }) },
          { label: "Use as scope", link: linkOptions({ to: "/", search: { group: uidToParam(uid) } }) },
        ]}
        onDeleted={useLeave(uid)}
        tabs={() => <GroupTabs uid={uid} current={tab === "access" ? "Who has access" : "Overview"} />}
      >
        <ActionButton reason={refusal(groups.create, uid)} variant="filled" onClick={() => open("create")}>
          Create folder
        </ActionButton>
      </RecordHead>
      {tab === "access" ? (
        <WhoHasAccess uid={uid} view={{ drawer, item: item && paramToUid(item), can }} />
      ) : (
        <>
          <GroupFacts group={group} kind={kind} />
          <Section title="Contents" description={`Directly in this ${kind}, not counting subfolders.`}>
            <GroupHoldings uid={uid} />
          </Section>
          <GroupChildren uid={uid} />
          <RecordHistory record={{ collection: "groups", uid }} />
          {group ? (
            <AfterLoad>
              <RawJson value={group} />
            </AfterLoad>
          ) : null}
        </>
      )}
    </Page>
  );
}

const GroupTabs = ({ uid, current }: { readonly uid: string; readonly current: string }): ReactNode => (
  <Tabs
    label="Group pages"
    tabs={[
      { label: "Overview", link: groupPage(uid) },
      { label: "Who has access", link: accessPage(uid) },
    ]}
    current={current}
  />
);

/** Navigates from a deleted group to its parent. */
function useLeave(uid: string): () => void {
  const navigate = useNavigate();
  const scope = useScope();
  return () => {
    const parent = parentOf(uid);
    const above = parent === "" ? undefined : uidToParam(parent);
    // If the scope was deleted with the group, move it up to the group's parent.
    const moved = scope.group !== undefined && isWithin(scope.group, uid) ? { group: above } : {};
    const search = { ...moved, drawer: undefined } as object;
    if (above === undefined) void navigate({ to: "/groups", search, replace: true });
    else void navigate({ to: "/groups/$uid", params: { uid: above }, search, replace: true });
  };
}
