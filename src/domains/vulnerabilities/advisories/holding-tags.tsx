import { useInfiniteQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { infinite, rowsOf } from "~/api/queries/queries";
import { parentOf } from "platform-contract/aip";
import { listPackageTags, type PackageTag } from "platform-contract/vulnerabilities/package-tags";
import { repoPage, tagPage } from "~/domains/registry/references/repo-links";
import { HiddenLine } from "~/frame/scope/hidden-by-role";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";
import { ShowMore } from "~/ui/table/show-more";

import classes from "./advisories.module.css";
import { answerOf, installedText, type VersionAnswer } from "./installed";

/** The advisories whose packages are looked for in images. */
export interface Sought {
  readonly aliases?: string[];
  readonly advisoryIds?: string[];
  readonly artifactNames?: string[];
}

interface HoldingTagsProps {
  readonly sought: Sought;
  /** uid of the group whose tags are searched; undefined: all that are visible. */
  readonly group: string | undefined;
}

const VERDICTS = {
  affected: "VERSION_VERDICT_AFFECTED",
  unknown: "VERSION_VERDICT_UNKNOWN",
  not_affected: "VERSION_VERDICT_NOT_AFFECTED",
} as const satisfies Readonly<Record<VersionAnswer, string>>;

/** Names the tags whose images hold a package in an affected version, and says of how many that isn't known. */
export function HoldingTags(props: HoldingTagsProps): ReactNode {
  const isTold = useRouteContext({ strict: false, select: ({ config }) => config?.imagePackages === true });
  const { allowed, capability } = useCan(listPackageTags, props.group);
  return isTold && allowed ? (
    <Known {...props} />
  ) : (
    <Section title="Tags">
      {isTold ? (
        <HiddenLine capability={capability} />
      ) : (
        <p className={classes["quiet"]}>Unknown: the API doesn&apos;t list the packages of images.</p>
      )}
    </Section>
  );
}

const queryOf = ({ sought, group }: HoldingTagsProps, answer: VersionAnswer) =>
  infinite(listPackageTags, {
    ...(group !== undefined && { "uidp.descendants_of": group }),
    ...sought,
    verdict: VERDICTS[answer],
    order_by: "name",
    page_size: 50,
  });

function Known(props: HoldingTagsProps): ReactNode {
  const query = useInfiniteQuery(queryOf(props, "affected"));
  const { rows, total } = rowsOf(query.data);
  return (
    <>
      <Section
        title="Tags with an affected version"
        count={query.data ? (total ?? rows.length) : undefined}
        description="By the packages of their images, as far as these are known."
      >
        {query.error && !query.data ? (
          <FailedPart title="The tags couldn't be checked" error={query.error} onRetry={query.refetch} />
        ) : query.data ? (
          <>
            {rows.length > 0 ? <TagTable of={rows} answer="affected" /> : null}
            <ShowMore query={query} />
          </>
        ) : (
          <p className={classes["quiet"]} role="status">
            Checking tags…
          </p>
        )}
        {query.data ? (
          <>
            <Others {...props} answer="unknown" />
            <Others {...props} answer="not_affected" />
          </>
        ) : null}
      </Section>
    </>
  );
}

const OTHERS = {
  unknown: (count: string) => `Unknown: ${count}`,
  not_affected: (count: string) => `Not affected: ${count}`,
} as const;

/** How many tags have another answer, and which. */
function Others({
  answer,
  ...props
}: HoldingTagsProps & { readonly answer: keyof typeof OTHERS }): ReactNode {
  const [open, setOpen] = useState(false);
  const query = useInfiniteQuery(queryOf(props, answer));
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
  readonly answer: VersionAnswer;
}): ReactNode {
  return (
    <FactTable
      caption={`Tags: ${answer === "affected" ? "affected" : answer === "unknown" ? "unknown" : "not affected"}`}
      stacks
      head={["Tag", "Repo", "Packages"]}
      rows={of.map(({ uid, name, repoName, deprecated, packages = [] }) => {
        const said = [
          ...new Map(
            packages
              .filter((one) => answerOf(one) === answer)
              .map((one) => [
                `${one.packageName} ${one.version}`,
                { ...one, architectures: archsOf(packages, one.packageName, one.version) },
              ]),
          ).values(),
        ];
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
          said.length === 0 ? (
            "Unknown: the packages of this image aren't known"
          ) : (
            <span key="packages">
              {said.slice(0, NAMED).map((one) => (
                <span key={`${one.packageName} ${one.version}`} className={classes["line"]}>
                  <bdi>{one.packageName}</bdi> <code>{one.version}</code>{" "}
                  <span className={classes["quiet"]}>
                    {one.architectures} {one.range ? installedText(one) : ""}
                  </span>
                </span>
              ))}
              {said.length > NAMED ? `and ${formatCount(said.length - NAMED)} more` : null}
            </span>
          ),
        ];
      })}
    />
  );
}

/** The architectures of an image that hold a package in a version. */
const archsOf = (
  packages: NonNullable<PackageTag["packages"]>,
  name: string | undefined,
  version: string | undefined,
): string =>
  [
    ...new Set(
      packages.flatMap((one) =>
        one.packageName === name && one.version === version ? (one.architecture ?? []) : [],
      ),
    ),
  ].join(", ");
