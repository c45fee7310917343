import { keepPreviousData, useQuery, useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { iconOf } from "~/frame/kind-icons";
import { useRefusedAt } from "~/frame/permissions/use-can";
import { listResolvedReports } from "platform-contract/advisory/resolved-reports";
import { Report } from "~/domains/vulnerabilities/vulnerability-reports/lazy-parts";
import { useScreenList } from "~/frame/request-inspector/record-actions";
import { useScope } from "~/frame/scope/scope";
import { useTitle } from "~/frame/scope/title";
import {
  imagesParam,
  readImages,
  DEFAULT_TAG,
  type Image,
  readTag,
} from "~/domains/vulnerabilities/vulnerability-reports/images";
import { resolvedQuery } from "~/domains/vulnerabilities/vulnerability-reports/queries";
import { lastDays, REPORT_DAYS_MAX } from "~/domains/vulnerabilities/vulnerability-reports/range";
import { ReportProblem } from "~/domains/vulnerabilities/vulnerability-reports/report-problem";
import { useCleanAddress } from "~/frame/clean-address";
import { useView } from "~/frame/use-view";
import { useNow } from "~/ui/clock";
import { FilterSelect } from "~/ui/controls/filters";
import { Page, PageHeader } from "~/ui/layout/page";
import { total } from "~/api/queries/queries";
import { ALL_KINDS, tags as tagKind } from "platform-contract/registry/tags";
import { formatQuantity } from "~/ui/display/numbers";
import { Notice } from "~/ui/feedback/notice";
import { useRepoNames } from "~/domains/registry/references/use-repo-names";

import { DEFAULT_RANGE, daysOf, RANGES, readReport, type ReportSearch } from "./data";
import { ImagePicker } from "./image-picker";
import classes from "./styles.module.css";

/** Names the tags of which the report can't know anything; each is `<uid of its repo>:<tag>`. */
function UnknownTags({ tags }: { readonly tags: readonly string[] }): ReactNode {
  const asked = tags.map(readTag);
  const nameOf = useRepoNames(asked.map(({ repo }) => repo));
  if (tags.length === 0) return null;
  const named = asked.map(({ repo, tag }) => `${nameOf(repo)}:${tag}`);
  return (
    <Notice tone="warning" title={`Not all is known of ${formatQuantity(tags.length, "tag")}`}>
      <bdi>{named.join(", ")}</bdi>. The packages of some images in these days aren&apos;t known, or there was
      no image: more can have been resolved than is reported.
    </Notice>
  );
}

/** Names the tags that don't exist: the report silently omits them. */
function MissingTags({ images }: { readonly images: readonly Image[] }): ReactNode {
  const asked = images.flatMap(({ repo, tags }) =>
    (tags.length === 0 ? [DEFAULT_TAG] : tags).map((tag) => ({ repo, tag })),
  );
  const counts = useQueries({
    queries: asked.map(({ repo, tag }) =>
      total(tagKind.list, { "uidp.children_of": repo, name: tag, ...ALL_KINDS }),
    ),
  });
  const nameOf = useRepoNames(asked.map(({ repo }) => repo));
  const missing = asked.flatMap(({ repo, tag }, index) =>
    counts[index]?.data === 0 ? [`${nameOf(repo)}:${tag}`] : [],
  );
  if (missing.length === 0) return null;
  return (
    <Notice
      tone="warning"
      title={missing.length === 1 ? "This tag doesn't exist now" : "These tags don't exist now"}
    >
      <bdi>{missing.join(", ")}</bdi>. The report counts them only on days when they existed.
    </Notice>
  );
}

const TITLE = "Resolved vulnerabilities";

/** Reports the vulnerabilities resolved per day in the chosen images. */
export function ReportsPage(): ReactNode {
  const view = useCleanAddress(readReport);
  const { show } = useView<ReportSearch & { drawer?: undefined }>();
  useTitle(TITLE);
  const { group } = useScope();
  const images = readImages(view.images);
  const count = daysOf(view);
  const tooLong = count > REPORT_DAYS_MAX;
  const days = lastDays(count, useNow(60));
  const refused = useRefusedAt(
    listResolvedReports,
    images.length > 0 ? images.map(({ repo }) => repo) : [group],
  );
  const asked = resolvedQuery(images, days);
  const query = useQuery({
    ...asked,
    enabled: images.length > 0 && refused === undefined && !tooLong,
    placeholderData: keepPreviousData,
  });
  useScreenList(asked.queryKey);
  const ranges = [...new Set([...RANGES, count])].toSorted((one, other) => one - other);
  return (
    <Page>
      <PageHeader
        title={TITLE}
        icon={iconOf("reports")}
        description="Vulnerabilities that stopped affecting an image when its tag moved to a fixed build."
      />
      <div className={classes["choices"]}>
        <FilterSelect
          label="Range"
          value={view.days}
          options={ranges.map((each) => ({
            value: each === DEFAULT_RANGE ? "" : String(each),
            label: `last ${each} days`,
          }))}
          onChange={(value) => show({ days: value })}
        />
        {tooLong ? (
          <p role="alert" className={classes["problem"]}>
            A report can cover up to {REPORT_DAYS_MAX} days. Choose a shorter range.
          </p>
        ) : null}
      </div>
      {images.length === 0 && refused === undefined && !tooLong ? (
        // Above the offered names, which load later and would move it.
        <div>
          <h2 className={classes["start"]}>Choose an image</h2>
          <p className={classes["quiet"]}>
            The report counts the vulnerabilities resolved in its tags, by day and severity.
          </p>
        </div>
      ) : null}
      {images.length > 0 || refused === undefined ? (
        <ImagePicker images={images} onChange={(next) => show({ images: imagesParam(next) })} />
      ) : null}
      {refused !== undefined ? (
        <ReportProblem refused={refused} />
      ) : images.length === 0 || tooLong ? null : query.error ? (
        <ReportProblem error={query.error} onRetry={query.refetch} />
      ) : (
        <div className={classes["report"]} data-stale={query.isPlaceholderData || undefined}>
          <MissingTags images={images} />
          {query.data ? (
            <>
              <UnknownTags tags={query.data.unknownTags} />
              <Report {...query.data} days={days} />
            </>
          ) : (
            <p className={classes["quiet"]}>Loading…</p>
          )}
        </div>
      )}
    </Page>
  );
}
