import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { ApiError } from "~/api/errors";
import { isWithin, parentOf } from "~/contract/aip";
import { groups } from "~/contract/iam/groups";
import { Badge } from "~/kit/badge";
import "~/kit/button-styles";
import { DisabledReason } from "~/kit/disabled-reason";
import { RawJson } from "~/kit/json-document";
import { ActionMenu, type MenuAction } from "~/kit/menu";
import { Page, PageHeader } from "~/kit/page";
import { Section } from "~/kit/section";
import { shorten } from "~/kit/shorten";
import { StaleNotice } from "~/kit/stale-notice";
import { Uid } from "~/kit/uid";
import { recordActions, requestsAction } from "~/parts/behind";
import { groupQuery } from "~/parts/path";
import { useScope } from "~/parts/scope";
import { useTitle } from "~/parts/title";
import { paramToUid, uidToParam } from "~/parts/uid-param";
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
  const uid = paramToUid(route.useParams().uid);
  return <Detail key={uid} uid={uid} />;
}

const isGone = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.kind === "refused" &&
  (error.code === "NOT_FOUND" || error.code === "PERMISSION_DENIED");

function Detail({ uid }: { readonly uid: string }): ReactNode {
  const { data: group, error, dataUpdatedAt, refetch } = useQuery(groupQuery(uid));
  const navigate = route.useNavigate();
  const { drawer } = route.useSearch();
  const scope = useScope();
  const creation = useCan(groups.create, uid).reason;
  const change = useCan(groups.update, uid).reason;
  const deletion = useCan(groups.delete, uid).reason;
  useTitle(group?.name);
  // What is gone, or may no longer be seen, is not shown from memory either.
  if (error && (!group || isGone(error))) throw error;

  const { open, close } = useView<GroupDetailSearch>();
  const leave = () => {
    const parent = parentOf(uid);
    const above = parent === "" ? undefined : uidToParam(parent);
    // A scope that is gone with the group moves up to where it was.
    const moved = scope.group !== undefined && isWithin(scope.group, uid) ? { group: above } : {};
    const search = { ...moved, drawer: undefined } as object;
    if (above === undefined) void navigate({ to: "/groups", search, replace: true });
    else void navigate({ to: "/groups/$uid", params: { uid: above }, search, replace: true });
  };
  const more = (): MenuAction[] => [
    { label: "Use as scope", link: linkOptions({ to: "/", search: { group: uidToParam(uid) } }) },
    ...(group ? recordActions(group, name) : []),
    requestsAction,
    { label: "Delete", onSelect: () => open("delete"), disabled: deletion, danger: true },
  ];

  const kind = kindOf(uid);
  const status = organizationStatus(group?.status);
  const name = group ? nameOf(group) : shorten(uid);
  return (
    <Page>
      <PageHeader
        title={name}
        badges={
          <>
            <Badge>{capitalised(kind)}</Badge>
            {group?.verified && <Badge tone="accent">Verified</Badge>}
            {status && status.tone !== "success" && <Badge tone={status.tone}>{status.word}</Badge>}
          </>
        }
        meta={<Uid value={uid} />}
        actions={
          <>
            <ActionMenu label={`More actions for ${name}`} actions={more} />
            <DisabledReason reason={change}>
              <Button variant="default" onClick={() => open("edit")}>
                Edit
              </Button>
            </DisabledReason>
            <DisabledReason reason={creation}>
              <Button onClick={() => open("create")}>Create folder</Button>
            </DisabledReason>
          </>
        }
      />
      {error && <StaleNotice error={error} since={dataUpdatedAt} onRetry={refetch} />}
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
