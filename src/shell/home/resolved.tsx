import { by } from "platform-contract/order";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { listResolvedReports } from "platform-contract/advisory/resolved-reports";
import { countVulnerabilities } from "~/domains/vulnerabilities/vulnerability-reports/distinct";
import { IMAGES_MAX, type Image } from "~/domains/vulnerabilities/vulnerability-reports/images";
import { HiddenLine } from "~/frame/scope/hidden-by-role";
import { reportOf } from "~/domains/vulnerabilities/vulnerability-reports/links";
import { ResolvedFigures } from "~/domains/vulnerabilities/vulnerability-reports/lazy-parts";
import { resolvedQuery } from "~/domains/vulnerabilities/vulnerability-reports/queries";
import { lastDays } from "~/domains/vulnerabilities/vulnerability-reports/range";
import { FailedPart } from "~/ui/feedback/failed-part";
import { useNow } from "~/ui/clock";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { AppLink } from "~/ui/layout/link";

import { nameOf, type RecentRecord } from "./holdings";
import { KINDS } from "platform-contract/kinds";
import styles from "./styles.module.css";

const DAYS = 30;

interface ResolvedProps {
  /** The most recently changed repos of the scope, as many as one report accepts. */
  readonly repos: readonly RecentRecord[];
  /** How many repos the scope has. */
  readonly total: number;
}

/** Vulnerabilities recently resolved in the repos of a scope. */
export function Resolved({ repos, total }: ResolvedProps): ReactNode {
  const refusal = useRefusal();
  const reported = repos
    .slice(0, IMAGES_MAX)
    .filter(({ uid }) => refusal(listResolvedReports, uid) === undefined);
  // A stable order, independent of which changed last.
  const images: Image[] = reported
    .map(({ uid }) => ({ repo: uid, tags: [] }))
    .toSorted(by(({ repo }) => repo));
  const days = lastDays(DAYS, useNow(60));
  const { data, error, refetch } = useQuery({ ...resolvedQuery(images, days), enabled: images.length > 0 });
  if (images.length === 0) return <HiddenLine capability={listResolvedReports.access.needs[0]} />;
  if (error && !data)
    return <FailedPart title="Resolved vulnerabilities couldn't be loaded" error={error} onRetry={refetch} />;
  if (!data) return <p className={styles["quiet"]}>Loading…</p>;
  const { reports, unknownTags } = data;
  const resolved = countVulnerabilities(reports);
  const { to, search } = reportOf(images);
  return (
    <>
      <p>
        <AppLink target={{ to, search: { ...search, days: String(DAYS) } }}>
          {resolved === 0
            ? unknownTags.length >= images.length
              ? "Unknown"
              : "None recorded"
            : `${formatQuantity(resolved, "vulnerability", "vulnerabilities")} resolved`}
        </AppLink>{" "}
        in the latest tag of {formatQuantity(images.length, "repo")}
        {unknownTags.length > 0
          ? `; ${formatCount(unknownTags.length)} without an image whose packages are known`
          : ""}
      </p>
      {resolved > 0 ? <ResolvedFigures reports={reports} days={days} /> : null}
      {total > images.length ? (
        <details className={styles["quiet"]}>
          <summary>
            {formatCount(images.length)} of {formatCount(total)} repos, most recently updated
          </summary>
          <bdi>{reported.map((repo) => nameOf(KINDS.repos, repo)).join(", ")}</bdi>
        </details>
      ) : null}
    </>
  );
}
