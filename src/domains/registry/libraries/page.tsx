import { iconOf } from "~/frame/kind-icons";
import { useQuery } from "@tanstack/react-query";
import { linkOptions, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { PAGE_SIZE_MAX, parseInt64 } from "platform-contract/aip";
import { listArtifacts } from "platform-contract/libraries/artifacts";
import type { ArtifactVersion } from "platform-contract/libraries/versions";
import { recordActions } from "~/frame/request-inspector/record-actions";
import { useTitle } from "~/frame/scope/title";
import { useCleanAddress } from "~/frame/clean-address";
import { timeColumn } from "~/frame/list/columns";
import { ListTools } from "~/frame/list/list-tools";
import { NoRows } from "~/frame/list/no-rows";
import { isGone } from "~/frame/record/record-page";
import { useList } from "~/frame/list/use-list";
import { useView } from "~/frame/use-view";
import { ActionButton } from "~/ui/controls/action-button";
import { Badge } from "~/ui/display/badge";
import { Dash } from "~/ui/display/dash";
import { formatBytes } from "~/ui/display/numbers";
import { Uid } from "~/ui/display/uid";
import { NotFound, NothingVisible, NothingYet } from "~/ui/feedback/empty";
import { AppLink } from "~/ui/layout/link";
import { Page, PageHeader } from "~/ui/layout/page";
import { onDemand } from "~/ui/on-demand";
import { ListTable } from "~/ui/table/list-table";
import type { Column } from "~/ui/table/types";
import { EVERYWHERE } from "~/frame/scope/scope";

import {
  ecosystemWord,
  newestQuery,
  readVersions,
  versionOrder,
  versionsQuery,
  type VersionSearch,
} from "./data";
import classes from "./styles.module.css";

const toList = linkOptions({ to: "/libraries" });
const InstallDialog = onDemand(async () => (await import("./install-dialog")).InstallDialog);

const columns: readonly Column<ArtifactVersion>[] = [
  {
    id: "version",
    header: "Version",
    width: "minmax(9rem, 3fr)",
    sortField: "version",
    sortFirst: "desc",
    cell: ({ version }) => version,
  },
  {
    id: "size",
    header: "Size",
    width: "6rem",
    align: "end",
    sortField: "size_bytes",
    sortFirst: "desc",
    cell: ({ sizeBytes }) => sizeOf(sizeBytes) ?? <Dash label="unknown" />,
    text: ({ sizeBytes = "" }) => String(sizeBytes),
  },
  timeColumn("published", "Published", "created_at", ({ createTime }) => createTime, { hideBelow: 400 }),
  timeColumn("updated", "Updated", "updated_at", ({ updateTime }) => updateTime),
];

function sizeOf(bytes: string | number | undefined): string | undefined {
  const size = bytes === undefined ? undefined : parseInt64(bytes);
  // The API sends 0 for an unknown size: a package always has some bytes.
  return size === undefined || Number(size) === 0 ? undefined : formatBytes(size);
}

const ECOSYSTEM_OF: Readonly<Record<string, string>> = { python: "ECOSYSTEM_PYTHON", java: "ECOSYSTEM_JAVA" };

/** Shows one library: the data of its newest version, and all versions with how to install them. */
export function LibraryPage(): ReactNode {
  const { uid = "" } = useParams({ strict: false });
  return <Library key={uid} uid={uid} />;
}

function Library({ uid }: { readonly uid: string }): ReactNode {
  const search = useCleanAddress(readVersions);
  const { data: newest, error } = useQuery(newestQuery(uid));
  const { show } = useView<VersionSearch>();
  const [prefix = "", ...rest] = uid.split(":");
  const name = newest?.name ?? rest.join(":");
  useTitle(name);
  if (error && (newest === undefined || isGone(error))) {
    if (!isGone(error)) throw error;
    return (
      <Page>
        <h1 className="pc-visually-hidden" tabIndex={-1}>
          Not found
        </h1>
        <NoRows
          list={listArtifacts}
          what="libraries"
          group={undefined}
          missing={<NoLibrary uid={uid} />}
          filters={[]}
          onClear={() => undefined}
        >
          {null}
        </NoRows>
      </Page>
    );
  }
  const install = (version: string) => show({ drawer: "install", version });
  const version = search.version ?? newest?.version;
  return (
    <Page fill pending={newest === undefined}>
      <PageHeader
        title={name}
        icon={iconOf("libraries")}
        badges={newest === undefined ? null : <Badge>{ecosystemWord(ECOSYSTEM_OF[prefix] ?? prefix)}</Badge>}
        description={
          newest === undefined
            ? "Loading…"
            : newest?.description && <bdi className={classes["long"]}>{newest.description}</bdi>
        }
        meta={<Uid value={uid} />}
        actions={
          <>
            <div className={classes["tools"]}>
              <ListTools
                label="Versions"
                columns={columns}
                list={versionsQuery(uid, search, PAGE_SIZE_MAX)}
                shown={versionsQuery(uid, search).queryKey}
                group={undefined}
              />
            </div>
            <ActionButton
              reason={newest ? undefined : "No versions yet"}
              variant="filled"
              onClick={() => newest && install(newest.version)}
            >
              Install
            </ActionButton>
          </>
        }
      />
      <Versions uid={uid} search={search} onInstall={install} />
      {search.drawer === "install" && version !== undefined ? (
        <InstallDialog
          uid={uid}
          name={name}
          version={version}
          onClose={() => show({ drawer: undefined, version: undefined })}
        />
      ) : null}
    </Page>
  );
}

function NoLibrary({ uid }: { readonly uid: string }): ReactNode {
  const { state } = useCurrentUser();
  const action = <AppLink target={toList}>All libraries</AppLink>;
  if (state !== "unknown") return <NotFound kind="library" sought={uid} action={action} />;
  return <NothingVisible what="libraries" action={action} />;
}

interface VersionsProps {
  readonly uid: string;
  readonly search: VersionSearch;
  readonly onInstall: (version: string) => void;
}

function Versions({ uid, search, onInstall }: VersionsProps): ReactNode {
  const { version: _shown, ...view } = search;
  const rows = useList({
    list: versionsQuery(uid, search),
    scope: EVERYWHERE,
    search: view,
    defaultOrder: versionOrder,
    enabled: true,
    view: uid,
  });
  return (
    <ListTable
      {...rows.table}
      {...rows.paged}
      label="Versions"
      columns={columns}
      rowName={({ version }) => version}
      rowLink={({ version }) => ({
        to: ".",
        search: (previous: object) => ({ ...previous, drawer: "install", version }),
      })}
      rowActions={(row) => [
        { label: "Install…", onSelect: () => onInstall(row.version) },
        ...recordActions(row, row.version),
      ]}
      summary={({ sizeBytes }) => sizeOf(sizeBytes)}
      emptyState={<NothingYet title="No versions">This library no longer has any versions.</NothingYet>}
    />
  );
}
