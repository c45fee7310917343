import { useMemo, type ReactNode } from "react";

import { Architectures } from "~/domains/vulnerabilities/advisories/architectures";
import { advisoryPage } from "~/domains/vulnerabilities/advisories/links";
import type { InstalledVersion } from "platform-contract/vulnerabilities/advisories";
import { inOrder } from "~/domains/vulnerabilities/advisories/ids";
import { installedText, whyUnknown } from "~/domains/vulnerabilities/advisories/installed";
import { placeText } from "~/domains/vulnerabilities/advisories/places";
import type { Status, Verdict } from "~/domains/vulnerabilities/advisories/verdict";
import { ancestorsWithNames } from "~/frame/scope/ancestors";
import { GroupPath } from "~/frame/scope/group-path";
import { useAncestorNames } from "~/frame/scope/use-ancestor-names";
import { ExternalLink } from "~/ui/display/external-link";
import { FactTable } from "~/ui/display/fact-table";
import { Time } from "~/ui/display/time";
import { AppLink } from "~/ui/layout/link";

import classes from "./styles.module.css";
import type { Judged } from "./summary";

const SAYS: Readonly<Record<Status, string>> = {
  affected: "Assessment",
  under_investigation: "Assessment",
  fixed: "Fixed in",
  not_affected: "Reason",
};

interface StatusTableProps {
  readonly status: Status;
  /** Each row: one or more that differ only by architecture, as `alikeIn()` has them. */
  readonly of: readonly (readonly Judged[])[];
  /** True if the advisories are those of a package, so that each is named by its vulnerability. */
  readonly byId?: boolean;
  /** True to name the artifacts beside their vulnerabilities: they contain what is asked about. */
  readonly contains?: boolean;
}

/** Lists the artifacts with one status: the version that fixes them, or why they are not affected. */
export function StatusTable({ status, of, byId = false, contains = false }: StatusTableProps): ReactNode {
  const rows = useMemo(() => of.flat().map(({ advisory }) => advisory), [of]);
  const names = useAncestorNames(rows);
  return (
    <FactTable
      caption={SAYS[status]}
      className={classes["table"]}
      // The verdict comes second so that it stays visible on narrow screens, where the rest scrolls.
      head={[byId ? "Vulnerability" : "Artifact", SAYS[status], "Component", "Folder", "Since"]}
      rows={of.flatMap((same) => {
        const [first] = same;
        if (!first) return [];
        const { advisory, verdict, exceptions } = first;
        const { uid, artifactName, advisoryId, componentName } = advisory;
        const place = placeText(advisory, exceptions);
        const since = same.flatMap((one) => one.verdict.event?.createTime ?? one.advisory.createTime ?? []);
        const row = [
          <>
            <AppLink target={advisoryPage(uid)}>
              <bdi>{(byId ? inOrder(advisory.aliases)[0] : artifactName) || advisoryId}</bdi>
            </AppLink>{" "}
            {contains ? (
              <>
                in <bdi>{artifactName}</bdi>{" "}
              </>
            ) : null}
            <Architectures of={same.map((one) => one.advisory)} />
            {place ? (
              <div className={classes["quiet"]}>
                <bdi>{place}</bdi>
              </div>
            ) : null}
          </>,
          <Says
            key={uid}
            {...verdict}
            place={advisory.appliesTo ?? ""}
            installed={advisory.installedVersions ?? []}
          />,
          componentName && <bdi key={uid}>{componentName}</bdi>,
          <GroupPath key={uid} places={ancestorsWithNames(uid, names)} />,
          <Time key={uid} value={since.toSorted()[0]} />,
        ];
        return [row];
      })}
    />
  );
}

interface SaysProps extends Omit<Verdict, "status"> {
  readonly installed: readonly InstalledVersion[];
  /** The advisory's `appliesTo`. */
  readonly place: string;
}

const Says = ({
  fixedIn,
  reason,
  says,
  note,
  affected,
  event,
  installed,
  others,
  pending,
  place,
}: SaysProps): ReactNode => (
  <>
    {installed.map((one) => (
      <div key={one.version}>
        <bdi>{one.version}</bdi>: {installedText(one, whyUnknown(place, event))}
      </div>
    ))}
    {fixedIn.length > 0 ? (
      <code>{fixedIn.join(", ")}</code>
    ) : event?.truePositiveDetermination && affected.length > 0 ? null : (
      (reason?.words ?? says)
    )}
    {reason ? (
      <>
        {" "}
        <code className={classes["quiet"]}>{reason.vex}</code>
      </>
    ) : null}
    {affected.map((line) => (
      <div key={line} className={fixedIn.length > 0 ? classes["quiet"] : undefined}>
        Affected: <bdi>{line}</bdi>
      </div>
    ))}
    {note ? (
      <div className={classes["quiet"]}>
        <bdi>{note}</bdi>
      </div>
    ) : null}
    {event?.sourceId ? (
      <div className={classes["quiet"]}>
        says{" "}
        {event.sourceUrl ? (
          <ExternalLink address={event.sourceUrl}>{event.sourceId}</ExternalLink>
        ) : (
          <bdi>{event.sourceId}</bdi>
        )}
      </div>
    ) : null}
    {pending === undefined ? null : (
      <div className={classes["quiet"]}>A newer entry says “{pending}”. It counts once it is approved.</div>
    )}
    {others.map(({ source, url, says: words }) => (
      <div key={source} className={classes["quiet"]}>
        Older, so it doesn&apos;t count:{" "}
        {url ? <ExternalLink address={url}>{source}</ExternalLink> : <bdi>{source}</bdi>} says{" "}
        <bdi>{words}</bdi>
      </div>
    ))}
  </>
);
