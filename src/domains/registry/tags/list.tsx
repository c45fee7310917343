import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";

import { thePast } from "~/api/client/moment";
import { againOf } from "~/api/bulk/recreation-plan";
import { parentOf } from "platform-contract/aip";
import { tags, type Tag } from "platform-contract/registry/tags";
import { useBulkDelete } from "~/frame/list/bulk-delete";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";
import { isGone } from "~/frame/record/record-page";
import { RecordHead } from "~/frame/record/record-screen";
import { useRefusal } from "~/frame/permissions/use-can";
import { ActionButton } from "~/ui/controls/action-button";
import "~/ui/controls/button-styles";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { Time } from "~/ui/display/time";
import { shortDigest } from "~/ui/display/shorten";
import { NotFound, NothingYet } from "~/ui/feedback/empty";
import { AppLink } from "~/ui/layout/link";
import type { MenuAction } from "~/ui/overlay/menu";
import { copyReference, referenceNames, referencesOf } from "~/domains/registry/references/references";
import { repoQuery } from "~/domains/registry/references/repo-query";
import { USAGE_OF_ROWS } from "~/domains/registry/usage/queries";
import { useUsageKnown } from "~/domains/registry/usage/use-usage-known";
import { WithoutRegistry } from "~/domains/registry/usage/without-registry";
import { useRepoHead } from "~/domains/registry/repos/head";
import { KINDS } from "platform-contract/registry/tag-names";
import { ListTable } from "~/ui/table/list-table";

import { columnsOf, groupColumns, Names } from "./columns";
import { arrangedOf, calledOf, compareOf, shows, tagScreens } from "./data";
import { TagFilters } from "./filters";
import { Deprecated, RepoOf } from "./parts";
import { groupByDigest, type DigestGroup } from "./digest-groups";
import { tagSorter } from "./order";

interface ArrangedTagsProps {
  /** Props of the table with the scan's rows, which are sorted by name. */
  readonly table: Parameters<typeof ListTable<Tag>>[0];
  readonly order: string;
  readonly grouped: boolean;
  /** True if the tags are from several repos. */
  readonly several: boolean;
  readonly groupActions: (group: DigestGroup) => readonly MenuAction[];
}

/** Shows the rows of a scan in the list's order, optionally grouped by digest. */
function ArrangedTags(props: ArrangedTagsProps): ReactNode {
  const { table, order, grouped, several, groupActions } = props;
  const sort = useMemo(() => tagSorter(order), [order]);
  const rows = sort(table.rows);
  const groups = useMemo(
    () => (grouped ? groupByDigest(rows, several, order) : []),
    [grouped, rows, several, order],
  );
  if (!grouped) return <ListTable {...table} rows={rows} />;
  const { view, selection, total, rowName: _, rowLink, aside: __, merging: ___, ...same } = table;
  return (
    <ListTable
      {...same}
      // A separate view: its rows differ from those of the same filters without grouping.
      view={`${view} by digest`}
      rows={groups}
      rowKey={({ key }) => key}
      rowName={groupName}
      rowMark={markOf}
      rowLink={rowLink && (({ uid }) => tagScreens.link(uid))}
      rowActions={groupActions}
      columns={groupColumns(several)}
      summary={Names}
      total={total === undefined ? undefined : groups.length}
      selection={selection && { ...selection, members: membersOf }}
    />
  );
}

/** A group of several tags is not one thing that was created, changed or deleted. */
function markOf({ members }: DigestGroup) {
  const found = members.flatMap(([uid]) => thePast()?.differenceOf(uid) ?? []);
  const [one] = found;
  if (!one || members.length === 1) return one;
  const of = `${formatCount(found.length)} of ${formatQuantity(members.length, "tag")}`;
  return { word: "Changed", tone: "warning", tip: `${of} created, changed or deleted in between` } as const;
}

const membersOf = ({ members }: DigestGroup) => members;
const groupName = ({ uid, digest, tags: [tag] }: DigestGroup): string =>
  digest === undefined ? tagScreens.nameOf(tag ?? { uid, name: "" }) : shortDigest(digest);

const route = getRouteApi("/tags/");

/** Lists the tags of one repo, or else those of the scope. */
export function TagList(): ReactNode {
  const { repo } = route.useSearch();
  // Keyed by repo, so that this repo's rows don't show while another repo's load.
  return <List key={String(repo)} />;
}

