import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Fragment, useState, type ReactNode } from "react";

import { rowsOf } from "~/api/queries/queries";
import { parentOf } from "platform-contract/aip";
import type { InstalledVersion } from "platform-contract/vulnerabilities/advisories";
import type { PackageTag } from "platform-contract/vulnerabilities/package-tags";
import { grouped } from "~/domains/vulnerabilities/vulnerability-reports/distinct";
import { repoPage, repoTags, tagPage } from "~/domains/registry/references/repo-links";
import { HiddenLine } from "~/frame/scope/hidden-by-role";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";
import { ShowMore } from "~/ui/table/show-more";

import classes from "./advisories.module.css";
import { answerOf, installedText } from "./installed";
import { affectedItems } from "./links";
import {
  beginningQuery,
  holdingQuery,
  reposNamedQuery,
  useUntold,
  type HeldPackage,
  type Sought,
  type TagAnswer,
} from "./tags-here";

interface HoldingTagsProps {
  /** The advisories whose packages are looked for; undefined if there are none. */
  readonly sought: Sought | undefined;
  /** The package that is asked about; undefined if none is named. */
  readonly held: HeldPackage | undefined;
  /** Its type in package URLs; undefined if unknown. */
  readonly type: string | undefined;
  /** uid of the group whose tags are searched; undefined: all that are visible. */
  readonly group: string | undefined;
  /** Why advisories can be hidden; undefined if they can't. */
  readonly hidden: string | undefined;
}

/** Names the tags whose images hold what is asked about, and says of how many that isn't known. */
export function HoldingTags({ sought, held, type, group, hidden }: HoldingTagsProps): ReactNode {
  const { why, capability } = useUntold(group);
  if (!sought && !held) return null;
  if (why !== undefined)
    return (
      <Section title="Tags">
        {capability === undefined ? (
          <p className={classes["quiet"]}>Unknown: {why}.</p>
        ) : (
          <HiddenLine capability={capability} />
        )}
      </Section>
    );
  const affected = sought ? <AffectedTags sought={sought} group={group} hidden={hidden} /> : null;
  const holding = held ? <HeldTags held={held} type={type} group={group} /> : null;
  // The version that is asked about, before those that are affected in any.
  return held?.packageVersion === undefined ? (
    <>
      {affected}
      {holding}
    </>
  ) : (
    <>
      {holding}
      {affected}
    </>
  );
}

function AffectedTags({
  sought,
  group,
  hidden,
}: {
  readonly sought: Sought;
  readonly group: string | undefined;
  readonly hidden: string | undefined;
}): ReactNode {
  const query = useInfiniteQuery(holdingQuery(sought, group, "affected"));
  const { rows, total } = rowsOf(query.data);
  const isNone = query.data !== undefined && rows.length === 0;
  // Moved by its key: mounted anew, it would cancel the count that reads the same.
  const undecided = <UndecidedTags key="undecided" sought={sought} group={group} />;
  const affected = (
    <Section
      key="affected"
      title="Tags with any affected version"
      count={query.data && !isNone ? (total ?? rows.length) : undefined}
      description="Based on the packages that are known of their images."
    >
      {query.error && !query.data ? (
        <FailedPart title="The tags couldn't be checked" error={query.error} onRetry={query.refetch} />
      ) : query.data ? (
        <>
          {isNone ? (
            <p className={classes["quiet"]}>
              No tag is known to contain a version that an advisory calls affected. What is undecided or
              unknown is listed apart.
            </p>
          ) : (
            <TagTable of={rows} answer="affected" />
          )}
          <ShowMore query={query} />
        </>
      ) : (
        <p className={classes["quiet"]} role="status">
          Checking tags…
        </p>
      )}
      {query.data ? (
        <>
          <Others asked={sought} group={group} answer="unknown" />
          <Others asked={sought} group={group} answer="not_affected" hidden={hidden} />
        </>
      ) : null}
    </Section>
  );
  return <>{isNone ? [undecided, affected] : [affected, undecided]}</>;
}

