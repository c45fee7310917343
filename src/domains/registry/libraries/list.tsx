import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { ECOSYSTEMS, JAVA, type Artifact } from "platform-contract/libraries/artifacts";
import { parseInt64 } from "platform-contract/aip";
import { createdColumn, descriptionColumn, nameColumn, updatedColumn } from "~/frame/list/columns";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";
import { Dash } from "~/ui/display/dash";
import { formatCount } from "~/ui/display/numbers";
import { NothingYet } from "~/ui/feedback/empty";
import { Tabs } from "~/ui/layout/tabs";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";

import { countsQuery, ecosystemWord, libraryScreens, TABS } from "./data";

const columns: readonly Column<Artifact>[] = [
  nameColumn({ width: "minmax(11rem, 4fr)" }),
  {
    id: "latest",
    header: "Latest version",
    width: "minmax(7rem, 2fr)",
    cell: ({ latestVersion }) => (latestVersion ? <bdi>{latestVersion}</bdi> : <Dash />),
    text: ({ latestVersion = "" }) => latestVersion,
  },
  {
    id: "ecosystem",
    header: "Ecosystem",
    width: "6rem",
    hideBelow: 640,
    cell: ({ ecosystem }) => ecosystemWord(ecosystem),
    text: ({ ecosystem }) => ecosystemWord(ecosystem),
  },
  descriptionColumn(),
  {
    id: "versions",
    header: "Versions",
    width: "7rem",
    align: "end",
    sortField: "version_count",
    sortFirst: "desc",
    hideBelow: 640,
    cell: ({ versionCount }) => (versionCount === undefined ? <Dash /> : formatCount(versionCount)),
    text: ({ versionCount }) => String(versionCount ?? ""),
  },
  updatedColumn(),
  createdColumn({ optional: true }),
  uidColumn,
];

/** Lists the language packages that can be installed from the registry. */
export function LibraryList(): ReactNode {
  const list = useListScreen(libraryScreens);
  const { search } = list;
  const { ecosystem } = search;
  return (
    <ListPage list={list} description="Language packages in the registry.">
      <Ecosystems current={ecosystem} />
      <ListFilters
        list={list}
        columns={columns}
        // Java libraries are never built for CUDA.
        controls={{
          ecosystem: null,
          ...(ecosystem === "java" && search["cuda"] === undefined && { cuda: null }),
        }}
      />
      <ListRows
        list={list}
        columns={columns}
        summary={({ ecosystem: kind, description }) => (
          <>
            {ecosystemWord(kind)}
            {description ? (
              <>
                {" \u00b7 "}
                <bdi>{description}</bdi>
              </>
            ) : null}
          </>
        )}
        aside={({ latestVersion }) => <bdi>{latestVersion}</bdi>}
      >
        <NothingYet title="No libraries yet">
          Libraries appear here when an operator ingests them with <code>platform-console ingest</code>.
        </NothingYet>
      </ListRows>
    </ListPage>
  );
}

/** One tab per ecosystem. Switching keeps the other filters. */
function Ecosystems({ current }: { readonly current: string | undefined }): ReactNode {
  const { data } = useQuery(countsQuery);
  const counts = new Map(
    data?.counts?.map(({ ecosystem, totalCount = 0 }) => [ecosystem, parseInt64(totalCount)]),
  );
  const sumOf = (some: readonly string[]) =>
    some.reduce((sum, each) => sum + Number(counts.get(each) ?? 0), 0);
  return (
    <Tabs
      label="Ecosystems"
      current={TABS.find(({ value }) => value === current)?.label ?? "All"}
      tabs={TABS.map(({ value, label, ecosystems }) => ({
        label,
        // A total of zero can also mean that the user may not see any.
        count: sumOf(ECOSYSTEMS) > 0 ? sumOf(ecosystems) : undefined,
        link: {
          to: "/libraries",
          search: (previous: object) => ({
            ...previous,
            ecosystem: value,
            ...(ecosystems[0] === JAVA && value !== undefined && { cuda: undefined }),
            at: undefined,
          }),
        },
      }))}
    />
  );
}