function List(): ReactNode {
  const list = useListScreen(tagScreens);
  const { search, holder: repo, open } = list;
  const { by, order = tagScreens.defaultOrder } = search;
  const home = useQuery({ ...repoQuery(repo ?? ""), enabled: repo !== undefined });
  const missing = isGone(home.error);
  const head = useRepoHead("Tags");
  const refusal = useRefusal();
  const copies = useCopies((tag) => open("pull", tag.uid));
  const selection = useBulkDelete(
    list,
    "Pulls of these tags will fail. Other tags of the same images stay.",
    { Where: RepoOf, again: (tag) => againOf("tags", parentOf(tag.uid), tag) },
  );
  const known = useUsageKnown();
  const columns = columnsOf(
    repo === undefined,
    search["pulled"] === "yes" ? "pulled" : known ? "pulls" : "tags",
  );
  const create = (
    <ActionButton
      reason={list.createRefusal ?? (repo === undefined ? "Open a repo to create a tag" : undefined)}
      variant="filled"
      onClick={() => open("create")}
    >
      Create tag
    </ActionButton>
  );
  // "edit" and "delete" without a tag apply to the repo.
  const drawer = search.item === undefined && search.drawer !== "create" ? search.drawer : undefined;
  const isUnknown = search["pulled"] === "yes" && !known;
  const hidden = KINDS.some(({ kind }) => !shows(search, kind));
  return (
    <ListPage
      list={list}
      title={home.data === undefined ? "Tags" : `Tags of ${home.data.name}`}
      description="Tags across all repos in this scope."
      action={create}
      actions={
        repo === undefined ? (
          <>
            <Button variant="default" component={AppLink} target={{ to: "/retention" }}>
              Retention
            </Button>
            <Button variant="default" component={AppLink} target={{ to: "/manifests" }}>
              Check manifests
            </Button>
          </>
        ) : undefined
      }
      head={
        repo === undefined ? undefined : (
          <RecordHead {...head} uid={repo} record={missing ? undefined : home.data} drawer={drawer}>
            {create}
          </RecordHead>
        )
      }
    >
      <TagFilters list={list} columns={columns} />
      {isUnknown ? <WithoutRegistry>Which tags are still pulled is unknown</WithoutRegistry> : null}
      <ListRows
        list={list}
        columns={columns}
        summary={({ uid, digest = "" }) => (
          <>
            {repo === undefined ? (
              <>
                <RepoOf uid={uid} /> {"\u00b7 "}
              </>
            ) : null}
            <code data-exact={digest}>{shortDigest(digest)}</code>
          </>
        )}
        aside={({ deprecated, updateTime }) => (deprecated ? <Deprecated /> : <Time value={updateTime} />)}
        actions={(tag) => [
          ...copies(tag),
          { label: "Compare with another tag", link: compareOf(tag.uid) },
          {
            label: "Move to another digest",
            onSelect: () => open("create", tag.uid),
            disabled: refusal(tags.create, tag.uid),
          },
        ]}
        alsoRefresh={USAGE_OF_ROWS}
        selection={selection}
        missing={missing ? <NotFound kind="repo" sought={repo} /> : undefined}
        called={calledOf(search)}
        arranged={arrangedOf(search)}
        table={(found) => (
          <ArrangedTags
            table={found}
            order={order}
            grouped={by === "digest"}
            several={repo === undefined}
            groupActions={({ tags: [tag] }) => (tag ? copies(tag) : [])}
          />
        )}
      >
        <NothingYet title={hidden ? "No tags to show here" : "No tags here yet"} action={create}>
          A tag is a name for an image, such as latest or 1.27.3.
          {hidden ? " Dated tags, build tags and signatures are shown when you choose them." : null}
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}

/** Copy actions in a tag's menu. `explain` shows the references if one cannot be copied. */
function useCopies(explain: (tag: Tag) => void): (tag: Tag) => MenuAction[] {
  const client = useQueryClient();
  const { registryHost: host } = route.useRouteContext().config;
  return (tag) => {
    // Reads the names when the menu opens.
    const names = referenceNames(client, tag.uid);
    names.catch(() => undefined);
    const show = () => explain(tag);
    const copy = (label: string, by: "byTag" | "byDigest"): MenuAction => ({
      label,
      onSelect: () =>
        void names
          .then(async (known) => {
            const references = referencesOf(tag, known, host);
            const reference = typeof references === "string" ? undefined : references[by];
            if (reference === undefined) show();
            else await copyReference(reference, host);
          })
          .catch(show),
    });
    return [
      copy("Copy reference", "byTag"),
      copy("Copy reference by digest", "byDigest"),
      { label: "Copy pull command…", onSelect: show },
    ];
  };
}