/** The tags that hold a version about which no advisory decides; nothing if there are none. */
function UndecidedTags({
  sought,
  group,
}: {
  readonly sought: Sought;
  readonly group: string | undefined;
}): ReactNode {
  const query = useInfiniteQuery(holdingQuery(sought, group, "undecided"));
  const { rows, total } = rowsOf(query.data);
  if (query.error && !query.data)
    return (
      <FailedPart
        title="The undecided tags couldn't be checked"
        error={query.error}
        onRetry={query.refetch}
      />
    );
  if (rows.length === 0) return null;
  return (
    <Section
      title="Tags with an undecided version"
      count={total ?? rows.length}
      description="Their images contain it in versions that the advisories don't decide about."
    >
      <TagTable of={rows} answer="undecided" />
      <ShowMore query={query} />
    </Section>
  );
}

const versioned = ({ packageName, packageVersion }: HeldPackage): string =>
  [packageName, packageVersion].filter(Boolean).join(" ");

/** The tags that hold a package, or what is built from it, whatever advisories say of it. */
function HeldTags({
  held,
  type,
  group,
}: {
  readonly held: HeldPackage;
  readonly type: string | undefined;
  readonly group: string | undefined;
}): ReactNode {
  const isTold = type === undefined || type === "apk";
  const { packageName, packageVersion } = held;
  // A version with a revision is a whole one.
  const begin = packageVersion === undefined || /-r\d+$/.test(packageVersion) ? undefined : packageVersion;
  const query = useInfiniteQuery({ ...holdingQuery(held, group, undefined), enabled: isTold });
  const { rows, total } = rowsOf(query.data);
  // "None" is said only together with of how many tags that isn't known.
  const unknown = useInfiniteQuery({ ...holdingQuery(held, group, "unknown"), enabled: isTold });
  const isRead = query.data !== undefined && (rows.length > 0 || !unknown.isPending);
  return (
    <Section
      title={`Tags with ${versioned(held)}`}
      count={isRead && rows.length > 0 ? (total ?? rows.length) : undefined}
      description={`Based on the apk packages that are known of their images. Packages built from it count.${
        begin === undefined ? "" : ` Exactly ${begin} was searched for, in any revision such as ${begin}-r0.`
      }`}
    >
      {!isTold ? (
        <p className={classes["quiet"]}>Unknown: packages of type {type} in images aren&apos;t known.</p>
      ) : query.error && !query.data ? (
        <FailedPart title="The tags couldn't be checked" error={query.error} onRetry={query.refetch} />
      ) : isRead ? (
        <>
          {rows.length > 0 ? (
            <TagTable of={rows} answer={undefined} />
          ) : (
            <>
              <p className={classes["quiet"]}>
                No tag is known to contain it as an apk package. Which tags contain packages of other types
                isn&apos;t known.
              </p>
              <ReposNamed name={packageName} group={group} />
            </>
          )}
          <ShowMore query={query} />
          {begin === undefined ? null : (
            <LongerVersions packageName={packageName} begin={begin} group={group} />
          )}
          <Others asked={held} group={group} answer="unknown" />
        </>
      ) : (
        <p className={classes["quiet"]} role="status">
          Checking tags…
        </p>
      )}
    </Section>
  );
}

/** Repos with the name of a package that no tag is known to contain: their images probably contain it. */
function ReposNamed({
  name,
  group,
}: {
  readonly name: string;
  readonly group: string | undefined;
}): ReactNode {
  const query = useInfiniteQuery(reposNamedQuery(name, group));
  const { rows } = rowsOf(query.data);
  if (rows.length === 0) return null;
  return (
    <p>
      {rows.length === 1 ? "A repo here has" : "Repos here have"} this name:{" "}
      {rows.map(({ uid }, index) => (
        <Fragment key={uid}>
          {index > 0 ? ", " : ""}
          <AppLink target={repoTags(uid)}>
            tags of <bdi>{name}</bdi>
          </AppLink>
        </Fragment>
      ))}
      . What their images contain is known only where an SBOM was read.
    </p>
  );
}

/** The versions in images that begin with what was asked about, each a question of its own. */
function LongerVersions({
  packageName,
  begin,
  group,
}: {
  readonly packageName: string;
  readonly begin: string;
  readonly group: string | undefined;
}): ReactNode {
  const { data, error, refetch } = useQuery(beginningQuery(packageName, begin, group));
  if (error && !data)
    return (
      <FailedPart
        title={`Versions that begin with ${begin} couldn't be listed`}
        error={error}
        onRetry={refetch}
      />
    );
  if (!data || data.versions.length === 0) return null;
  return (
    <p>
      Versions in images here that begin with {begin}
      {data.partial ? ", of those that were read" : ""}:{" "}
      {data.versions.map(([version, count], index) => (
        <Fragment key={version}>
          {index > 0 ? ", " : ""}
          <AppLink target={affectedItems([{ name: packageName, version }])}>
            <bdi>{version}</bdi>
          </AppLink>{" "}
          ({formatQuantity(count, "tag")})
        </Fragment>
      ))}
      .
    </p>
  );
}

