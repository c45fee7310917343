import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { totalOf } from "platform-client/wire";
import { parentOf } from "platform-contract/aip";
import { listResolvedReports } from "platform-contract/advisory/resolved-reports";
import { tags, type Tag } from "platform-contract/registry/tags";
import type { ListAnswer } from "platform-contract/resource";
import { call } from "~/api/client/client";
import type { QueryFacts } from "~/api/client/request-info";
import { countVulnerabilities } from "~/domains/vulnerabilities/vulnerability-reports/distinct";
import { DEFAULT_TAG, IMAGES_MAX } from "~/domains/vulnerabilities/vulnerability-reports/images";
import { reportOf } from "~/domains/vulnerabilities/vulnerability-reports/links";
import { ResolvedFigures } from "~/domains/vulnerabilities/vulnerability-reports/lazy-parts";
import { resolvedQuery } from "~/domains/vulnerabilities/vulnerability-reports/queries";
import { lastDays, type Days } from "~/domains/vulnerabilities/vulnerability-reports/range";
import { useCan, useRefusal } from "~/frame/permissions/use-can";
import { HiddenLine } from "~/frame/scope/hidden-by-role";
import { scopeQuery } from "~/frame/scope/scope";
import { useNow } from "~/ui/clock";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";

import styles from "./styles.module.css";

const DAYS = 30;

/** The `latest` tags of a scope that were updated in these days, newest first: no other one can have resolved anything. */
function movedQuery(group: string | undefined, { first }: Days) {
  const query = {
    ...scopeQuery({ group, reach: "below" }),
    name: DEFAULT_TAG,
    updatedSince: `${first}T00:00:00Z`,
    order_by: "updated_at desc",
    page_size: IMAGES_MAX,
  };
  return queryOptions({
    queryKey: [tags.collection, "newest", query] as const,
    meta: { requests: () => [{ endpoint: tags.list, query }] } satisfies QueryFacts,
    queryFn: async ({ signal }): Promise<ListAnswer<Tag>> => call(tags.list, { query, signal }),
  });
}

/** Vulnerabilities recently resolved in the `latest` tags of a scope. `group`: undefined for everything visible. */
export function Resolved({ group }: { readonly group: string | undefined }): ReactNode {
  const days = lastDays(DAYS, useNow(60));
  const { allowed, capability } = useCan(listResolvedReports, group);
  const { data, error, refetch } = useQuery({ ...movedQuery(group, days), enabled: allowed });
  if (!allowed) return <HiddenLine capability={capability} />;
  if (data) return <ResolvedIn moved={data.items} total={totalOf(data)} days={days} />;
  return error ? <Failed error={error} onRetry={refetch} /> : <p className={styles["quiet"]}>Loading…</p>;
}

const Failed = (props: { readonly error: Error; readonly onRetry: () => unknown }): ReactNode => (
  <FailedPart title="Resolved vulnerabilities couldn't be loaded" {...props} />
);

interface ResolvedInProps {
  readonly moved: readonly Tag[];
  /** How many tags were updated; undefined if the service doesn't count. */
  readonly total: number | bigint | undefined;
  readonly days: Days;
}

function ResolvedIn({ moved, total = moved.length, days }: ResolvedInProps): ReactNode {
  const refusal = useRefusal();
  const images = moved
    .map(({ uid }) => parentOf(uid))
    .filter((repo) => refusal(listResolvedReports, repo) === undefined)
    // A stable order, independent of which was updated last.
    .toSorted()
    .map((repo) => ({ repo, tags: [] }));
  const { data, error, refetch } = useQuery({ ...resolvedQuery(images, days), enabled: images.length > 0 });
  if (moved.length === 0) return <p>None: no tag named {DEFAULT_TAG} has moved to another image.</p>;
  if (images.length === 0) return <HiddenLine capability={listResolvedReports.access.needs[0]} />;
  if (!data)
    return error ? <Failed error={error} onRetry={refetch} /> : <p className={styles["quiet"]}>Loading…</p>;
  const { reports, unknownTags } = data;
  const resolved = countVulnerabilities(reports);
  const { to, search } = reportOf(images);
  const of = formatQuantity(images.length, `${DEFAULT_TAG} tag`);
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
        {Number(total) > images.length
          ? `in ${of} of the ${formatCount(total)} that moved, the newest`
          : `in the ${of} that moved`}
        {unknownTags.length > 0
          ? `; not all is known of the images of ${formatCount(unknownTags.length)}, which can have resolved more`
          : ""}
      </p>
      {resolved > 0 ? <ResolvedFigures reports={reports} days={days} /> : null}
    </>
  );
}
