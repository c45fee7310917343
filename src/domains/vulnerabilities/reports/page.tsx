import { iconOf } from "~/frame/kind-icons";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useRefusedAt } from "~/frame/permissions/use-can";
import { listResolvedReports } from "platform-contract/advisory/resolved-reports";
import { Report } from "~/domains/vulnerabilities/vulnerability-reports/lazy-parts";
import { useScreenList } from "~/frame/request-inspector/record-actions";
import { useScope } from "~/frame/scope/scope";
import { useTitle } from "~/frame/scope/title";
import { imagesParam, readImages } from "~/domains/vulnerabilities/vulnerability-reports/images";
import { resolvedQuery } from "~/domains/vulnerabilities/vulnerability-reports/queries";
import { lastDays, REPORT_DAYS_MAX } from "~/domains/vulnerabilities/vulnerability-reports/range";
import { ReportProblem } from "~/domains/vulnerabilities/vulnerability-reports/report-problem";
import { useCleanAddress } from "~/frame/clean-address";
import { useView } from "~/frame/use-view";
import { useNow } from "~/ui/clock";
import { FilterSelect } from "~/ui/controls/filters";
import { Page, PageHeader } from "~/ui/layout/page";

import { DEFAULT_RANGE, daysOf, RANGES, readReport, type ReportSearch } from "./data";
import { ImagePicker } from "./image-picker";
import { MissingTags, UnknownTags } from "./missing-tags";
import classes from "./styles.module.css";

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