const OTHERS = {
  unknown: (count: string) => `Packages not known: ${count}`,
  not_affected: (count: string) => `Not affected: ${count}`,
} as const;

/** How many tags have another answer, and which. */
function Others({
  asked,
  group,
  answer,
  hidden,
}: {
  readonly asked: Sought | HeldPackage;
  readonly group: string | undefined;
  readonly answer: keyof typeof OTHERS;
  readonly hidden?: string | undefined;
}): ReactNode {
  const [open, setOpen] = useState(false);
  const query = useInfiniteQuery(holdingQuery(asked, group, answer));
  const { rows, total } = rowsOf(query.data);
  if (query.error && !query.data)
    return (
      <FailedPart title="The other tags couldn't be checked" error={query.error} onRetry={query.refetch} />
    );
  if (!query.data || rows.length === 0) return null;
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={classes["quiet"]}>
        {OTHERS[answer](formatQuantity(total ?? rows.length, "tag"))}
        {hidden === undefined ? null : ", by the advisories that you can see"}
      </summary>
      {open ? (
        <>
          <TagTable of={rows} answer={answer} />
          <ShowMore query={query} />
        </>
      ) : null}
    </details>
  );
}

/** How many packages of one tag to name. */
const NAMED = 4;

function TagTable({
  of,
  answer,
}: {
  readonly of: readonly PackageTag[];
  /** Which packages of the tags to name; undefined: all. */
  readonly answer: TagAnswer | undefined;
}): ReactNode {
  const said = answer === "undecided" ? "unknown" : answer;
  return (
    <FactTable
      caption={`Tags: ${answer === undefined ? "holding it" : answer.replace("_", " ")}`}
      stacks
      head={["Tag", "Repo", "Packages"]}
      rows={of.map(({ uid, name, repoName, deprecated, packages = [] }) => {
        const held = alike(packages.filter((one) => said === undefined || answerOf(one) === said));
        return [
          <span key="tag">
            <AppLink target={tagPage(uid)}>
              <bdi>{name}</bdi>
            </AppLink>
            {deprecated === true ? <span className={classes["quiet"]}> deprecated</span> : null}
          </span>,
          <AppLink key="repo" target={repoPage(parentOf(uid))}>
            <bdi>{repoName}</bdi>
          </AppLink>,
          held.length === 0 ? (
            "Unknown: not all packages of this image are known"
          ) : (
            <span key="packages">
              {held.slice(0, NAMED).map(({ names, architectures, one }) => (
                <span key={`${names} ${one.version}`} className={classes["line"]}>
                  <bdi>{names}</bdi> <code>{one.version}</code>{" "}
                  <span className={classes["quiet"]}>
                    {architectures} {one.range ? installedText(one) : ""}
                  </span>
                </span>
              ))}
              {held.length > NAMED ? `and ${formatCount(held.length - NAMED)} more` : null}
            </span>
          ),
        ];
      })}
    />
  );
}

/** Packages of one version and answer in one line: what is built from one source comes together. */
function alike(packages: readonly InstalledVersion[]) {
  const texts = (some: readonly InstalledVersion[], of: "packageName" | "architecture") =>
    [...new Set(some.flatMap((one) => one[of] || []))].toSorted().join(", ");
  const byPackage = [
    ...grouped(packages, ({ packageName, version }) => JSON.stringify([packageName, version])).values(),
  ].map((some) => ({ some, architectures: texts(some, "architecture") }));
  const key = ({ some: [one], architectures }: (typeof byPackage)[number]) =>
    JSON.stringify([architectures, one?.version, one?.verdict, one?.range]);
  return [...grouped(byPackage, key).values()].flatMap((lines) => {
    const [first] = lines;
    const [one] = first?.some ?? [];
    const names = texts(
      lines.flatMap(({ some }) => some),
      "packageName",
    );
    return first && one ? [{ names, architectures: first.architectures, one }] : [];
  });
}
