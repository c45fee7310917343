import { Button } from "@mantine/core";
import { getRouteApi, linkOptions } from "@tanstack/react-router";
import { useEffect, useState, type ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import type { Advisory } from "platform-contract/vulnerabilities/advisories";
import { exceptArchitecture } from "./alike";
import { Architectures, architecturesText, sortedByArchitecture } from "./architectures";
import { loadCalculator, severityText } from "./calculator";
import { ExploitedBadge, exploitationText } from "./exploitation";
import { inOrder } from "./ids";
import { advisoryPage, affectedBy } from "./links";
import { SeverityBadge } from "./severity-badge";
import { AdvisoryState } from "./status-badge";
import { newestText } from "./verdict";
import { VEX_FORMATS } from "./vex-export";
import { groupColumn, updatedColumn } from "~/frame/list/columns";
import { ListFilters } from "~/frame/list/list-filters";
import { ListPage, ListRows, useListScreen } from "~/frame/list/list-screen";
import "~/ui/controls/button-styles";
import { useTopGroups } from "~/frame/scope/top-groups";
import { Dash } from "~/ui/display/dash";
import { NothingYet } from "~/ui/feedback/empty";
import { AppLink } from "~/ui/layout/link";
import { recordsOf, type Merging } from "~/ui/table/merged-rows";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";

import { advisoryScreens } from "./data";
import classes from "./styles.module.css";

const aliasesOf = ({ aliases }: Advisory): string => inOrder(aliases).join(", ");

/** What people search for: the CVE, else the id of another kind, else the advisory's own. */
const vulnerabilityOf = (advisory: Advisory): string =>
  inOrder(advisory.aliases)[0] ?? advisoryScreens.nameOf(advisory);

const artifactOf = (advisory: Advisory): string =>
  [advisory.artifactName, architecturesText(recordsOf(advisory)), advisory.appliesTo]
    .filter(Boolean)
    .join(" ");

/** Those of several architectures are one row if they are neighbours. */
const MERGING: Merging<Advisory> = { keyOf: exceptArchitecture, one: "advisory", plural: "advisories" };

function OwnId({ of }: { readonly of: Advisory }): ReactNode {
  const all = sortedByArchitecture(recordsOf(of)).map(advisoryScreens.nameOf);
  return (
    <span data-tip={all.length > 1 ? all.join(", ") : undefined}>
      <code>{advisoryScreens.nameOf(of)}</code>
      {all.length > 1 ? <span className={classes["quiet"]}> +{all.length - 1}</span> : null}
    </span>
  );
}

function Vulnerability({ of }: { readonly of: Advisory }): ReactNode {
  const more = (of.aliases?.length ?? 0) - 1;
  return (
    <span data-tip={more > 0 ? aliasesOf(of) : undefined}>
      <code>{vulnerabilityOf(of)}</code>
      {more > 0 ? <span className={classes["quiet"]}> +{more}</span> : null}
    </span>
  );
}

const columns: readonly Column<Advisory>[] = [
  {
    id: "vulnerability",
    header: "Vulnerability",
    width: "minmax(11rem, 2fr)",
    cell: (advisory) => <Vulnerability of={advisory} />,
    text: vulnerabilityOf,
  },
  {
    id: "advisory",
    header: "Advisory",
    width: "minmax(13rem, 2fr)",
    sortField: "advisory_id",
    hideBelow: 900,
    cell: (advisory) => <OwnId of={advisory} />,
    text: advisoryScreens.nameOf,
  },
  {
    id: "aliases",
    header: "Aliases",
    optional: true,
    cell: (advisory) => (advisory.aliases?.length ? <code>{aliasesOf(advisory)}</code> : <Dash />),
    text: aliasesOf,
  },
  {
    id: "severity",
    header: "Severity",
    width: "8.5rem",
    sortField: "severity",
    sortFirst: "desc",
    sortWords: ["least severe first", "most severe first"],
    hideBelow: 520,
    cell: ({ severities, exploitation }) => (
      <>
        <SeverityBadge of={severities} /> <ExploitedBadge of={exploitation} compact />
      </>
    ),
    text: ({ severities }) => severityText(severities),
  },
  {
    id: "exploitation",
    header: "Exploitation",
    optional: true,
    cell: ({ exploitation }) => exploitationText(exploitation).join(" ") || <Dash />,
    text: ({ exploitation }) => exploitationText(exploitation).join(" "),
  },
  {
    id: "artifact",
    header: "Artifact",
    width: "minmax(8rem, 2fr)",
    sortField: "name",
    hideBelow: 700,
    cell: (advisory) => (
      <>
        <bdi>{advisory.artifactName}</bdi> <Architectures of={recordsOf(advisory)} />{" "}
        <bdi className={classes["quiet"]}>{advisory.appliesTo}</bdi>
      </>
    ),
    text: artifactOf,
  },
  {
    id: "component",
    header: "Component",
    width: "minmax(8rem, 2fr)",
    sortField: "component_name",
    hideBelow: 1100,
    cell: ({ componentName }) => (componentName ? <bdi>{componentName}</bdi> : <Dash />),
    text: ({ componentName = "" }) => componentName,
  },
  {
    id: "newest",
    header: "Newest event",
    width: "minmax(9rem, 2fr)",
    sortField: "latest_event_time",
    sortFirst: "desc",
    hideBelow: 840,
    cell: (advisory) => <AdvisoryState of={advisory} />,
    text: newestText,
  },
  {
    id: "applies-to",
    header: "Applies to",
    optional: true,
    cell: ({ appliesTo }) => (appliesTo ? <bdi>{appliesTo}</bdi> : <Dash />),
    text: ({ appliesTo = "" }) => appliesTo,
  },
  updatedColumn({ hideBelow: 960 }),
  { id: "type", header: "Artifact type", optional: true, cell: ({ artifactType = "" }) => artifactType },
  {
    id: "location",
    header: "Component location",
    optional: true,
    cell: ({ componentLocation = "" }) => componentLocation,
  },
  { id: "author", header: "Author", optional: true, cell: ({ author = "" }) => author },
  groupColumn({ optional: true }),
  uidColumn,
];

/** Links to each of the advisories of a row that stands for several: on phones, the row has none. */
const ofEach = (row: Advisory) => {
  const all = sortedByArchitecture(recordsOf(row));
  return all.length === 1
    ? []
    : all.map((one) => ({
        label: `Advisory for ${one.artifactArchitecture || "any architecture"}`,
        link: advisoryPage(one.uid),
      }));
};

const TOOLS = { formats: VEX_FORMATS };
const route = getRouteApi("/advisories/");
const ask = linkOptions({ to: "/affected" });

/** Lists the known vulnerabilities of artifacts, and what was done about each. */
export function AdvisoryList(): ReactNode {
  const list = useListScreen(advisoryScreens, { enabled: useCalculator() });
  return (
    <ListPage
      list={list}
      description="Known vulnerabilities in packages and images, and their status."
      action={<AskButton />}
    >
      <ListFilters list={list} columns={columns} tools={TOOLS} />
      <ListRows
        list={list}
        columns={columns}
        summary={(advisory) => (
          <>
            <bdi>{artifactOf(advisory)}</bdi> · {newestText(advisory)}
          </>
        )}
        aside={({ severities }) => <SeverityBadge of={severities} />}
        merging={MERGING}
        actions={(advisory) => [
          ...inOrder(advisory.aliases)
            .slice(0, 1)
            .map((alias) => ({ label: `Are we affected by ${alias}?`, link: affectedBy(alias) })),
          ...ofEach(advisory),
        ]}
      >
        <NoAdvisories group={list.scope.group} />
      </ListRows>
    </ListPage>
  );
}

/** Most are recorded for an organization, and apply to its folders without being listed there. */
function NoAdvisories({ group }: { readonly group: string | undefined }): ReactNode {
  const { folders } = useTopGroups();
  const isPart = group === undefined ? folders.length > 0 : parentOf(group) !== "";
  return isPart ? (
    <NothingYet
      title={
        group === undefined ? "No advisories in the folders you can see" : "No advisories in this folder"
      }
      action={<AskButton />}
    >
      Those recorded further up, for an organization, apply to its folders too. “Are we affected?” answers by
      all that you can see.
    </NothingYet>
  ) : (
    <NothingYet title="No advisories here yet">
      Advisories say which packages a vulnerability affects and where it is fixed. A platform operator imports
      them.
    </NothingYet>
  );
}

const AskButton = (): ReactNode => (
  <Button variant="default" component={AppLink} target={ask}>
    Are we affected?
  </Button>
);

/** False while the address filters by severity and the score calculator is still loading. */
function useCalculator(): boolean {
  const asked = route.useSearch()["severity"] !== undefined;
  const [ready, setReady] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    if (asked) loadCalculator().then(() => setReady(true), setFailure);
  }, [asked]);
  if (failure !== undefined) throw failure;
  return !asked || ready;
}
