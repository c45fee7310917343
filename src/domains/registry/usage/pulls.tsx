import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { identityLink } from "~/frame/record/identity-link";
import { HiddenLine } from "~/frame/scope/hidden-by-role";
import { getRegistryUsage, USAGE_DAYS, type UsageRow } from "platform-contract/registry/usage";
import { repoPage } from "~/domains/registry/references/repo-links";
import { dayText } from "~/domains/vulnerabilities/vulnerability-reports/range";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";
import { useNow } from "~/ui/clock";
import { onDemand } from "~/ui/on-demand";

import { LastPulled } from "./columns";
import { usageQuery } from "./queries";
import classes from "./usage.module.css";
import { useUsageKnown } from "./use-usage-known";
import { WithoutRegistry } from "./without-registry";
import { daysOfPulls, knownDays, NOT_COUNTED } from "./words";

// The chart library loads last: a table below the chart has the same numbers.
const Chart = onDemand(async () => (await import("./chart")).Chart);

interface PullsOfProps {
  /** A repo or a tag. */
  readonly uid: string;
  /** When the tag was last pushed, or the repo created. */
  readonly pushed: string | undefined;
}

/** The pulls of a repo or a tag by day, and who pulls it; one line if the service doesn't count them. */
export function PullsOf(props: PullsOfProps): ReactNode {
  const { allowed, capability } = useCan(getRegistryUsage, props.uid);
  if (!useUsageKnown())
    return (
      <Section title="Who pulls">
        <WithoutRegistry>Pulls are unknown</WithoutRegistry>
      </Section>
    );
  if (!allowed)
    return (
      <Section title="Who pulls">
        <HiddenLine capability={capability} />
      </Section>
    );
  return (
    <>
      <ByDay {...props} />
      <WhoPulls {...props} />
    </>
  );
}

function ByDay({ uid }: PullsOfProps): ReactNode {
  const { data, error, refetch } = useQuery(usageQuery({ "uidp.ids": [uid], by: ["USAGE_GROUPING_DAY"] }));
  const now = useNow(3_600);
  const days = data ? daysOfPulls(data.usage ?? [], data.countedSince, now) : [];
  const hasAsks = days.some(({ asks }) => asks > 0);
  const isEmpty = days.every(({ downloads, asks }) => downloads + asks === 0);
  return (
    <Section title="Pulls" description={<Period countedSince={data?.countedSince} now={now} />}>
      {error && !data ? (
        <FailedPart title="The pulls couldn't be loaded" error={error} onRetry={refetch} />
      ) : !data ? (
        <p className={classes["quiet"]}>Loading…</p>
      ) : data.countedSince === undefined ? (
        <p className={classes["quiet"]}>{NOT_COUNTED}.</p>
      ) : isEmpty ? (
        <p className={classes["quiet"]}>No pulls in this time.</p>
      ) : (
        <>
          {hasAsks ? (
            <ul className={classes["legend"]} aria-label="Legend">
              <li>
                <span className={classes["swatch"]} /> Downloads
              </li>
              <li>
                <span className={classes["swatch"]} data-asks="" /> Requested without a download
              </li>
            </ul>
          ) : null}
          <div className={classes["chart"]}>
            <Chart days={days} />
          </div>
          <details>
            <summary className={classes["quiet"]}>Show as a table</summary>
            <FactTable
              caption="Pulls by day"
              head={["Day", "Downloads", "Requested"]}
              numbers={[1, 2]}
              rows={days
                .filter(({ downloads, asks }) => downloads + asks > 0)
                .toReversed()
                .map(({ day, downloads, asks }) => [dayText(day), formatCount(downloads), formatCount(asks)])}
            />
          </details>
        </>
      )}
    </Section>
  );
}

/** Of which days pulls are known. */
function Period({
  countedSince,
  now,
}: {
  readonly countedSince: string | undefined;
  readonly now: number;
}): ReactNode {
  if (countedSince === undefined || knownDays(countedSince, now) === USAGE_DAYS)
    return `Last ${USAGE_DAYS} days, in UTC.`;
  return (
    <>
      Counting began <Time value={countedSince} />. Earlier pulls are unknown.
    </>
  );
}

/** Rows of a table of pulls that are shown at first. */
const SHOWN = 20;

interface PullTableProps {
  readonly title: string;
  readonly query: Parameters<typeof usageQuery>[0];
  readonly head: string;
  readonly first: (row: UsageRow) => ReactNode;
  readonly none: string;
  /** False beside another section that says it. */
  readonly saysPeriod?: boolean;
}

/** Who or what was pulled, most downloads first. */
function PullTable({ title, query, head, first, none, saysPeriod = true }: PullTableProps): ReactNode {
  const { data, error, refetch } = useQuery(usageQuery(query));
  const now = useNow(3_600);
  const { usage = [], countedSince } = data ?? {};
  const table = (rows: readonly UsageRow[]) => (
    <FactTable
      caption={`Pulls by ${head.toLowerCase()}`}
      stacks
      head={[head, "Downloads", "Requested", "Last pulled"]}
      numbers={[1, 2]}
      rows={rows.map((row) => [
        first(row),
        formatCount(row.downloads ?? 0),
        formatCount(row.asks ?? 0),
        <LastPulled key="last" usage={{ row, countedSince }} pushed={undefined} />,
      ])}
    />
  );
  return (
    <Section
      title={title}
      count={usage.length || undefined}
      description={saysPeriod ? <Period countedSince={countedSince} now={now} /> : undefined}
    >
      {error && !data ? (
        <FailedPart title="The pulls couldn't be loaded" error={error} onRetry={refetch} />
      ) : usage.length > 0 ? (
        <>
          {table(usage.slice(0, SHOWN))}
          {usage.length > SHOWN ? (
            <details>
              <summary className={classes["quiet"]}>Show {formatCount(usage.length - SHOWN)} more</summary>
              {table(usage.slice(SHOWN))}
            </details>
          ) : null}
        </>
      ) : (
        <p className={classes["quiet"]}>
          {!data ? "Loading…" : countedSince === undefined ? `${NOT_COUNTED}.` : none}
        </p>
      )}
    </Section>
  );
}

const WhoPulls = ({ uid }: PullsOfProps): ReactNode => (
  <PullTable
    title="Who pulls"
    query={{ "uidp.ids": [uid], by: ["USAGE_GROUPING_IDENTITY"] }}
    head="Identity"
    saysPeriod={false}
    none="Nobody since counting began."
    first={({ identity = "", identityName, scanner }) => (
      <span key="identity">
        <AppLink target={identityLink(identity)}>
          <bdi>{identityName || shorten(identity)}</bdi>
        </AppLink>
        {scanner === true ? <span className={classes["quiet"]}> scanner</span> : null}
      </span>
    )}
  />
);

/** What an identity pulls, of the repos whose access the reader can see; nothing if the service doesn't count pulls. */
export function WhatItPulls({ identity }: { readonly identity: string }): ReactNode {
  if (!useUsageKnown()) return null;
  return (
    <PullTable
      title="What it pulls"
      query={{ identity, by: ["USAGE_GROUPING_REPO"] }}
      head="Repo"
      none="Nothing since counting began, in the repos you can see."
      first={({ repo = "", repoName }) => (
        <AppLink key="repo" target={repoPage(repo)}>
          <bdi>{repoName || shorten(repo)}</bdi>
        </AppLink>
      )}
    />
  );
}
