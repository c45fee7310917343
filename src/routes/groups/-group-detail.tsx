import { getRouteApi, linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useRefusal } from "~/access/use-can";
import { isWithin, parentOf } from "~/contract/aip";
import { groups, type Group } from "~/contract/iam/groups";
import { ActionButton } from "~/kit/action-button";
import { Badge } from "~/kit/badge";
import { RawJson } from "~/kit/json-document";
import { deleteAction } from "~/kit/menu";
import { Page } from "~/kit/page";
import { Section } from "~/kit/section";
import { shorten } from "~/kit/shorten";
import { groupQuery } from "~/parts/path";
import { readUid, RecordHeader, useRecord } from "~/parts/record-page";
import { useScope } from "~/parts/scope";
import { uidToParam } from "~/parts/uid-param";
import { useView } from "~/parts/use-view";

import { GroupChildren } from "./-group-children";
import { GroupDrawers } from "./-group-drawers";
import { GroupFacts } from "./-group-facts";
import { GroupHoldings } from "./-group-holdings";
import type { GroupDetailSearch } from "./-group-search";
import { capitalised, kindOf, nameOf, organizationStatus } from "./-group-words";

const route = getRouteApi("/groups/$uid");

/** One group: what it is, what lies in it, and what can be done with it. */
export function GroupDetail(): ReactNode {
  const uid = readUid(route.useParams().uid);
  return <Detail key={uid} uid={uid} />;
}

/** What lies in a group is asked for together with the group itself, so that its page is there before the group is. */
function Detail({ uid }: { readonly uid: string }): ReactNode {
  const { record: group, stale } = useRecord(groupQuery(uid));
  const { drawer } = route.useSearch();
  const { open, close } = useView<GroupDetailSearch>();
  const refusal = useRefusal();
  const leave = useLeave(uid);
  const kind = kindOf(uid);
  return (
    <Page>
      <RecordHeader
        uid={uid}
        record={group}
        name={group ? nameOf(group) : shorten(uid)}
        badges={<Badges uid={uid} group={group} />}
        menu={(common) => [
          { label: "Use as scope", link: linkOptions({ to: "/", search: { group: uidToParam(uid) } }) },
          ...common,
          deleteAction(() => open("delete"), refusal(groups.delete, uid)),
        ]}
      >
        <ActionButton reason={refusal(groups.update, uid)} onClick={() => open("edit")}>
          Edit
        </ActionButton>
        <ActionButton reason={refusal(groups.create, uid)} variant="filled" onClick={() => open("create")}>
          Create folder
        </ActionButton>
      </RecordHeader>
      {stale}
      <GroupDrawers drawer={drawer} item={uid} known={group} onClose={close} onDeleted={leave} />
      <GroupFacts group={group} kind={kind} />
      <Section
        title="Contents"
        description={`What lies directly in this ${kind}; what its folders hold is not counted.`}
      >
        <GroupHoldings uid={uid} />
      </Section>
      <GroupChildren uid={uid} />
      {group && <RawJson value={group} />}
    </Page>
  );
}

/** Leads away from a group that is gone, to the one above it. */
function useLeave(uid: string): () => void {
  const navigate = route.useNavigate();
  const scope = useScope();
  return () => {
    const parent = parentOf(uid);
    const above = parent === "" ? undefined : uidToParam(parent);
    // A scope that is gone with the group moves up to where it was.
    const moved = scope.group !== undefined && isWithin(scope.group, uid) ? { group: above } : {};
    const search = { ...moved, drawer: undefined } as object;
    if (above === undefined) void navigate({ to: "/groups", search, replace: true });
    else void navigate({ to: "/groups/$uid", params: { uid: above }, search, replace: true });
  };
}

function Badges({ uid, group }: { readonly uid: string; readonly group: Group | undefined }): ReactNode {
  const status = organizationStatus(group?.status);
  return (
    <>
      <Badge>{capitalised(kindOf(uid))}</Badge>
      {group?.verified && <Badge tone="accent">Verified</Badge>}
      {status && status.tone !== "success" && <Badge tone={status.tone}>{status.word}</Badge>}
    </>
  );
}
