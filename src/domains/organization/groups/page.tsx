import { linkOptions, useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { isWithin, parentOf } from "platform-contract/aip";
import { groups, type Group } from "platform-contract/iam/groups";
import { ActionButton } from "~/ui/controls/action-button";
import { RawJson } from "~/ui/display/json-document";
import { AfterLoad } from "~/ui/layout/after-load";
import { Page } from "~/ui/layout/page";
import { onDemand } from "~/ui/on-demand";
import { Tabs } from "~/ui/layout/tabs";
import { Section } from "~/ui/display/section";
import { RecordHistory, updatedFact } from "~/frame/record/history";
import { useRetentionFact } from "~/frame/record/retention-fact";
import { Beside } from "~/frame/record/beside";
import { readUid, useRecord } from "~/frame/record/record-page";
import { useScope } from "~/frame/scope/scope";
import { groupPage } from "~/frame/scope/group-link";
import { paramToUid, uidToParam } from "~/frame/scope/uid-param";
import { useView } from "~/frame/use-view";
import { useCleanAddress } from "~/frame/clean-address";
import type { PageView } from "~/frame/define";
import { RecordHead } from "~/frame/record/record-screen";
import { accessPage } from "~/domains/access/grants/links";
import { WhoDecides } from "~/domains/access/grants/who-decides";
import { GroupBadges } from "~/frame/scope/group-badges";
import { kindOf, organizationKind, organizationStatus, type GroupKind } from "~/frame/scope/group-words";
import { neededText } from "~/frame/permissions/permission-text";
import { kindsIn, wordsInside } from "platform-contract/kinds";
import { CountsLine } from "~/ui/display/counts-line";
import { AppLink } from "~/ui/layout/link";
import { useListLink } from "~/frame/list/list-link";
import { DefinitionList } from "~/ui/display/definition-list";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { State } from "~/ui/display/state";
import { Time } from "~/ui/display/time";

import { GroupChildren } from "./children";
import { groupScreens } from "./data";
import { useGroupMenu } from "./group-menu";
import { useChildCounts } from "./use-child-counts";
import classes from "./styles.module.css";

/** Shows the fields of a group. The layout stays stable while it loads. */
function GroupFacts({
  uid,
  group,
  kind,
}: {
  readonly uid: string;
  readonly group: Group | undefined;
  readonly kind: GroupKind;
}): ReactNode {
  const retention = useRetentionFact(uid, false);
  const status = organizationStatus(group?.status);
  const type = organizationKind(group?.kind);
  const limits = Object.entries(group?.resourceLimits ?? {}).map(
    ([resource, limit]) => `${resource}: ${formatCount(limit)}`,
  );
  return (
    <DefinitionList
      items={[
        {
          term: "Description",
          value: group?.description && <span className={classes["text"]}>{group.description}</span>,
          wide: true,
        },
        ...retention,
        // A folder repeats the kind, the status and the mark of its organization.
        ...(kind === "organization"
          ? [
              { term: "Kind of organization", value: type },
              { term: "Status", value: status && <State tone={status.tone}>{status.word}</State> },
              { term: "Verified", value: group && (group.verified ? "Yes" : "No") },
            ]
          : []),
        ...(limits.length > 0 ? [{ term: "Resource limits", value: limits.join(", ") }] : []),
        { term: "Created", value: group && <Time value={group.createTime} /> },
        updatedFact("groups", group),
      ]}
    />
  );
}

/** Counts the records directly in a group, with links to their lists. Kinds without a record are left out. */
function GroupHoldings({ uid }: { readonly uid: string }): ReactNode {
  const { counts, hidden, pending } = useChildCounts("groups", uid);
  const linkTo = useListLink();
  const kinds = kindsIn("groups");
  const seen = kinds.filter(({ collection }) => hidden[collection] === undefined);
  const left = kinds.length - seen.length;
  const isEmpty = seen.every(({ collection }) => Number(counts[collection] ?? 1) === 0);
  return (
    <CountsLine label="Contents" busy={pending}>
      {seen.map((kind) => {
        const { collection } = kind;
        const count = counts[collection];
        if (count !== undefined && Number(count) === 0) return null;
        const [one, many] = wordsInside(kind);
        const words = count === undefined ? `${many} not known` : formatQuantity(count, one, many);
        const target = linkTo(collection, uid, "here");
        return <li key={collection}>{target ? <AppLink target={target}>{words}</AppLink> : words}</li>;
      })}
      {isEmpty ? <li>Nothing</li> : null}
      {left > 0 ? (
        <li
          data-tip={`They need permission to ${[...new Set(Object.values(hidden))].map(neededText).join(", ")}`}
        >
          {formatQuantity(left, "kind", "kinds")} hidden by your role
        </li>
      ) : null}
    </CountsLine>
  );
}

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
  const menu = useGroupMenu();
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
          ...menu(uid),
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
          <Beside
            side={
              <>
                <Section title="Who decides here">
                  <WhoDecides group={uid} />
                </Section>
                <RecordHistory record={{ collection: "groups", uid }} />
              </>
            }
          >
            <GroupFacts uid={uid} group={group} kind={kind} />
            <Section title="Contents" description={`Directly in this ${kind}, not counting subfolders.`}>
              <GroupHoldings uid={uid} />
            </Section>
            <GroupChildren uid={uid} />
          </Beside>
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
    const search = { ...moved, drawer: undefined };
    if (above === undefined) void navigate({ to: "/groups", search, replace: true });
    else void navigate({ to: "/groups/$uid", params: { uid: above }, search, replace: true });
  };
}
